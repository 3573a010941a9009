"""What a person types: several lines where they say so, remembered for the next time."""

import os
import sys
from collections.abc import Generator, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

_MOST = 2000  # lines remembered
_BLOCK = '"""'


def lines(prompt: str) -> Iterator[str]:
    """Give each thing said, until the end of input. Ctrl-C drops what is being typed."""
    while True:
        try:
            text = _one(prompt)
        except EOFError:
            if prompt:
                sys.stdout.write("\n")
            return
        except KeyboardInterrupt:
            sys.stdout.write("\n")
            continue
        if text.strip():
            yield text.strip()


def _one(prompt: str) -> str:
    more = "… " if prompt else ""
    line = input(prompt)
    if line.strip() == _BLOCK:
        block: list[str] = []
        while (line := input(more)).strip() != _BLOCK:
            block.append(line)
        return "\n".join(block)
    gathered = [line]
    while gathered[-1].endswith("\\"):
        gathered[-1] = gathered[-1][:-1]
        gathered.append(input(more))
    return "\n".join(gathered)


@contextmanager
def history(environ: Mapping[str, str] = os.environ) -> Generator[None]:
    """Let the arrow keys bring back what was typed, today and before, where readline is there."""
    try:
        import readline  # noqa: PLC0415 -- changes how `input` reads; not on every system
    except ImportError:
        yield
        return
    path = history_file(environ)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        readline.read_history_file(path)
    except OSError:
        pass  # the first time, or a home that cannot be read: nothing to remember
    readline.set_history_length(_MOST)
    try:
        yield
    finally:
        try:
            readline.write_history_file(path)
            path.chmod(0o600)
        except OSError:
            pass


def history_file(environ: Mapping[str, str]) -> Path:
    """Say where it is kept: https://specifications.freedesktop.org/basedir/."""
    state = environ.get("XDG_STATE_HOME", "")
    return (Path(state) if state else Path.home() / ".local" / "state") / "majordomo" / "history"
