"""The end of a fence: found, passed over to, or still possible."""

import re
from functools import lru_cache

from .scan import blank, matched
from .tape import Pull, Tape

LONGEST_FENCE = 32
_FENCE = re.compile(r"`{3,}|~{3,}")
_STARTS = ("`", "~")


def end_of_fence(tape: Tape, length: int, *, readable: bool) -> Pull[bool]:
    """Take the closing fence; what cannot be read is passed over to find it."""
    if readable:
        if not (yield from blank(tape)):
            return False
        found = yield from matched(tape, _FENCE, length + 2)
        if found is not None:
            tape.pos = found.end()
        return found is not None
    closing = re.compile(rf"[ \t]*`{{{length},}}[ \t]*(?=\n|\Z)")
    while True:
        found = closing.match(tape.text, tape.pos)
        if found is not None and (found.end() < len(tape.text) or tape.ended):
            tape.pos = found.end()
            return True
        newline = tape.text.find("\n", tape.pos)
        if newline >= 0:
            tape.pos = newline + 1
        elif tape.ended:
            tape.pos = len(tape.text)
            return False
        else:
            yield


@lru_cache(maxsize=2 * LONGEST_FENCE)
def edges_of_code(fence: str) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Find what ends a block of code: its closing line, or an action where it has no language."""
    line = re.escape(fence)
    closing = re.compile(rf"\n[ \t>]*{line}{re.escape(fence[0])}*[ \t]*(?=\n|\Z)")
    return closing, re.compile(rf"\n(?={line}[ \t]*(?:json[ \t]+)?action)")


def safe_line(tape: Tape) -> int:
    """Find how far a fenced block may go out: not into a line that may close it."""
    line = tape.text.rfind("\n", tape.pos)
    if line < 0:
        return len(tape.text)
    tail = tape.text[line + 1 : line + 81].lstrip("> \t")
    may_close = len(tail) < 60 and (not tail or tail.startswith(_STARTS))
    return line if may_close else len(tape.text)
