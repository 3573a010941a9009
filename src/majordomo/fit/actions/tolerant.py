# ruff: noqa: RUF001 -- full-width punctuation is among what models write
"""JSON as models write it: one pass, a pushdown, a price on each repair, refused above a limit.

It is linear, it can stop anywhere and go on when more text arrives, and it never completes a
value that was cut off: half a file must not be written as a whole one. A bracket is only
supplied where the block around the value was closed by its own marker.
"""

import re
from collections.abc import Callable
from json import JSONDecoder

from majordomo.contract import Json

from .frame import Frame, State, too_deep
from .lookahead import closes
from .quotes import KINDS, LONGEST_OPENING, OPENINGS, Quoted
from .repair import COSTS, MAX_DEPTH, affordable
from .scalar import BARE, bare_value
from .tape import Pull, Tape

TRUNCATED = "the text ends before the value does"
_HOPELESS = "it is too broken to be read with any confidence"


_BLANK = re.compile(r"(?:[\s\ufeff\u200b\u00a0]+|\\[nrt](?=[\s\\{}\[\]\"]))*")
_COMMENT = re.compile(r"//[^\n\r]*|#[^\n\r]*|/\*.*?\*/", re.DOTALL)
_OPEN = {"{": "}", "｛": "}", "[": "]", "［": "]", "(": ")"}
_CLOSE = {"}": "}", "｝": "}", "]": "]", "］": "]", ")": ")"}
_WIDE = frozenset("｛｝［］：，")
_MARKERS = ("```", "~~~", "</", "<|", "<｜", "[/")  # what closes the block around a value
_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")


def _no_constant(name: str) -> Json:
    raise ValueError(f"{name} is not JSON")


_strict = JSONDecoder(parse_constant=_no_constant).raw_decode


class Reader:
    """Reads one value off a tape; `advance` until it says so, then look at `fault`."""

    def __init__(self, *, calling: bool = False) -> None:
        self.value: Json = None
        self.fault = ""
        self.truncated = False
        self.repairs: list[str] = []
        self.cost = 0
        self._calling = calling  # it stands between the brackets of a call
        self._stack: list[Frame] = []
        self._state = State.VALUE
        self._string: Quoted | None = None
        self._start = 0
        self._at = 0
        self._bare = False  # it writes keys without quotes
        self._head = ""  # the string that the next one is added to
        self._turns: dict[State, Callable[[Tape], bool]] = {
            State.VALUE: self._turn_value,
            State.KEY: self._turn_key,
            State.COLON: self._turn_colon,
            State.NEXT: self._turn_next,
        }

    def read(self, tape: Tape) -> Pull[bool]:
        """Read one value, waiting for text as needed; False when there is none to be had."""
        if self._strictly(tape):
            return True
        self._start = tape.at
        while not self.advance(tape):
            yield
        return not self.fault

    def advance(self, tape: Tape) -> bool:
        """Read as far as the text goes; True when the value is whole or given up."""
        while self._state is not State.DONE:
            self._at = tape.at
            if not self._turn(tape):
                return False
            if not self.fault and not affordable(self.cost, tape.at - self._start):
                self._fail(_HOPELESS)
        return True

    def _strictly(self, tape: Tape) -> bool:
        """Take valid JSON at the speed of C when all of it is there."""
        start = _BLANK.match(tape.text, tape.pos)
        begin = start.end() if start else tape.pos
        if tape.text[begin : begin + 1] not in {"{", "["}:
            return False
        try:
            value, end = _strict(tape.text, begin)
        except (ValueError, RecursionError):
            return False
        if _SURROGATE.search(tape.text, begin, end):
            return False  # half a character: the tolerant way replaces it
        if too_deep(value):
            return False  # and the tolerant way says so
        self.value = value
        self._state = State.DONE
        tape.pos = end
        return True

    def _turn(self, tape: Tape) -> bool:
        """Read one token; False when more text is needed for it."""
        if self._string is not None:
            return self._string_on(tape, self._string)
        if not self._skip(tape):
            return False
        if tape.pos >= len(tape.text):
            self._cut()
            return True
        return self._turns[self._state](tape)

    def _skip(self, tape: Tape) -> bool:
        """Pass white space and comments; False when a comment may go on."""
        while True:
            blank = _BLANK.match(tape.text, tape.pos)
            tape.pos = blank.end() if blank else tape.pos
            if tape.pos >= len(tape.text):
                return tape.ended
            if tape.text[tape.pos] not in "/#":
                return True
            comment = _COMMENT.match(tape.text, tape.pos)
            if comment is None:
                return tape.ended or (
                    len(tape.text) - tape.pos > 1 and tape.text[tape.pos + 1] != "*"
                )
            if comment.end() >= len(tape.text) and not tape.ended:
                return False
            self._pay("comment")
            tape.pos = comment.end()

    # -- one turn for each state

    def _turn_value(self, tape: Tape) -> bool:
        char = tape.text[tape.pos]
        if char in _OPEN:
            return self._open(tape, char)
        if char in _CLOSE:
            return self._close_early(tape, char)
        if char in ",，" and self._stack and self._stack[-1].array is not None:
            self._pay("trailing comma")
            tape.pos += 1
            return True
        return self._scalar(tape)

    def _turn_key(self, tape: Tape) -> bool:
        char = tape.text[tape.pos]
        frame = self._stack[-1]
        if char in _CLOSE:
            if not frame.empty:
                self._pay("trailing comma")
            return self._close(tape, char)
        if char in ",，":
            self._pay("trailing comma")
            tape.pos += 1
            return True
        if char == "{" and frame.empty and not frame.doubled:
            self._pay("doubled brace")
            frame.doubled = True
            tape.pos += 1
            return True
        return self._scalar(tape)

    def _turn_colon(self, tape: Tape) -> bool:
        char = tape.text[tape.pos]
        if char in ":：=":
            tape.pos += 1
            if char == "=" and tape.text[tape.pos : tape.pos + 1] == ">":
                tape.pos += 1
        elif char in ",，}｝]］":
            self._fail(f"the key {self._stack[-1].key!r} has no value")
            return True
        else:
            self._pay("missing colon")
        self._state = State.VALUE
        return True

    def _turn_next(self, tape: Tape) -> bool:
        char = tape.text[tape.pos]
        frame = self._stack[-1]
        if char in ",，;":
            tape.pos += 1
            self._state = State.KEY if frame.array is None else State.VALUE
            return True
        if char in _CLOSE:
            return self._close(tape, char)
        if char == "+" and not self._joined(frame):
            return self._join(tape)
        if char in "`~<[" and (ended := self._marker(tape)) is not False:
            return ended is True
        self._pay("missing comma")
        self._state = State.KEY if frame.array is None else State.VALUE
        return True

    # -- what a turn does

    def _open(self, tape: Tape, char: str) -> bool:
        if len(self._stack) >= MAX_DEPTH:
            self._fail("it is nested too deeply")
            return True
        self._wide(char)
        frame = Frame(array=_OPEN[char] != "}", closer=_OPEN[char])
        self._stack.append(frame)
        self._state = State.KEY if frame.array is None else State.VALUE
        tape.pos += 1
        return True

    def _close(self, tape: Tape, char: str) -> bool:
        """Close the innermost bracket, or as many as this closer says."""
        self._wide(char)
        closer = _CLOSE[char]
        frame = self._stack[-1]
        if closer != frame.closer:
            if not any(outer.closer == closer for outer in self._stack):
                self._pay("stray bracket")
                tape.pos += 1
                return True
            self._pay("missing bracket")
            self._finish(frame.value)
            return True  # the same closer is looked at again
        if frame.doubled:
            if len(tape.text) - tape.pos < 2 and not tape.ended:
                return False
            tape.pos += tape.text.startswith("}", tape.pos + 1)
        tape.pos += 1
        self._finish(frame.value)
        return True

    def _close_early(self, tape: Tape, char: str) -> bool:
        frame = self._stack[-1] if self._stack else None
        if frame is None or frame.array is None:
            self._fail("a value is missing")
            return True
        if not frame.empty:
            self._pay("trailing comma")
        return self._close(tape, char)

    def _marker(self, tape: Tape) -> bool | None:
        """See whether the block ends here: True if so, None if that cannot be said yet."""
        for marker in _MARKERS:
            here = tape.text[tape.pos : tape.pos + len(marker)]
            if here == marker:
                while self._stack:
                    self._pay("missing bracket")
                    self._finish(self._stack[-1].value)
                return True
            if len(here) < len(marker) and marker.startswith(here) and not tape.ended:
                return None
        return False

    def _joined(self, frame: Frame) -> bool:
        last = frame.array[-1:] if frame.array is not None else [frame.object.get(frame.key)]
        return not last or not isinstance(last[0], str)

    def _join(self, tape: Tape) -> bool:
        """Add the next string to the last: `"a" + "b"`."""
        self._pay("joined strings")
        tape.pos += 1
        frame = self._stack[-1]
        head = frame.array.pop() if frame.array is not None else frame.object[frame.key]
        self._head = head if isinstance(head, str) else ""
        self._state = State.VALUE
        return True

    def _scalar(self, tape: Tape) -> bool:
        """Read a string, number or word."""
        if (
            len(tape.text) - tape.pos < LONGEST_OPENING
            and not tape.ended
            and (tape.text[tape.pos] in "\"'`<&\\")
        ):
            return False
        opening = OPENINGS.match(tape.text, tape.pos)
        if opening is not None:
            return self._open_string(tape, opening.group())
        word = BARE.match(tape.text, tape.pos)
        if word is None:
            self._pay("stray character")
            tape.pos += 1
            return True
        if word.end() >= len(tape.text) and not tape.ended:
            return False
        return self._word(tape)

    def _open_string(self, tape: Tape, quote: str) -> bool:
        if quote == '"""' and tape.text[tape.pos + 3 : tape.pos + 4] in {",", "}", "]", ":"}:
            quote = '"'  # an empty string and a stray quote
        tape.pos += len(quote)
        self._string = Quoted(KINDS[quote], self._closes, self._pay)
        return True

    def _string_on(self, tape: Tape, string: Quoted) -> bool:
        whole = string.advance(tape)
        if whole is None:
            if string.broken:
                self._fail(_HOPELESS)
            else:
                self._cut("a string is never closed")
            return True
        if not whole:
            return False
        self._string = None
        text = self._head + string.value
        self._head = ""
        self._done_with(text)
        return True

    def _closes(self, text: str, pos: int) -> bool | None:
        return closes(
            text,
            pos,
            depth=len(self._stack),
            key=self._state is State.KEY,
            array=bool(self._stack) and self._stack[-1].array is not None,
            bare=self._bare,
            odd=self._string is not None and self._string.inner % 2 == 1,
        )

    def _word(self, tape: Tape) -> bool:
        if self._state is State.KEY:
            return self._bare_key(tape)
        found = bare_value(tape, calling=self._calling and not self._stack)
        if found is None:
            return False
        value, repair = found
        if repair == "refuse":
            self._fail(f"{value!r} stands for something that was left out")
            return True
        if repair:
            self._pay(repair)
        self._done_with(value)
        return True

    def _bare_key(self, tape: Tape) -> bool:
        word = BARE.match(tape.text, tape.pos)
        key = word.group() if word else ""
        tape.pos += len(key)
        self._pay("unquoted key")
        self._bare = True
        self._done_with(key)
        return True

    def _done_with(self, value: Json) -> None:
        if self._state is State.KEY:
            self._done_with_key(value)
        else:
            self._done_with_value(value)

    def _done_with_key(self, value: Json) -> None:
        self._stack[-1].key = str(value)
        self._state = State.COLON

    def _done_with_value(self, value: Json) -> None:
        if not self._stack:
            self.value = value
            self._state = State.DONE
            return
        self._stack[-1].add(value)
        self._state = State.NEXT

    def _finish(self, value: Json) -> None:
        self._stack.pop()
        self._done_with_value(value)

    def _wide(self, char: str) -> None:
        if char in _WIDE:
            self._pay("full-width punctuation")

    def _cut(self, problem: str = TRUNCATED) -> None:
        if self._state is State.NEXT and len(self._stack) == 1 and self._stack[0].array:
            # Only the bracket around whole values is missing: none of them is cut.
            self._pay("missing bracket")
            self._finish(self._stack[0].value)
            return
        self.truncated = True
        self._fail(problem)

    def _fail(self, problem: str) -> None:
        self.fault = self.fault or problem
        self._state = State.DONE

    def _pay(self, repair: str) -> None:
        self.cost += COSTS[repair]
        if repair not in self.repairs:
            self.repairs.append(repair)
