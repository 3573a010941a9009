"""Where in a TOML text a setting stands: the parser tells names, people look for lines."""

import re
from collections.abc import Iterator
from typing import TypeAlias

Path: TypeAlias = tuple[str, ...]  # `gateway.keys[0].name` is ("gateway", "keys", "[0]", "name")

_NAME = r"(?:\"[^\"]*\"|'[^']*'|[\w-]+)"
_DOTTED = rf"{_NAME}(?:\s*\.\s*{_NAME})*"
_HEADER = re.compile(rf"\s*(\[\[?)\s*({_DOTTED})\s*\]")
_SETTING = re.compile(rf"\s*({_DOTTED})\s*=")
_STEP = re.compile(r"\[[^\]]*\]|[^.\[]+")


def path_of(written: str) -> Path:
    """Read a place as an error message writes it: `gateway.keys[0].name`."""
    return tuple(_STEP.findall(written))


def line_of(text: str, path: Path) -> int:
    """Give the line of the setting, or of the innermost thing around it that has a line."""
    best, line = 0, 1
    for number, found in _places(text):
        shared = _shared(found, path)
        if shared > best:
            best, line = shared, number
    return line


def _places(text: str) -> Iterator[tuple[int, Path]]:
    here: Path = ()
    seen: dict[Path, int] = {}  # how many tables of each [[array]] there were
    for number, line in enumerate(text.splitlines(), 1):
        if header := _HEADER.match(line):
            here = _names(header[2])
            if header[1] == "[[":
                index = seen.get(here, 0)
                seen[here] = index + 1
                here = (*here, f"[{index}]")
            yield number, here
        elif setting := _SETTING.match(line):
            yield number, (*here, *_names(setting[1]))


def _names(dotted: str) -> Path:
    return tuple(name.strip("\"'") for name in re.findall(_NAME, dotted))


def _shared(one: Path, other: Path) -> int:
    count = 0
    for mine, theirs in zip(one, other, strict=False):
        if mine != theirs:
            break
        count += 1
    return count
