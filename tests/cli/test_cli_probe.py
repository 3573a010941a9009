"""`majordomo probe` finds out what a server supports, and says it as DSN options."""

import json

import pytest

from majordomo.config.dsn import parse_dsn
from majordomo.contract import (
    Failure,
    Image,
    InvalidRequest,
    Response,
    Text,
    ToolCall,
    Unauthorized,
    Unsupported,
    Usage,
)
from majordomo.dialects.dialect import Ask
from majordomo.testing import DialectServer, Turn
from support.command import called

_USAGE = Usage(input=3, output=4)


def said(*parts: Text | ToolCall) -> Response:
    calls = any(isinstance(part, ToolCall) for part in parts)
    return Response(parts=parts, finish_reason="tool_calls" if calls else "stop", usage=_USAGE)


def everything(ask: Ask) -> Turn:
    """A server that does all it is asked."""
    request = ask.request
    choice = request.tool_choice
    results = any(message.tool_results for message in request.messages)
    wanted = "weather" in request.messages[-1].text or choice.mode in ("required", "named")
    if request.tools and choice.mode != "none" and wanted and not results:
        name = choice.name or "get_weather"
        both = "Rome" in request.messages[-1].text and choice.parallel is not False
        arguments = '{"city":"Paris"}' if name == "get_weather" else "{}"
        return said(
            *(ToolCall(id=f"call_{n}", name=name, arguments=arguments) for n in range(1 + both))
        )
    if request.schema is not None:
        return said(Text(text='{"capital": "Paris", "population": 2000000}'))
    return said(Text(text="red, and hello"))


def plain(ask: Ask) -> Turn | Failure:
    """A server that only chats, does not stream, and refuses what it does not know."""
    request = ask.request
    pictures = any(isinstance(p, Image) for m in request.messages for p in m.parts)
    if ask.stream:
        return InvalidRequest("stream is not supported", status=400)
    if pictures:
        return Unsupported("no images here", status=400)
    if request.tools or request.schema is not None or request.seed is not None:
        return InvalidRequest("unknown field", status=400)
    return said(Text(text="hello"))


def probed(
    server: DialectServer, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> tuple[dict[str, str], dict[str, str], str]:
    monkeypatch.setenv("LLM_UP", f"openai+http://sk-1@{server.url.removeprefix('http://')}/v1")
    found = json.loads(called(capsys, "probe", "up/m", "--json").out)
    shown = called(capsys, "probe", "up/m").out
    answers = {each["name"]: each["verdict"] for each in found["answers"]}
    return answers, found["options"], shown


def test_a_server_that_does_everything_is_found_to(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with DialectServer.in_thread("openai_chat", everything) as server:
        answers, options, shown = probed(server, monkeypatch, capsys)
    assert set(answers.values()) == {"yes"}
    assert options.get("tools", "native") == "native"
    assert "sees it" in shown


def test_a_server_that_only_chats_is_found_out(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with DialectServer.in_thread("openai_chat", plain) as server:
        answers, options, shown = probed(server, monkeypatch, capsys)
    no = {"streaming", "tools", "structured output", "JSON mode", "images", "seed"}
    assert {answers[name] for name in no} == {"no"}
    assert {answers[name] for name in ("usage", "temperature", "prefill")} == {"yes"}
    wanted = {"tools": "emulated", "structured": "prompt", "streaming": "off", "images": "off"}
    assert wanted.items() <= options.items()
    assert options["without"] == "seed"
    line = next(line for line in shown.splitlines() if "LLM_UP=" in line)
    pasted = line.partition("'")[2].rstrip("'")
    assert "sk-1" not in shown
    read = parse_dsn("up", pasted).capabilities("m")
    assert (read.tools, read.structured, read.streaming) == ("emulated", "prompt", False)
    assert read.images is None
    assert "seed" not in read.knobs


def test_what_is_already_set_is_not_set_again(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with DialectServer.in_thread("openai_chat", plain) as server:
        _, _, shown = probed(server, monkeypatch, capsys)
        line = next(line for line in shown.splitlines() if "LLM_UP=" in line)
        monkeypatch.setenv("LLM_UP", line.partition("'")[2].rstrip("'"))
        again = called(capsys, "probe", "up/m").out
    assert "nothing to set" in again


def test_an_old_server_is_spoken_to_in_old_words(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    servers: list[DialectServer] = []

    def old(ask: Ask) -> Turn | Failure:
        body = json.loads(servers[0].requests[-1].body)
        if "max_completion_tokens" in body or "stream_options" in body:
            return InvalidRequest("unknown field", status=400)
        return everything(ask)

    with DialectServer.in_thread("openai_chat", old) as server:
        servers.append(server)
        _, options, _ = probed(server, monkeypatch, capsys)
    assert options["max_tokens_field"] == "max_tokens"
    assert options["stream_usage"] == "off"


def test_a_server_that_cannot_be_asked_at_all_is_said_why(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    refusal = Unauthorized("bad key", status=401)
    with DialectServer.in_thread("openai_chat", lambda _: refusal) as server:
        monkeypatch.setenv("LLM_UP", f"openai+{server.url}/v1")
        heard = called(capsys, "probe", "up/m")
    assert heard.code == 3
    assert "bad key" in heard.err


def test_a_chain_is_not_probed(capsys: pytest.CaptureFixture[str]) -> None:
    said = called(capsys, "probe", "ollama/x,openai/y")
    assert (said.code, "one target at a time" in said.err) == (2, True)
