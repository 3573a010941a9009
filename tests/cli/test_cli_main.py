"""The program as a whole: help, codes, speed of the start, completion, a first configuration."""

import subprocess
import sys
from pathlib import Path

import pytest

from majordomo.cli.completion import parser_of
from majordomo.cli.exit_code import MEANINGS, exit_code
from majordomo.cli.init import template
from majordomo.cli.main import COMMANDS
from majordomo.config.file import parse
from majordomo.contract import (
    ContextTooLong,
    Exhausted,
    Failure,
    InvalidRequest,
    QuotaExhausted,
    RateLimited,
    Unauthorized,
)
from support.command import called

LIGHT = """
import sys
from majordomo.cli.main import main
main(["--help"])
heavy = {"aiohttp", "asyncio", "msgspec", "ssl", "argparse", "majordomo.contract"}
found = sorted(heavy & set(sys.modules))
if found: raise SystemExit(f"loaded {found}")
"""


def test_help_loads_nothing_it_does_not_need() -> None:
    done = subprocess.run(
        [sys.executable, "-c", LIGHT], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    for name in COMMANDS:
        assert f"  {name} " in done.stdout


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_explains_itself(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    said = called(capsys, command, "--help")
    assert said.code == 0
    assert f"majordomo {command}" in said.out


def test_a_near_miss_is_pointed_out(capsys: pytest.CaptureFixture[str]) -> None:
    said = called(capsys, "aks")
    assert said.code == 2
    assert "there is no command 'aks'. Did you mean 'ask'?" in said.err


def test_the_version_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert called(capsys, "--version").out.startswith("majordomo ")


CODES: dict[str, tuple[Failure, int]] = {
    "the caller's": (InvalidRequest("no"), 2),
    "the key": (Unauthorized("no"), 3),
    "the money": (QuotaExhausted("no"), 3),
    "the target's": (ContextTooLong("no"), 4),
    "passing": (RateLimited("no"), 5),
    "everybody's": (Exhausted((), last=Unauthorized("no")), 3),
    "nobody's": (Exhausted(()), 5),
    "unsorted": (Failure("no"), 1),
}


@pytest.mark.parametrize(("failure", "code"), CODES.values(), ids=CODES.keys())
def test_an_exit_code_says_who_can_act(failure: Failure, code: int) -> None:
    assert exit_code(failure) == code
    assert code in MEANINGS


def test_a_first_configuration_is_written_once(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert called(capsys, "init").code == 0
    written = (here / "majordomo.toml").read_text()
    assert written == template()
    again = called(capsys, "init")
    assert again.code == 2
    assert "is there already" in again.err
    assert (here / "majordomo.toml").read_text() == written


def test_a_first_configuration_may_be_the_users_own(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert called(capsys, "init", "--user").code == 0
    assert (tmp_path / "home" / ".config" / "majordomo" / "majordomo.toml").is_file()


def test_the_first_configuration_is_right_as_it_is_and_with_everything_in_it() -> None:
    assert parse(template(), {}).gateway.port == 8484
    lines = template().splitlines()
    spoken = [_uncommented(line) for line in lines]
    full = parse("\n".join(spoken), {"BOX_KEY": "k"})
    assert full.default == "fast"
    assert set(full.providers) == {"box", "home"}
    assert full.gateway.keys[0].name == "ci"


def _uncommented(line: str) -> str:
    """Settings are commented out with a bare hash, explanations with a hash and a space."""
    return line[1:] if line.startswith("#") and not line.startswith("# ") else line


@pytest.mark.parametrize("command", COMMANDS)
def test_a_parser_can_be_had_of_every_command(command: str) -> None:
    assert parser_of(command).prog == f"majordomo {command}"
