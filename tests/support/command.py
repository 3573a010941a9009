"""Commands of the program, called in this process or started as a user would."""

import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest
from msgspec import Struct

from majordomo.cli.main import main


class Said(Struct, frozen=True, kw_only=True):
    code: int
    out: str
    err: str


def called(capsys: pytest.CaptureFixture[str], *arguments: str) -> Said:
    """Call a command here; what argparse exits with is its code."""
    capsys.readouterr()
    try:
        code = main(arguments)
    except SystemExit as exit:
        code = exit.code if isinstance(exit.code, int) else 1
    said = capsys.readouterr()
    return Said(code=code, out=said.out, err=said.err)


def started(
    *arguments: str, cwd: Path, environ: Mapping[str, str], stdin: str = "", seconds: float = 60
) -> Said:
    """Start the program; it sees only the environment it is given."""
    done = subprocess.run(
        [sys.executable, "-m", "majordomo", *arguments],
        input=stdin,
        capture_output=True,
        text=True,
        cwd=cwd,
        env=dict(environ),
        timeout=seconds,
        check=False,
    )
    return Said(code=done.returncode, out=done.stdout, err=done.stderr)
