# ruff: noqa: RUF001 -- full-width punctuation is among what models write
"""JSON inside a string: arguments that were written as text."""

import html

from majordomo.contract import Json

from .tape import Tape
from .tolerant import Reader


def read_text(text: str) -> Json:
    """Read a whole text as one JSON value, tolerantly; None when it is none."""
    stripped = text.strip()
    if not stripped:
        return None
    if stripped[0] not in "{[\"'｛［&\\":
        return None
    if stripped.startswith(("{&quot;", "[&quot;")):
        stripped = html.unescape(stripped)
    tape = Tape()
    tape.feed(stripped)
    tape.ended = True
    reader = Reader()
    for _ in reader.read(tape):
        pass
    rest = tape.text[tape.pos :].strip()
    return None if reader.fault or rest.strip("}]") else reader.value
