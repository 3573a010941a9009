# ruff: noqa: RUF001 -- full-width punctuation is among what models write
"""What comes of a possible call once it was read: calls, a broken one, or nothing."""

import re
from collections.abc import Callable

from msgspec import Struct

from .block import Block
from .context import shown
from .draft import Broken, Called, Draft, Piece, Prose, Trust
from .judge import Verdict, judge
from .names import Offers
from .shape import NAME_KEYS
from .tape import Tape

QUOTE = r"(?:[\"'“”`＂]|\\\"|&quot;)?"
_CALLISH = re.compile(rf"{QUOTE}(?:{'|'.join(NAME_KEYS)}){QUOTE}\s*[:：=]\s*{QUOTE}\s*([\w.-]+)")


class Outcome(Struct, frozen=True):
    pieces: tuple[Piece, ...] = ()
    unclosed: bool = False  # the fence around the call has not been closed yet


NOTHING = Outcome()


class Court:
    """The tape, the tools and the last word on what was read between mark and here."""

    def __init__(self, tape: Tape, offers: Offers, quoted: Callable[[str], bool] | None) -> None:
        self.tape = tape
        self.offers = offers
        self._quoted = quoted

    @property
    def known(self) -> frozenset[str]:
        return self.offers.keys

    def judged(self, draft: Draft, before: str) -> Outcome:
        return self.plainly([judge(draft, self.offers, Trust.PLAIN)], "react", before)

    def settled(self, block: Block, form: str, before: str, *, unclosed: bool = False) -> Outcome:
        """Give the calls of a marked block; what was meant as one and is none is broken."""
        raw = self.tape.since_mark()
        if self._is_text(raw, before):
            return Outcome((Prose(raw),))
        pieces = _pieces(block.verdicts, raw, form)
        if block.fault and not any(isinstance(piece, Called) for piece in pieces):
            pieces = [Broken(raw=raw, fault=block.fault, form=form, truncated=block.truncated)]
        elif block.fault and block.truncated:
            pieces.append(Broken(raw="", fault=block.fault, form=form, truncated=True))
        return Outcome(tuple(pieces), unclosed)

    def plainly(
        self, verdicts: list[Verdict], form: str, before: str, *, unclosed: bool = False
    ) -> Outcome:
        """Give the calls of plain JSON, if every one of them names a tool."""
        raw = self.tape.since_mark()
        if not verdicts:
            return NOTHING
        if self._is_text(raw, before):
            return Outcome((Prose(raw),))
        if any(verdict.fault and not verdict.name for verdict in verdicts):
            return NOTHING
        return Outcome(tuple(_pieces(verdicts, raw, form)), unclosed)

    def broken(self, fault: str, form: str, before: str, *, truncated: bool) -> Outcome:
        raw = self.tape.since_mark()
        if self._is_text(raw, before):
            return Outcome((Prose(raw),))
        fault = f"the JSON cannot be read: {fault}"
        return Outcome((Broken(raw=raw, fault=fault, form=form, truncated=truncated),))

    def _is_text(self, raw: str, before: str) -> bool:
        return shown(before) or (self._quoted is not None and self._quoted(raw))

    def callish(self) -> bool:
        """Say whether what could not be read at least begins like a call of an offered tool."""
        found = _CALLISH.search(self.tape.since_mark()[:400])
        return found is not None and self.offers.find(found.group(1)) is not None


def _pieces(verdicts: list[Verdict], raw: str, form: str) -> list[Piece]:
    """Give a piece for each call; the text of the block goes with the first that stands."""
    good = next((i for i, verdict in enumerate(verdicts) if not verdict.fault), 0)
    return [
        _piece(verdict, raw if index == good else "", form)
        for index, verdict in enumerate(verdicts)
    ]


def _piece(verdict: Verdict, raw: str, form: str) -> Piece:
    if verdict.fault:
        return Broken(raw=raw, fault=verdict.fault, form=form)
    return Called(
        name=verdict.name,
        arguments=verdict.arguments,
        raw=raw,
        form=form,
        repairs=verdict.repairs,
    )
