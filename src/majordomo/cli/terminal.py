"""Colours, where somebody is looking: never into a file or a pipe, never against NO_COLOR."""

import os
from collections.abc import Mapping
from typing import Literal, TextIO, TypeAlias

Ink: TypeAlias = Literal["bold", "dim", "red", "green", "yellow", "cyan"]

_CODES: dict[Ink, int] = {"bold": 1, "dim": 2, "red": 31, "green": 32, "yellow": 33, "cyan": 36}


class Paint:
    """Gives text back in colour, or as it is."""

    def __init__(self, *, coloured: bool) -> None:
        self.coloured = coloured

    def __call__(self, text: str, *inks: Ink) -> str:
        if not self.coloured or not text:
            return text
        codes = ";".join(str(_CODES[ink]) for ink in inks)
        return f"\033[{codes}m{text}\033[0m"


def paint_for(stream: TextIO, environ: Mapping[str, str] = os.environ) -> Paint:
    """See https://no-color.org; a dumb terminal is asked for nothing either."""
    wanted = not environ.get("NO_COLOR") and environ.get("TERM") != "dumb"
    return Paint(coloured=wanted and stream.isatty())
