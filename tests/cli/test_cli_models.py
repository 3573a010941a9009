"""`majordomo models` and `majordomo traces`: what is known, and what happened."""

import json
from pathlib import Path

import pytest

from majordomo.cli.background import gateway
from majordomo.config.file import parse
from majordomo.contract import Attempt, Note, Unauthorized, Usage
from majordomo.testing import DialectServer
from majordomo.trace import Trace
from majordomo.trace.sqlite import SqliteStore
from support.command import called

CONFIG = """
default = "best"
[providers]
up = "openai+http://secret@127.0.0.1:9/v1"
[aliases]
best = "up/big, up/small"
[routes]
"claude-*" = "best"
"gpt-*" = "up/*"
[gateway]
port = 1
"""


@pytest.fixture(autouse=True)
def config(here: Path) -> None:
    (here / "majordomo.toml").write_text(CONFIG)


def test_everything_that_has_a_name_is_listed(capsys: pytest.CaptureFixture[str]) -> None:
    said = called(capsys, "models")
    for words in ("up/big", "up/small", "best   up/big, up/small", "claude-*  best", "127.0.0.1:9"):
        assert words in said.out
    assert "secret" not in said.out
    assert "\033" not in said.out


def test_a_script_gets_json(capsys: pytest.CaptureFixture[str]) -> None:
    said = json.loads(called(capsys, "models", "--json").out)
    assert said["aliases"]["best"] == "up/big, up/small"
    assert said["routes"] == {"claude-*": "best", "gpt-*": "up/*"}
    assert list(said["targets"]) == ["up/big", "up/small"]


def test_a_shell_gets_names(capsys: pytest.CaptureFixture[str]) -> None:
    names = called(capsys, "models", "--names").out.split()
    assert {"local", "best", "up/big"} <= set(names)


SCHEMES = {
    "openai": "openai+{url}/v1",
    "responses": "openai-responses+{url}/v1",
    "anthropic": "anthropic+{url}",
    "ollama": "ollama+{url}",
    "gemini": "gemini+{url}",
}


@pytest.mark.parametrize("scheme", SCHEMES.values(), ids=SCHEMES.keys())
def test_an_endpoint_is_asked_what_it_has(
    scheme: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with gateway(parse(CONFIG, {})) as url:
        monkeypatch.setenv("LLM_GATE", scheme.format(url=url))
        said = called(capsys, "models", "gate")
        as_json = called(capsys, "models", "gate", "--json")
    assert said.out.split() == ["gate/best", "gate/up/big", "gate/up/small"]
    assert json.loads(as_json.out) == ["best", "up/big", "up/small"]


def test_the_embedded_models_are_known_without_asking(capsys: pytest.CaptureFixture[str]) -> None:
    assert called(capsys, "models", "local").out == "local/smollm2\n"


def test_an_endpoint_that_lists_nothing_is_said_so(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with DialectServer.in_thread("openai_chat", [Unauthorized("never asked")]) as server:
        monkeypatch.setenv("LLM_UP", f"openai+{server.url}/v1")
        (Path.cwd() / "majordomo.toml").unlink()
        said = called(capsys, "models", "up")
    assert said.code == 4
    assert "it lists no models" in said.err


def test_health_comes_from_the_gateway_that_runs(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with gateway(parse(CONFIG, {})) as url:
        port = url.rpartition(":")[2]
        (here / "majordomo.toml").write_text(CONFIG.replace("port = 1", f"port = {port}"))
        said = json.loads(called(capsys, "models", "--json").out)
    assert said["targets"] == {"up/big": "", "up/small": ""}  # nobody has failed yet


SERVED = Trace(
    id="aaa",
    at=1_700_000_000.0,
    door="anthropic",
    asked="best",
    spec="best",
    served="up/small",
    status=200,
    outcome="served",
    first=0.25,
    seconds=1.5,
    usage=Usage(input=10, output=20),
    attempts=(
        Attempt(target="up/big", started=0.0, ended=0.5, outcome="RateLimited", reason="slow"),
        Attempt(target="up/small", started=0.5, ended=1.5, outcome="served"),
    ),
    notes=(Note(kind="emulated", what="tools", why="it has none"),),
)
FAILED = Trace(
    id="bbb",
    at=1_700_000_001.0,
    door="ollama",
    asked="nobody",
    status=404,
    outcome="ModelNotFound",
    reason="unknown alias",
)


@pytest.fixture
def traces(here: Path) -> str:
    store = SqliteStore(here / "traces.db")
    store.save(SERVED)
    store.save(FAILED)
    store.close()
    return str(here / "traces.db")


def test_traces_are_listed_latest_first(traces: str, capsys: pytest.CaptureFixture[str]) -> None:
    first, second = called(capsys, "traces", "--file", traces).out.splitlines()
    assert "bbb" in first
    assert "nobody → ModelNotFound" in first
    assert "best → up/small after 2 tries" in second


def test_failures_can_be_had_alone(traces: str, capsys: pytest.CaptureFixture[str]) -> None:
    said = called(capsys, "traces", "--file", traces, "--failed", "--json")
    assert [json.loads(line)["id"] for line in said.out.splitlines()] == ["bbb"]


def test_one_trace_is_shown_whole(traces: str, capsys: pytest.CaptureFixture[str]) -> None:
    said = called(capsys, "traces", "aaa", "--file", traces).out
    for words in (
        "attempt     up/big 0.500 s RateLimited: slow",
        "attempt     up/small 1.000 s served",
        "note        emulated tools: it has none",
        "tokens      10 in, 20 out",
        "first byte  0.250 s",
    ):
        assert words in said
    assert "ModelNotFound: unknown alias" in called(capsys, "traces", "bbb", "--file", traces).out


def test_the_configuration_says_where_traces_are(
    here: Path, traces: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (here / "majordomo.toml").write_text(f"[gateway]\ntraces = '{traces}'\n")
    assert "aaa" in called(capsys, "traces").out


NO_TRACES: dict[str, tuple[tuple[str, ...], str]] = {
    "none are kept": ((), "no traces are kept: set `traces` under [gateway]"),
    "none were written": (("--file", "no.db"), "no gateway has written traces there yet"),
}


@pytest.mark.parametrize(("arguments", "said"), NO_TRACES.values(), ids=NO_TRACES.keys())
def test_no_traces_are_explained(
    arguments: tuple[str, ...], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    heard = called(capsys, "traces", *arguments)
    assert heard.code == 2
    assert said in heard.err


def test_a_trace_that_is_not_there_is_said(traces: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert "there is no trace 'zzz'" in called(capsys, "traces", "zzz", "--file", traces).err
