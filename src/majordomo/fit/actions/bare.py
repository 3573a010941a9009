# ruff: noqa: RUF001 -- full-width punctuation is among what models write
"""Calls that nothing marks: an object, a list of them, or Python, in the prose itself."""

import re

from .context import announced, lone
from .draft import Trust
from .judge import Verdict, judge, judge_value
from .pythonic import read_call
from .scan import blank
from .settle import NOTHING, QUOTE, Court, Outcome
from .shape import FIRST_KEYS, NAME_KEYS
from .tape import Pull
from .tolerant import Reader

_FIRST = re.compile(rf"[{{｛]\s*(?:\\n\s*)*[{{｛]?\s*{QUOTE}\s*([\w$.-]+)")
_NAMED = re.compile(
    rf"[{{｛]\s*[\"'“＂]?(?:{'|'.join(NAME_KEYS)})[\"'”＂]?\s*[:：]\s*[\"'“＂]([^\"'“”＂\\\n]{{0,80}})[\"'”＂]"
)
_LIST_FIRST = re.compile(r"\[\s*(?:[{｛\]]|([A-Za-z_][\w.\-]*)\s*\()")
_LIST_STARTS = re.compile(r"\[\s*[A-Za-z_]?[\w.\-]*\s*\Z")
_STARTS = re.compile(r"(?:[{｛\s\"'“”`＂\\n]|&(?:q(?:u(?:o(?:t;?)?)?)?)?)*")
_BEHIND = re.compile(r"[ \t\]})\.;]*")
_REACH = 160


class Bare:
    """Reads one unmarked call at a time."""

    def __init__(self, court: Court) -> None:
        self._court = court
        self._firsts = FIRST_KEYS | set(court.offers.names)

    def hopeless(self, pos: int | None = None) -> bool:
        """Say at once that what opens here cannot be a call: most braces are not."""
        text = self._court.tape.text
        pos = self._court.tape.pos if pos is None else pos
        if text[pos] == "[":
            return self._hopeless_list(text, pos)
        found = _FIRST.match(text, pos)
        if found is None:
            here = text[pos : pos + _REACH]
            return len(here) >= _REACH or _STARTS.fullmatch(here) is None
        if found.end() >= len(text):
            return not any(key.startswith(found.group(1)) for key in self._firsts)
        return found.group(1) not in self._firsts or self._names_another(text, pos)

    def _names_another(self, text: str, pos: int) -> bool:
        """Say whether the object begins with the name of something that is no tool."""
        found = _NAMED.match(text, pos)
        return found is not None and self._court.offers.find(found.group(1)) is None

    def _hopeless_list(self, text: str, pos: int) -> bool:
        found = _LIST_FIRST.match(text, pos)
        if found is None:
            here = text[pos : pos + _REACH]
            return len(here) >= _REACH or _LIST_STARTS.match(here) is None
        return found.group(1) is not None and self._court.offers.exact(found.group(1)) is None

    def read(self, before: str) -> Pull[Outcome]:
        """Read an object or a list that stands in the prose itself."""
        tape = self._court.tape
        while self.undecided():
            yield
        if self.hopeless():
            return NOTHING
        found = _LIST_FIRST.match(tape.text, tape.pos)
        if found is not None and found.group(1):
            return (yield from self._pythonic(before))
        return (yield from self._objects(before))

    def _objects(self, before: str) -> Pull[Outcome]:
        tape = self._court.tape
        verdicts: list[Verdict] = []
        more = True
        while more:
            reader = Reader()
            if not (yield from reader.read(tape)):
                if verdicts or not self._court.callish():
                    return NOTHING
                return self._court.broken(reader.fault, "bare", before, truncated=reader.truncated)
            repairs = tuple(reader.repairs)
            judged = judge_value(reader.value, self._court.offers, Trust.PLAIN, repairs)
            verdicts += judged
            more = bool(judged) and (yield from self._another())
            if not judged:
                return NOTHING
        whole_line = yield from self._line_ends()
        lead = before.rpartition("\n")[2]
        if not announced(lead) or not (whole_line or lone(lead)):
            return NOTHING  # a sentence goes on around it: it is mentioned, not made
        return self._court.plainly(verdicts, "bare", before)

    def undecided(self) -> bool:
        tape = self._court.tape
        if tape.ended or len(tape.text) - tape.pos > _REACH or tape.text[tape.pos] == "\\":
            return False
        if self.hopeless():
            return False
        found = (_LIST_FIRST if tape.text[tape.pos] == "[" else _FIRST).match(tape.text, tape.pos)
        return found is None or found.end() >= len(tape.text)

    def _another(self) -> Pull[bool]:
        """See whether one more object follows, with nothing but a comma between."""
        tape = self._court.tape
        here = tape.at
        if (yield from blank(tape)) and tape.text[tape.pos] in "{｛":
            while self.undecided():
                yield
            if not self.hopeless():
                return True
        tape.rewind(here)
        return False

    def _line_ends(self) -> Pull[bool]:
        """Take stray brackets behind the object and see whether its line ends there."""
        tape = self._court.tape
        while True:
            found = _BEHIND.match(tape.text, tape.pos)
            end = found.end() if found else tape.pos
            if end < len(tape.text) or tape.ended:
                tape.pos = end
                return end >= len(tape.text) or tape.text[end] in "\n<"
            yield

    def _pythonic(self, before: str) -> Pull[Outcome]:
        tape = self._court.tape
        tape.pos += 1
        verdicts: list[Verdict] = []
        while (yield from blank(tape)) and tape.text[tape.pos] != "]":
            draft, _ = yield from read_call(tape, self._court.offers)
            if draft is None or self._court.offers.exact(draft.name) is None:
                return NOTHING
            verdicts.append(judge(draft, self._court.offers, Trust.PLAIN))
        if tape.pos >= len(tape.text) or not verdicts:
            return NOTHING
        tape.pos += 1
        if not (yield from self._line_ends()):
            return NOTHING
        return self._court.plainly(verdicts, "python", before)
