"""Clients over a model with little room: which form is chosen, and what stays the user's."""

import json
import os
import stat
import sys
from pathlib import Path

import pytest

from majordomo.cli.clients import CLIENTS
from majordomo.cli.opening import open_registry
from majordomo.cli.small_form import INSTRUCTIONS, ROOM, choose, is_small, room_of
from majordomo.config.file import Settings
from majordomo.engine.target import Target
from support.command import started

ROOMS: dict[str, tuple[str, int | None]] = {
    "the embedded model": ("local", 8192),
    "any other file of that kind": ("local/some.gguf", 8192),
    "one that says so": ("tiny/x", 4096),
    "the roomiest of a chain": ("tiny/x,local", 8192),
    "one that says nothing": ("big/x", None),
    "one of a chain that says nothing": ("local,big/x", None),
}


@pytest.fixture
def dsns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LLM_TINY", "openai+http://127.0.0.1:9/v1?max_context=4096")
    monkeypatch.setenv("LLM_BIG", "openai+http://127.0.0.1:9/v1")


def targets(spec: str) -> tuple[Target, ...]:
    return open_registry(Settings()).parse(spec).targets


@pytest.mark.usefixtures("dsns")
@pytest.mark.parametrize(("spec", "room"), ROOMS.values(), ids=ROOMS.keys())
def test_the_room_of_a_spec_is_known_where_every_target_has_said_it(
    spec: str, room: int | None
) -> None:
    assert room_of(targets(spec)) == room


@pytest.mark.parametrize("client", CLIENTS)
def test_a_client_is_small_where_its_own_prompt_leaves_no_room_to_talk(client: str) -> None:
    prompt = CLIENTS[client].prompt
    assert is_small(8192, prompt)
    assert is_small(prompt + ROOM - 1, prompt)
    assert not is_small(prompt + ROOM, prompt)
    assert not is_small(16384, prompt)
    assert not is_small(None, prompt)


OUTPUT = "CLAUDE_CODE_MAX_OUTPUT_TOKENS"
PROMPT = ("--system-prompt", INSTRUCTIONS)
CLAUDE: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "nothing said": ((), ("--bare", "--tools=", *PROMPT)),
    "a prompt": (("-p", "Say hello."), ("--bare", "--tools=", *PROMPT)),
    "bare already": (("--bare", "-p", "x"), ("--tools=", *PROMPT)),
    "tools of the user's choice": (("--tools", "Bash", "-p", "x"), ("--bare", *PROMPT)),
    "the same in one word": (("--tools=Bash", "-p", "x"), ("--bare", *PROMPT)),
    "tools that are allowed are wanted": (("--allowedTools", "Bash"), ("--bare", *PROMPT)),
    "words of the user's own": (("--system-prompt=Rhyme.",), ("--bare", "--tools=")),
    "everything": (("--bare", "--tools", "", "--system-prompt-file", "x"), ()),
}


@pytest.mark.parametrize(("theirs", "ours"), CLAUDE.values(), ids=CLAUDE.keys())
def test_claude_is_told_what_the_user_has_not_settled(
    theirs: tuple[str, ...], ours: tuple[str, ...], tmp_path: Path
) -> None:
    chosen = choose(CLIENTS["claude"].small, theirs, {}, tmp_path)
    assert chosen.words == ours
    assert set(chosen.variables) == {OUTPUT}
    assert choose(CLIENTS["claude"].small, theirs, {OUTPUT: "9"}, tmp_path).variables == {}


SETTLED = {
    "as a setting": ("-c", "features.shell_tool=true"),
    "by name": ("--enable", "shell_tool"),
}


@pytest.mark.parametrize("theirs", SETTLED.values(), ids=SETTLED.keys())
def test_codex_keeps_the_features_the_user_names(theirs: tuple[str, ...], tmp_path: Path) -> None:
    small = CLIENTS["codex"].small
    assert "features.shell_tool=false" in choose(small, (), {}, tmp_path).words
    words = choose(small, theirs, {}, tmp_path).words
    assert "features.shell_tool=false" not in words
    assert "features.multi_agent=false" in words
    assert f'model_instructions_file="{tmp_path}/instructions.md"' in words
    assert (tmp_path / "instructions.md").read_text() == INSTRUCTIONS


def test_gemini_gets_defaults_that_its_users_settings_override(tmp_path: Path) -> None:
    chosen = choose(CLIENTS["gemini"].small, (), {"GEMINI_SYSTEM_MD": "mine.md"}, tmp_path)
    defaults = {"GEMINI_CLI_SYSTEM_DEFAULTS_PATH": str(tmp_path / "defaults.json")}
    assert (chosen.words, chosen.variables) == ((), defaults)
    assert json.loads((tmp_path / "defaults.json").read_text()) == {"tools": {"core": []}}


STAND_IN = """#!{python}
import json, sys
print(json.dumps(sys.argv[1:]))
"""


@pytest.mark.parametrize("refused", [(), ("--full",)], ids=["small", "full"])
@pytest.mark.usefixtures("dsns")
def test_the_small_form_is_said_and_can_be_refused(
    refused: tuple[str, ...], here: Path, tmp_path: Path
) -> None:
    program = tmp_path / "bin" / "claude"
    program.parent.mkdir()
    program.write_text(STAND_IN.format(python=sys.executable))
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    said = started(
        *("run", "claude", "-m", "tiny/x", *refused, "--", "-p", "hi"),
        cwd=here,
        environ={
            **os.environ,
            "PATH": f"{program.parent}{os.pathsep}{os.environ['PATH']}",
            "HOME": str(tmp_path / "home"),
        },
    )
    assert said.code == 0, said.err
    small = [] if refused else ["--bare", "--tools=", *PROMPT]
    assert json.loads(said.out) == ["--model", "tiny/x", *small, "-p", "hi"]
    assert ("room for 4096 tokens" in said.err) is not bool(refused)
    assert ("(--full before the -- keeps them)" in said.err) is not bool(refused)
