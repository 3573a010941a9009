# ruff: noqa: RUF001 -- full-width punctuation is among what models write
"""Calls in fences: ```` ```json action ````, plain ```` ```json ````, and their like."""

import re

from .bare import Bare
from .block import Block
from .draft import Trust
from .fence_end import end_of_fence
from .judge import Verdict, judge_value
from .scan import blank, matched, space
from .settle import NOTHING, Court, Outcome
from .tape import Pull
from .tolerant import Reader

_INFO = re.compile(r"(?:`+|~+)[ \t]{0,8}([^\n{\[`<]{0,80}?)[ \t]{0,8}(?=[\n{\[`<]|\Z)")
_ACTION_INFO = re.compile(
    r"\b(?:json[ _-]?)?(?:actions?|tools?|tool[_-]?calls?|tool[_-]?use|function[_-]?calls?|call)\b",
    re.IGNORECASE,
)
_PLAIN_INFO = re.compile(r"(?:json[c5l]?|jsonlines)?", re.IGNORECASE)
_PYTHON_INFO = re.compile(r"tool_code|python_tool|tool_python", re.IGNORECASE)
_NONCE = re.compile(r"\b[0-9a-f]{6,12}\b")
_TICKS = re.compile(r"`+|~+")


class Fence:
    """Reads one fenced block at a time."""

    def __init__(self, court: Court, bare: Bare, *, nonce: str) -> None:
        self._court = court
        self._bare = bare
        self._nonce = nonce

    def read(self, before: str) -> Pull[Outcome]:
        """Read ```` ```json action ````, ```` ```json ```` and their like."""
        tape = self._court.tape
        ticks = _TICKS.match(tape.text, tape.pos)
        length = len(ticks.group()) if ticks else 3
        info = yield from matched(tape, _INFO, 140)
        if info is None:
            return NOTHING
        words = info.group(1).strip()
        if _PYTHON_INFO.fullmatch(words) or _ACTION_INFO.search(words):
            if self._forged(words):
                return NOTHING
            vouched = bool(self._nonce) and self._nonce in words
            tape.pos = info.end()
            return (yield from self._action_fence(length, "" if vouched else before))
        if length > 3 or not _PLAIN_INFO.fullmatch(words):
            return NOTHING
        tape.pos = info.end()
        return (yield from self._plain_fence(length, before))

    def _forged(self, words: str) -> bool:
        """Say whether the block carries a nonce and it is not this request's."""
        written = _NONCE.search(words)
        return bool(self._nonce) and written is not None and written.group() != self._nonce

    def _action_fence(self, length: int, before: str) -> Pull[Outcome]:
        tape = self._court.tape
        if not (yield from space(tape)) or (yield from tape.starts("```")):
            return NOTHING
        block = Block(tape, self._court.offers, self._court.known)
        readable = yield from block.items()
        closed = yield from end_of_fence(self._court.tape, length, readable=readable)
        return self._court.settled(block, "fence", before, unclosed=not closed)

    def _plain_fence(self, length: int, before: str) -> Pull[Outcome]:
        """Read JSON that nobody marked as a call: all of it must be calls, and nothing else."""
        tape = self._court.tape
        verdicts: list[Verdict] = []
        while (yield from blank(tape)) and tape.text[tape.pos] != "`":
            if tape.text[tape.pos] in "]}" and verdicts:
                tape.pos += 1
                continue
            if not (yield from self._may_be_call()):
                return NOTHING
            reader = Reader()
            if not (yield from reader.read(tape)):
                return (yield from self._unread(reader, length, before))
            repairs = tuple(reader.repairs)
            found = judge_value(reader.value, self._court.offers, Trust.PLAIN, repairs)
            if not found:
                return NOTHING
            verdicts += found
        closed = yield from end_of_fence(tape, length, readable=True)
        return self._court.plainly(verdicts, "plain fence", before, unclosed=not closed)

    def _may_be_call(self) -> Pull[bool]:
        char = self._court.tape.text[self._court.tape.pos]
        if char == "\\":
            return True  # an object that was escaped whole
        while self._bare.undecided():
            yield
        return char in "{[｛［" and not self._bare.hopeless()

    def _unread(self, reader: Reader, length: int, before: str) -> Pull[Outcome]:
        if not self._court.callish():
            return NOTHING
        yield from end_of_fence(self._court.tape, length, readable=False)
        return self._court.broken(reader.fault, "plain fence", before, truncated=reader.truncated)
