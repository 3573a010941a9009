# ruff: noqa: RUF001 -- full-width punctuation is among what models write
"""Calls behind a marker: tags of every make, `[TOOL_CALLS]`, channels."""

import re

from .block import Block
from .scan import matched, space, tag
from .settle import NOTHING, Court, Outcome
from .tags import Tag
from .tape import Pull

_CHANNEL = re.compile(r"[a-z]{0,16}\s{0,4}to=(?:functions\.)?([\w.-]{1,64})[^{]{0,80}(?=\{)")
_BARE_FENCE = re.compile(r"```(?=\n|\Z)")


class Marked:
    """Reads one marked block at a time."""

    def __init__(self, court: Court) -> None:
        self._court = court

    def read(self, before: str) -> Pull[Outcome]:
        """Read a block that begins with a marker."""
        tape = self._court.tape
        opening = yield from tag(tape)
        if opening is None or opening.close:
            return NOTHING
        offered = self._court.offers.exact(opening.written) is not None
        if not offered and opening.role not in {"wrapper", "element", "channel"}:
            return NOTHING
        tape.pos = opening.end
        block = Block(tape, self._court.offers, self._court.known)
        readable = yield from self._tagged(block, opening, offered=offered)
        if not readable and not block.verdicts and not self._evident(opening):
            return NOTHING
        if readable or block.verdicts:
            yield from self._closers()
        else:
            yield from self._past(opening)
        if offered and all(verdict.fault for verdict in block.verdicts):
            return NOTHING  # markup that happens to share a tool's name
        return self._court.settled(block, "tag", before)

    def _tagged(self, block: Block, opening: Tag, *, offered: bool) -> Pull[bool]:  # noqa: PLR0911 -- one for each form
        if opening.role == "channel":
            found = yield from matched(self._court.tape, _CHANNEL, 200)
            if found is None:
                return False
            self._court.tape.pos = found.end()
            return (yield from block.arguments(found.group(1))) is not False
        if opening.role == "element" and not opening.value and not offered:
            if (
                not (yield from space(self._court.tape))
                or self._court.tape.text[self._court.tape.pos] != "<"
            ):
                return False
            return (yield from block.nameless(opening))
        if offered:
            return (yield from block.tool_element(opening))
        if opening.value:
            return (yield from block.element(opening))
        return (yield from block.items())

    def _evident(self, opening: Tag) -> bool:
        """Say whether a call was begun behind the marker, or the marker only mentioned."""
        body = self._court.tape.since_mark()
        start = body.find(opening.written) + len(opening.written)
        return any(name in body[start:] for name in self._court.offers.names) or bool(
            re.search(r"^[^\n]{0,20}>\s*[{\[]\s*[{\"']", body[start:])
        )

    def _closers(self) -> Pull[None]:
        """Take every closing marker that follows a call."""
        tape = self._court.tape
        while True:
            here = tape.at
            if not (yield from space(tape)):
                return
            found = None
            if tape.text[tape.pos] in "<[":
                found = yield from tag(tape)
            if found is not None and (found.role == "end" or (found.close and found.role)):
                tape.pos = found.end
                continue
            partial = re.compile(r"</?\s*[\w:]{0,16}\Z").match(tape.text, tape.pos)
            if partial is not None and tape.ended and tape.text[tape.pos : tape.pos + 2] == "</":
                tape.pos = len(tape.text)  # a closing tag that was cut off
                return
            if tape.text[tape.pos] == "`" and (yield from matched(tape, _BARE_FENCE, 8)):
                tape.pos += 3
                continue
            tape.rewind(here)
            return

    def _past(self, opening: Tag) -> Pull[None]:
        """Pass over a block that cannot be read: to its end, or to where the next begins."""
        tape = self._court.tape
        word = re.escape(opening.written)
        edge = re.compile(
            rf"</[|｜]?(?:[\w-]+:)?{word}[^>]{{0,20}}>|<[|｜]?{word}[=|｜\s>]", re.IGNORECASE
        )
        while True:
            found = edge.search(tape.text, tape.pos)
            if found is not None:
                closing = found.group().startswith("</")
                tape.pos = found.end() if closing else found.start()
                return
            tape.pos = len(tape.text) if tape.ended else max(tape.pos, len(tape.text) - 64)
            if tape.ended:
                return
            yield
