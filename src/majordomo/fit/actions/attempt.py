"""One possible opening, read as the call it may be: taken whole, reported broken, or given back."""

import re
from collections.abc import Callable

from msgspec import Struct

from .block import Block
from .context import announced, lone, shown
from .draft import Broken, Called, Draft, Piece, Trust
from .judge import Verdict, judge, judge_value
from .names import Offers
from .pythonic import read_call
from .scan import blank, matched, space, tag
from .shape import FIRST_KEYS, NAME_KEYS
from .tags import Tag
from .tape import Pull, Tape
from .tolerant import Reader

_INFO = re.compile(r"(?:`+|~+)[ \t]*([^\n{\[`<]{0,80}?)[ \t]*(?=[\n{\[`<]|\Z)")
_ACTION_INFO = re.compile(
    r"\b(?:json[ _-]?)?(?:action|tool|tools|tool[_-]?calls?|function[_-]?calls?|tool[_-]?use|call)\b",
    re.IGNORECASE,
)
_PLAIN_INFO = re.compile(r"(?:json[c5l]?|jsonlines)?", re.IGNORECASE)
_PYTHON_INFO = re.compile(r"tool_code|python_tool|tool_python", re.IGNORECASE)
_NONCE = re.compile(r"\b[0-9a-f]{6,12}\b")
_QUOTE = r"(?:[\"'“”`＂]|\\\"|&quot;)?"
_FIRST = re.compile(rf"[{{｛]\s*(?:\\n\s*)*[{{｛]?\s*{_QUOTE}\s*([\w$.-]+)")
_CALLISH = re.compile(rf"{_QUOTE}(?:{'|'.join(NAME_KEYS)}){_QUOTE}\s*[:：=]\s*{_QUOTE}\s*([\w.-]+)")
_LIST_FIRST = re.compile(r"\[\s*(?:[{｛\]]|([A-Za-z_][\w.\-]*)\s*\()")
_REACT = re.compile(r"Action(?:[ ]?\d+)?\**[ ]?:\**[ \t]*([^\n]{1,120})\n")
_REACT_INPUT = re.compile(
    r"\s*\**(?:Action[ ]?\d*[ _]?Input|Input|Arguments|Parameters)\**[ ]?:\**[ \t]*"
)
_LABEL = re.compile(r"json action[ \t]*:?\s*(?=[{\[｛])")
_BARE_FENCE = re.compile(r"```(?=\n|\Z)")
_BEHIND = re.compile(r"[ \t\]})\.;]*")
_REACH = 160


class Outcome(Struct, frozen=True):
    pieces: tuple[Piece, ...] = ()
    unclosed: bool = False  # the fence around the call has not been closed yet


NOTHING = Outcome()


class Attempt:
    """Reads one kind of opening at a time off the tape it shares with the finder."""

    def __init__(
        self,
        tape: Tape,
        offers: Offers,
        *,
        nonce: str,
        quoted: Callable[[str], bool] | None,
    ) -> None:
        self._tape = tape
        self._offers = offers
        self._nonce = nonce
        self._quoted = quoted
        self._known = offers.keys | FIRST_KEYS
        self._firsts = FIRST_KEYS | set(offers.names)

    def hopeless(self, pos: int | None = None) -> bool:
        """Say at once that what opens here cannot be a call: most braces are not."""
        text = self._tape.text
        if pos is None:
            pos = self._tape.pos
        if text[pos] == "[":
            found = _LIST_FIRST.match(text, pos)
            if found is None:
                return (
                    len(text) - pos > _REACH
                    or re.match(r"\[\s*[A-Za-z_]?[\w.\-]*\s*\Z", text[pos : pos + _REACH]) is None
                )
            return found.group(1) is not None and self._offers.exact(found.group(1)) is None
        found = _FIRST.match(text, pos)
        if found is None:
            return (
                len(text) - pos > _REACH
                or re.fullmatch(r"[{｛\s\"'“”`＂\\n&quot;]*", text[pos : pos + _REACH]) is None
            )
        if found.end() >= len(text):
            return not any(key.startswith(found.group(1)) for key in self._firsts)
        return found.group(1) not in self._firsts

    # -- fences

    def fence(self, before: str) -> Pull[Outcome]:
        """Read ```` ```json action ````, ```` ```json ```` and their like."""
        tape = self._tape
        ticks = re.compile(r"`+|~+").match(tape.text, tape.pos)
        length = len(ticks.group()) if ticks else 3
        info = yield from matched(tape, _INFO, 100)
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
        tape = self._tape
        if not (yield from space(tape)) or (yield from tape.starts("```")):
            return NOTHING
        block = Block(tape, self._offers, self._known)
        readable = yield from block.items()
        closed = yield from self._end_of_fence(length, readable=readable)
        return self._settled(block, "fence", before, unclosed=not closed)

    def _plain_fence(self, length: int, before: str) -> Pull[Outcome]:
        """Read JSON that nobody marked as a call: all of it must be calls, and nothing else."""
        tape = self._tape
        verdicts: list[Verdict] = []
        while (yield from blank(tape)):
            if tape.text[tape.pos] == "`":
                break
            if tape.text[tape.pos] in "]}" and verdicts:
                tape.pos += 1
                continue
            if tape.text[tape.pos] not in "{[｛［\\":
                return NOTHING
            while self._undecided():
                yield
            if tape.text[tape.pos] != "\\" and self.hopeless():
                return NOTHING
            reader = Reader()
            start = tape.at
            if not (yield from reader.read(tape)):
                return (yield from self._unread(reader, start, length, before))
            found = judge_value(reader.value, self._offers, Trust.PLAIN, tuple(reader.repairs))
            if not found:
                return NOTHING
            verdicts += found
        closed = yield from self._end_of_fence(length, readable=True)
        return self._plainly(verdicts, "plain fence", before, unclosed=not closed)

    def _unread(self, reader: Reader, start: int, length: int, before: str) -> Pull[Outcome]:
        if not self._callish(start):
            return NOTHING
        yield from self._end_of_fence(length, readable=False)
        return self._broken(reader.fault, "plain fence", before, truncated=reader.truncated)

    def _end_of_fence(self, length: int, *, readable: bool) -> Pull[bool]:
        """Take the closing fence; what cannot be read is passed over to find it."""
        tape = self._tape
        closing = re.compile(rf"[ \t]*`{{{length},}}[ \t]*(?=\n|\Z)")
        if readable:
            if not (yield from blank(tape)):
                return False
            found = yield from matched(tape, re.compile(rf"`{{3,}}|~{{3,}}"), length + 2)
            if found is not None:
                tape.pos = found.end()
            return found is not None
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

    # -- tags

    def tag(self, before: str) -> Pull[Outcome]:
        """Read a block that begins with a marker."""
        tape = self._tape
        opening = yield from tag(tape)
        if opening is None or opening.close:
            return NOTHING
        offered = self._offers.exact(opening.written) is not None
        if not offered and opening.role not in {"wrapper", "element", "channel"}:
            return NOTHING
        tape.pos = opening.end
        block = Block(tape, self._offers, self._known)
        readable = yield from self._tagged(block, opening, offered=offered)
        if not readable and not block.verdicts and not self._evident(opening):
            return NOTHING
        if readable or block.verdicts:
            yield from self._closers()
        else:
            yield from self._past(opening)
        if offered and all(verdict.fault for verdict in block.verdicts):
            return NOTHING  # markup that happens to share a tool's name
        return self._settled(block, "tag", before)

    def _tagged(self, block: Block, opening: Tag, *, offered: bool) -> Pull[bool]:
        if opening.role == "channel":
            found = yield from matched(
                self._tape,
                re.compile(r"[a-z]*\s*to=(?:functions\.)?([\w.-]+)[^{]{0,80}(?=\{)"),
                200,
            )
            if found is None:
                return False
            self._tape.pos = found.end()
            return (yield from block.arguments(found.group(1)))
        if opening.role == "element" and not opening.value and not offered:
            if not (yield from space(self._tape)) or self._tape.text[self._tape.pos] != "<":
                return False
            return (yield from block.nameless(opening))
        if offered:
            return (yield from block.tool_element(opening))
        if opening.value:
            return (yield from block.element(opening))
        return (yield from block.items())

    def _evident(self, opening: Tag) -> bool:
        """Say whether a call was begun behind the marker, or the marker only mentioned."""
        body = self._tape.since_mark()
        start = body.find(opening.written) + len(opening.written)
        return any(name in body[start:] for name in self._offers.names) or bool(
            re.search(r"^[^\n]{0,20}>\s*[{\[]\s*[{\"']", body[start:])
        )

    def _closers(self) -> Pull[None]:
        """Take every closing marker that follows a call."""
        tape = self._tape
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
        tape = self._tape
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

    # -- JSON and Python that nothing marks

    def bare(self, before: str) -> Pull[Outcome]:
        """Read an object or a list that stands in the prose itself."""
        tape = self._tape
        while self._undecided():
            yield
        if self.hopeless():
            return NOTHING
        found = _LIST_FIRST.match(tape.text, tape.pos)
        if found is not None and found.group(1):
            return (yield from self._pythonic(before))
        verdicts: list[Verdict] = []
        start = tape.at
        while True:
            reader = Reader()
            if not (yield from reader.read(tape)):
                if verdicts or not self._callish(start):
                    return NOTHING
                return self._broken(reader.fault, "bare", before, truncated=reader.truncated)
            judged = judge_value(reader.value, self._offers, Trust.PLAIN, tuple(reader.repairs))
            if not judged:
                return NOTHING
            verdicts += judged
            if not (yield from self._another()):
                break
        whole_line = yield from self._line_ends()
        lead = before.rpartition("\n")[2]
        if not announced(lead) or not (whole_line or lone(lead)):
            return NOTHING  # a sentence goes on around it: it is mentioned, not made
        return self._plainly(verdicts, "bare", before)

    def _undecided(self) -> bool:
        tape = self._tape
        if tape.ended or len(tape.text) - tape.pos > _REACH or tape.text[tape.pos] == "\\":
            return False
        if self.hopeless():
            return False
        found = (_LIST_FIRST if tape.text[tape.pos] == "[" else _FIRST).match(tape.text, tape.pos)
        return found is None or found.end() >= len(tape.text)

    def _another(self) -> Pull[bool]:
        """See whether one more object follows, with nothing but a comma between."""
        tape = self._tape
        here = tape.at
        if (yield from blank(tape)) and tape.text[tape.pos] in "{｛":
            while self._undecided():
                yield
            if not self.hopeless():
                return True
        tape.rewind(here)
        return False

    def _line_ends(self) -> Pull[bool]:
        """Take stray brackets behind the object and see whether its line ends there."""
        tape = self._tape
        while True:
            found = _BEHIND.match(tape.text, tape.pos)
            end = found.end() if found else tape.pos
            if end < len(tape.text) or tape.ended:
                tape.pos = end
                return end >= len(tape.text) or tape.text[end] in "\n<"
            yield

    def _pythonic(self, before: str) -> Pull[Outcome]:
        tape = self._tape
        tape.pos += 1
        verdicts: list[Verdict] = []
        while (yield from blank(tape)) and tape.text[tape.pos] != "]":
            draft, _ = yield from read_call(tape, self._offers)
            if draft is None or self._offers.exact(draft.name) is None:
                return NOTHING
            verdicts.append(judge(draft, self._offers, Trust.PLAIN))
        if tape.pos >= len(tape.text) or not verdicts:
            return NOTHING
        tape.pos += 1
        if not (yield from self._line_ends()):
            return NOTHING
        return self._plainly(verdicts, "python", before)

    # -- ReAct

    def react(self, before: str) -> Pull[Outcome]:
        """Read `Action: Read` and `Action Input: {...}`, or `json action {...}` without a fence."""
        tape = self._tape
        if tape.text[tape.pos] == "j":
            return (yield from self._labelled(before))
        action = yield from matched(tape, _REACT, _REACH)
        if action is None:
            return NOTHING
        name = action.group(1).strip().strip("`*\"'[]")
        offer = self._offers.find(name)
        if offer is None:
            return NOTHING
        tape.pos = action.end()
        heading = yield from matched(tape, _REACT_INPUT, 64)
        if heading is None:
            return NOTHING
        tape.pos = heading.end()
        return (yield from self._react_input(offer.name, before))

    def _react_input(self, name: str, before: str) -> Pull[Outcome]:
        tape = self._tape
        if not (yield from space(tape)):
            return self._judged(Draft(name=name, arguments={}), before)
        fenced = yield from matched(tape, re.compile(r"```[a-z]*\s*"), 16)
        if fenced is not None:
            tape.pos = fenced.end()
        if tape.text[tape.pos : tape.pos + 1] in {"{", "["}:
            reader = Reader()
            if not (yield from reader.read(tape)):
                return self._broken(reader.fault, "react", before, truncated=reader.truncated)
            if fenced is not None:
                yield from self._end_of_fence(3, readable=True)
            return self._judged(Draft(name=name, arguments=reader.value), before)
        while (newline := tape.text.find("\n", tape.pos)) < 0 and not tape.ended:
            yield
        end = newline if newline >= 0 else len(tape.text)
        text = tape.text[tape.pos : end].strip().strip("\"'`")
        tape.pos = end
        return self._judged(Draft(name=name, arguments=text, loose=True), before)

    def _labelled(self, before: str) -> Pull[Outcome]:
        label = yield from matched(self._tape, _LABEL, 24)
        if label is None:
            return NOTHING
        self._tape.pos = label.end()
        return (yield from self.bare(before))

    # -- what comes of it

    def _judged(self, draft: Draft, before: str) -> Outcome:
        return self._plainly([judge(draft, self._offers, Trust.PLAIN)], "react", before)

    def _settled(self, block: Block, form: str, before: str, *, unclosed: bool = False) -> Outcome:
        """Give the calls of a marked block; what was meant as one and is none is broken."""
        raw = self._tape.since_mark()
        if self._is_text(raw, before):
            return NOTHING
        pieces = _pieces(block.verdicts, raw, form)
        if block.fault and not any(isinstance(piece, Called) for piece in pieces):
            pieces = [Broken(raw=raw, fault=block.fault, form=form, truncated=block.truncated)]
        elif block.fault and block.truncated:
            pieces.append(Broken(raw="", fault=block.fault, form=form, truncated=True))
        return Outcome(tuple(pieces), unclosed)

    def _plainly(
        self, verdicts: list[Verdict], form: str, before: str, *, unclosed: bool = False
    ) -> Outcome:
        """Give the calls of plain JSON, if every one of them names a tool."""
        raw = self._tape.since_mark()
        if not verdicts or self._is_text(raw, before):
            return NOTHING
        if any(verdict.fault and not verdict.name for verdict in verdicts):
            return NOTHING
        return Outcome(tuple(_pieces(verdicts, raw, form)), unclosed)

    def _broken(self, fault: str, form: str, before: str, *, truncated: bool) -> Outcome:
        raw = self._tape.since_mark()
        if self._is_text(raw, before):
            return NOTHING
        fault = f"the JSON cannot be read: {fault}"
        return Outcome((Broken(raw=raw, fault=fault, form=form, truncated=truncated),))

    def _is_text(self, raw: str, before: str) -> bool:
        return shown(before) or (self._quoted is not None and self._quoted(raw))

    def _callish(self, start: int) -> bool:
        """Say whether what could not be read at least begins like a call of an offered tool."""
        del start
        found = _CALLISH.search(self._tape.since_mark()[:400])
        return found is not None and self._offers.find(found.group(1)) is not None


def _pieces(verdicts: list[Verdict], raw: str, form: str) -> list[Piece]:
    pieces: list[Piece] = []
    for verdict in verdicts:
        if verdict.fault:
            pieces.append(Broken(raw=raw, fault=verdict.fault, form=form))
        else:
            pieces.append(
                Called(
                    name=verdict.name,
                    arguments=verdict.arguments,
                    raw=raw,
                    form=form,
                    repairs=verdict.repairs,
                )
            )
        raw = ""
    return pieces
