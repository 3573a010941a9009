"""Completion in the shells themselves, where they are installed."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from majordomo.cli.completion import vocabulary
from majordomo.cli.main import COMMANDS
from support.command import called
from support.terminal import terminal


def test_completion_knows_every_command_and_option() -> None:
    words = vocabulary()
    assert list(words) == list(COMMANDS)
    assert {"-m", "--model", "--schema", "--json"} <= set(words["ask"].options)
    assert {"claude", "codex", "gemini"} <= set(words["run"].choices)
    assert "pull" in words["local"].choices


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_completion_script_is_one_the_shell_can_read(
    shell: str, capsys: pytest.CaptureFixture[str]
) -> None:
    script = called(capsys, "completion", shell).out
    for command in COMMANDS:
        assert command in script
    program = shutil.which(shell)
    if program is not None:
        subprocess.run([program, "-n"], input=script, text=True, check=True)


def test_bash_completes_commands_and_options(capsys: pytest.CaptureFixture[str]) -> None:
    bash = shutil.which("bash")
    if bash is None:
        pytest.skip("there is no bash")
    script = called(capsys, "completion", "bash").out

    def completed(*words: str) -> list[str]:
        line = " ".join(f"'{word}'" for word in words)
        ask = f"COMP_WORDS=({line}); COMP_CWORD={len(words) - 1}; _majordomo; "
        done = subprocess.run(
            [bash, "-c", f'{script}\n{ask} printf "%s\\n" "${{COMPREPLY[@]}}"'],
            capture_output=True,
            text=True,
            check=True,
        )
        return done.stdout.split()

    assert completed("majordomo", "do") == ["doctor"]
    assert completed("majordomo", "ask", "--sch") == ["--schema"]
    assert completed("majordomo", "run", "cl") == ["claude"]


# What is typed, and everything the shell offers for its last word.
OFFERED = {
    "a command": ("majordomo do", ["doctor"]),
    "an option": ("majordomo ask --sch", ["--schema"]),
    "a choice": ("majordomo run cl", ["claude"]),
    "a model": ("majordomo ask -m fa", ["fast"]),
    "a file": ("majordomo serve --tls-key se", ["secret.pem"]),
}


@pytest.fixture
def shelf(here: Path, tmp_path: Path) -> dict[str, str]:
    """Give an environment in which there is something to offer: an alias, a file, the program."""
    (here / "majordomo.toml").write_text('[aliases]\nfast = "openai/x"\n')
    (here / "secret.pem").touch()
    programs = tmp_path / "bin"
    programs.mkdir()
    program = programs / "majordomo"
    program.write_text(f'#!/bin/sh\nexec {sys.executable} -m majordomo "$@"\n')
    program.chmod(0o755)
    return {"PATH": f"{programs}{os.pathsep}{os.environ['PATH']}"}


@pytest.mark.parametrize(("line", "offered"), OFFERED.values(), ids=OFFERED.keys())
def test_fish_offers_what_may_come(
    line: str, offered: list[str], shelf: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    fish = shutil.which("fish")
    if fish is None:
        pytest.skip("there is no fish")
    script = called(capsys, "completion", "fish").out
    done = subprocess.run(
        [fish, "--no-config", "-c", f"{script}\ncomplete -C '{line}'"],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, **shelf},
    )
    assert [each.partition("\t")[0] for each in done.stdout.splitlines()] == offered


def test_zsh_offers_what_may_come(shelf: dict[str, str]) -> None:
    zsh = shutil.which("zsh")
    if zsh is None:
        pytest.skip("there is no zsh")
    with terminal([zsh, "-f", "-i"], shelf) as screen:
        screen.type("autoload -Uz compinit; compinit -u -D\n")
        # A key that shows the line as completion has left it, and empties it.
        screen.type(
            "show() { print -r -- \"<$BUFFER>\"; BUFFER= }; zle -N show; bindkey '^X' show\n"
        )
        screen.type("eval \"$(majordomo completion zsh)\"; print rea''dy\n")
        screen.until("ready")
        for line, (offered, *_) in OFFERED.values():
            screen.type(f"{line}\t")
            screen.type("\x18")
            screen.until(f"<{line.rpartition(' ')[0]} {offered} >")
