"""Small readers over a tape that every form of call is made of."""

import re
from collections.abc import Callable

from .tags import MAX_TAG, Tag, tag_at
from .tape import Pull, Tape

_BLANK = re.compile(r"[\s,;\ufeff]*")
_SPACE = re.compile(r"\s*")
_HELD = 64  # how much of a tag may still be missing at the end of the text
NAME = re.compile(r"[A-Za-z_][\w.\-]{0,72}(?::\d{1,6})?")


def blank(tape: Tape) -> Pull[bool]:
    """Pass white space and separators; False at the end of the text."""
    return (yield from _pass(tape, _BLANK))


def space(tape: Tape) -> Pull[bool]:
    """Pass white space; False at the end of the text."""
    return (yield from _pass(tape, _SPACE))


def _pass(tape: Tape, pattern: re.Pattern[str]) -> Pull[bool]:
    while True:
        found = pattern.match(tape.text, tape.pos)
        tape.pos = found.end() if found else tape.pos
        if tape.pos < len(tape.text):
            return True
        if tape.ended:
            return False
        yield


def matched(tape: Tape, pattern: re.Pattern[str], reach: int) -> Pull[re.Match[str] | None]:
    """Match a pattern here once enough text is there to trust the answer."""
    while True:
        found = pattern.match(tape.text, tape.pos)
        settled = found is not None and max(found.end(), tape.pos + 1) < len(tape.text)
        if settled or tape.ended or len(tape.text) - tape.pos >= reach:
            return found
        yield


def tag(tape: Tape) -> Pull[Tag | None]:
    """Give the tag that stands here without taking it; wait until it is whole."""
    while True:
        found = tag_at(tape.text, tape.pos)
        if found is not None or tape.ended:
            return found
        here = tape.text[tape.pos : tape.pos + MAX_TAG]
        if len(here) >= MAX_TAG or ">" in here or (here.startswith("[") and "]" in here):
            return None
        yield


def until(
    tape: Tape, pattern: re.Pattern[str], accept: Callable[[re.Match[str]], Pull[bool]]
) -> Pull[str | None]:
    """Take text up to an accepted match and stop before it; None when the text ends first."""
    parts: list[str] = []
    while True:
        found = pattern.search(tape.text, tape.pos)
        if found is None:
            if tape.ended:
                return None
            keep = max(tape.pos, len(tape.text) - _HELD)
            parts.append(tape.text[tape.pos : keep])
            tape.pos = keep
            yield
            continue
        if found.end() >= len(tape.text) and not tape.ended:
            yield  # the match may yet grow
            continue
        parts.append(tape.text[tape.pos : found.start()])
        tape.pos = found.start()
        length = found.end() - found.start()
        if (yield from accept(found)):
            return "".join(parts)
        parts.append(tape.text[tape.pos : tape.pos + length])
        tape.pos += length
