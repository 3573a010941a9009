"""Calls as ReAct agents write them: `Action: Read`, `Action Input: {...}`."""

import re

from .bare import Bare
from .draft import Draft
from .fence_end import end_of_fence
from .scan import matched, space
from .settle import NOTHING, Court, Outcome
from .tape import Pull
from .tolerant import Reader

_REACT = re.compile(r"Action(?:[ ]?\d{1,3})?\*{0,3}[ ]?:\*{0,3}[ \t]{0,8}([^\n]{1,120})\n")
_INPUT = re.compile(
    r"\s{0,20}\*{0,3}(?:Action[ ]?\d{0,3}[ _]?Input|Input|Arguments|Parameters)"
    r"\*{0,3}[ ]?:\*{0,3}[ \t]{0,8}"
)
_LABEL = re.compile(r"json action[ \t]{0,4}:?\s{0,8}(?=[{\[])")
_OPENING = re.compile(r"```[a-z]{0,8}\s{0,4}")
_REACH = 160


class React:
    """Reads an action in labelled lines, or one that only a label marks."""

    def __init__(self, court: Court, bare: Bare) -> None:
        self._court = court
        self._bare = bare

    def read(self, before: str) -> Pull[Outcome]:
        """Read `Action: Read` and `Action Input: {...}`, or `json action {...}` without a fence."""
        tape = self._court.tape
        if tape.text[tape.pos] == "j":
            return (yield from self._labelled(before))
        action = yield from matched(tape, _REACT, _REACH)
        if action is None:
            return NOTHING
        name = action.group(1).strip().strip("`*\"'[]")
        offer = self._court.offers.find(name)
        if offer is None:
            return NOTHING
        tape.pos = action.end()
        heading = yield from matched(tape, _INPUT, 72)
        if heading is None:
            return NOTHING
        tape.pos = heading.end()
        return (yield from self._react_input(offer.name, before))

    def _react_input(self, name: str, before: str) -> Pull[Outcome]:
        tape = self._court.tape
        if not (yield from space(tape)):
            return self._court.judged(Draft(name=name, arguments={}), before)
        fenced = yield from matched(tape, _OPENING, 24)
        if fenced is not None:
            tape.pos = fenced.end()
        if tape.text[tape.pos : tape.pos + 1] in {"{", "["}:
            reader = Reader()
            if not (yield from reader.read(tape)):
                return self._court.broken(reader.fault, "react", before, truncated=reader.truncated)
            if fenced is not None:
                yield from end_of_fence(self._court.tape, 3, readable=True)
            return self._court.judged(Draft(name=name, arguments=reader.value), before)
        while (newline := tape.text.find("\n", tape.pos)) < 0 and not tape.ended:
            yield
        end = newline if newline >= 0 else len(tape.text)
        text = tape.text[tape.pos : end].strip().strip("\"'`")
        tape.pos = end
        return self._court.judged(Draft(name=name, arguments=text, loose=True), before)

    def _labelled(self, before: str) -> Pull[Outcome]:
        label = yield from matched(self._court.tape, _LABEL, 32)
        if label is None:
            return NOTHING
        self._court.tape.pos = label.end()
        return (yield from self._bare.read(before))
