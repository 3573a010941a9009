"""`majordomo ask`, against a server of each dialect."""

import io
import sys
from pathlib import Path

import msgspec
import pytest

from majordomo.cli.question import red_square
from majordomo.contract import DialectName, Image, Response, Start, Text, TextDelta
from majordomo.testing import Cut, DialectServer, Item
from support.command import called

SCHEMES: dict[DialectName, str] = {
    "openai_chat": "openai+{url}/v1",
    "openai_responses": "openai-responses+{url}/v1",
    "anthropic": "anthropic+{url}",
    "ollama": "ollama+{url}",
    "gemini": "gemini+{url}",
}


@pytest.fixture(autouse=True)
def no_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO(""))


def point(monkeypatch: pytest.MonkeyPatch, server: DialectServer, dialect: DialectName) -> None:
    monkeypatch.setenv("LLM_UP", SCHEMES[dialect].format(url=server.url))


@pytest.mark.parametrize("dialect", SCHEMES)
def test_it_asks_in_every_dialect(
    dialect: DialectName, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with DialectServer.in_thread(dialect, ["Hello!"]) as server:
        point(monkeypatch, server, dialect)
        said = called(capsys, "ask", "-m", "up/m", "--system", "Be kind.", "Hi", "there")
        asked = server.requests[0].ask
    assert (said.code, said.out, said.err) == (0, "Hello!\n", "")
    assert asked is not None
    assert asked.request.messages[-1].text == "Hi there"
    told = asked.request.system + "".join(m.text for m in asked.request.messages)
    assert "Be kind." in told


def test_standard_input_is_added_to_the_question(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("the diff\n"))
    with DialectServer.in_thread("openai_chat", ["Fine."]) as server:
        point(monkeypatch, server, "openai_chat")
        called(capsys, "ask", "-m", "up/m", "Review this.")
        asked = server.requests[0].ask
    assert asked is not None
    assert asked.request.messages[0].text == "Review this.\n\nthe diff"


def test_a_picture_goes_along(
    here: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (here / "red.png").write_bytes(red_square())
    with DialectServer.in_thread("openai_chat", ["Red."]) as server:
        point(monkeypatch, server, "openai_chat")
        called(capsys, "ask", "-m", "up/m", "--image", "red.png", "Which colour?")
        asked = server.requests[0].ask
    assert asked is not None
    picture, words = asked.request.messages[0].parts
    assert isinstance(picture, Image)
    assert (picture.mime, picture.data) == ("image/png", red_square())
    assert isinstance(words, Text)


def test_a_schema_is_answered_in(
    here: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    schema = '{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]}'
    (here / "schema.json").write_text(schema)
    with DialectServer.in_thread("openai_chat", ['{"n": 7}']) as server:
        point(monkeypatch, server, "openai_chat")
        said = called(capsys, "ask", "-m", "up/m", "--schema", "schema.json", "Count")
        asked = server.requests[0].ask
    assert msgspec.json.decode(said.out) == {"n": 7}
    assert asked is not None
    assert asked.request.schema is not None


def test_the_whole_reply_can_be_had_as_json(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with DialectServer.in_thread("openai_chat", ["Hello!"]) as server:
        point(monkeypatch, server, "openai_chat")
        said = called(capsys, "ask", "-m", "up/m", "--json", "Hi")
    reply = msgspec.json.decode(said.out, type=Response)
    assert (reply.text, reply.model) == ("Hello!", "up/m")
    assert [attempt.outcome for attempt in reply.attempts] == ["served"]


def test_a_failover_is_mentioned(
    here: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (here / "majordomo.toml").write_text(
        "default = 'both'\n[aliases]\nboth = 'dead/x,up/m'\n"
        "[providers]\ndead = 'openai+http://127.0.0.1:9/v1'\n[patience]\nretries = 0\n"
    )
    with DialectServer.in_thread("anthropic", ["Hello!"]) as server:
        point(monkeypatch, server, "anthropic")
        said = called(capsys, "ask", "Hi")
    assert said.out == "Hello!\n"
    assert "dead/x: Disconnected" in said.err
    assert "served by up/m" in said.err


WRONG: dict[str, tuple[tuple[str, ...], str]] = {
    "nothing asked": (("-m", "up/m"), "nothing is asked"),
    "no model": (("Hi",), "no model is named: say -m"),
    "no such picture": (("-m", "up/m", "--image", "no.png", "Hi"), "no.png: No such file"),
    "a schema that is no JSON": (("-m", "up/m", "--schema", "bad.json", "Hi"), "not valid JSON"),
    "a schema that is a list": (("-m", "up/m", "--schema", "list.json", "Hi"), "not an object"),
    "no such configuration": (("--config", "no.toml", "Hi"), "no.toml: No such file"),
}


@pytest.mark.parametrize(("arguments", "said"), WRONG.values(), ids=WRONG.keys())
def test_what_is_written_wrong_is_said_and_exits_with_2(
    here: Path,
    arguments: tuple[str, ...],
    said: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (here / "bad.json").write_text("{")
    (here / "list.json").write_text("[]")
    heard = called(capsys, "ask", *arguments)
    assert heard.code == 2
    assert said in heard.err


def test_what_was_said_before_a_break_stays(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    script: list[list[Item]] = [[Start(), TextDelta(text="Half an "), Cut()] for _ in range(9)]
    with DialectServer.in_thread("openai_chat", script) as server:
        point(monkeypatch, server, "openai_chat")
        said = called(capsys, "ask", "-m", "up/m", "Hi")
    assert said.out.startswith("Half an ")
    assert said.code == 5
