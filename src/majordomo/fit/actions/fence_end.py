"""The end of a fence, found or passed over to."""

import re

from .scan import blank, matched
from .tape import Pull, Tape

_FENCE = re.compile(r"`{3,}|~{3,}")


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
