# ruff: noqa: RUF001 -- full-width punctuation is among what models write
"""Strings as models write them: every kind of quote, escapes, raw line breaks, inner quotes."""

import html
import re
from collections.abc import Callable
from typing import Literal, TypeAlias

from msgspec import Struct

from .lookahead import at_end
from .repair import affordable
from .tape import Tape

# Whether a quote that ends here in this text closes its string; None: that depends on more text.
Closes: TypeAlias = Callable[[str, int], bool | None]
Pay: TypeAlias = Callable[[str], None]


class Kind(Struct, frozen=True, kw_only=True):
    """One way to quote: what may close it, where content stops, how it is decoded."""

    closers: tuple[str, ...]
    stop: re.Pattern[str]
    mode: Literal["json", "raw", "escaped", "entity"] = "json"
    certain: bool = False  # a closer is never content
    repair: str = ""


_DOUBLE = Kind(closers=('"', "“", "”", "„", "＂"), stop=re.compile(r'["“”„＂\\]'))
_CURLY = Kind(closers=_DOUBLE.closers, stop=_DOUBLE.stop, repair="odd quotes")
_SINGLE = Kind(closers=("'", "‘", "’"), stop=re.compile(r"['‘’\\]"), repair="single quotes")

KINDS: dict[str, Kind] = {
    '"': Kind(closers=('"',), stop=re.compile(r'["\\]')),
    "'": Kind(closers=("'",), stop=re.compile(r"['\\]"), repair="single quotes"),
    "`": Kind(closers=("`",), stop=re.compile(r"[`\\]"), repair="odd quotes"),
    **dict.fromkeys("“”„‟＂«", _CURLY),
    **dict.fromkeys("‘’‚＇", _SINGLE),
    '"""': Kind(closers=('"""',), stop=re.compile(r'["\\]'), certain=True, repair="odd quotes"),
    "'''": Kind(closers=("'''",), stop=re.compile(r"['\\]"), certain=True, repair="odd quotes"),
    "```": Kind(closers=("```",), stop=re.compile(r"[`\\]"), certain=True, repair="odd quotes"),
    '<|"|>': Kind(closers=('<|"|>',), stop=re.compile(r"<"), mode="raw", certain=True),
    "<escape>": Kind(closers=("<escape>",), stop=re.compile(r"<"), mode="raw", certain=True),
    '\\"': Kind(
        closers=('\\"',),
        stop=re.compile(r"\\"),
        mode="escaped",
        certain=True,
        repair="escaped text",
    ),
    **{
        entity: Kind(
            closers=(entity,),
            stop=re.compile(r"&"),
            mode="entity",
            certain=True,
            repair="HTML entities",
        )
        for entity in ("&quot;", "&#34;", "&#x22;", "&#39;", "&apos;")
    },
}
OPENINGS = re.compile("|".join(re.escape(quote) for quote in sorted(KINDS, key=len, reverse=True)))
LONGEST_OPENING = max(map(len, KINDS))

_ESCAPES = {
    '"': '"',
    "'": "'",
    "`": "`",
    "\\": "\\",
    "/": "/",
    "b": "\b",
    "f": "\f",
    "n": "\n",
    "r": "\r",
    "t": "\t",
    "\n": "\n",
    "\t": "\t",
    "\r": "\r",
    "“": "“",
    "”": "”",
}
_HEX = {"u": re.compile(r"[0-9a-fA-F]{4}"), "x": re.compile(r"[0-9a-fA-F]{2}")}
_JSON_ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|.)", re.DOTALL)


class Quoted:
    """One string being read; `advance` until it says it is whole."""

    __slots__ = ("_closes", "_kind", "_length", "_parts", "_pay", "broken", "inner")

    def __init__(self, kind: Kind, closes: Closes, pay: Pay) -> None:
        self._kind = kind
        self._closes = closes
        self._pay = pay
        self._parts: list[str] = []
        self._length = 0
        self.broken = False  # too many quotes inside for any confidence
        self.inner = 0  # quotes that were taken for content
        if kind.repair:
            pay(kind.repair)

    def advance(self, tape: Tape) -> bool | None:
        """Read on: True when closed, None when the text ended first, False to wait for more."""
        while True:
            stop = self._kind.stop.search(tape.text, tape.pos)
            end = stop.start() if stop else len(tape.text)
            if end > tape.pos:
                part = tape.text[tape.pos : end]
                if "\n" in part and self._kind.mode == "json" and not self._kind.certain:
                    self._pay("line break in a string")
                self._parts.append(part)
                self._length += len(part)
                tape.pos = end
            if stop is None:
                return None if tape.ended else False
            closed = self._special(tape)
            if closed is None:
                return None if tape.ended or self.broken else False
            if closed:
                return True

    @property
    def value(self) -> str:
        text = "".join(self._parts)
        match self._kind.mode:
            case "entity":
                text = _unescaped(html.unescape(text))
            case "escaped":
                text = _unescaped(_unescaped(text))
            case "json" | "raw":
                pass
        return text

    def _special(self, tape: Tape) -> bool | None:
        """Decide about a quote or a backslash; None when too little of the text is there."""
        if tape.text[tape.pos] == "\\":
            if self._kind.mode == "escaped":
                return self._escaped_run(tape)
            return self._escape(tape)
        for closer in self._kind.closers:
            here = tape.text[tape.pos : tape.pos + len(closer)]
            if here == closer:
                return self._quote(tape, closer)
            if len(here) < len(closer) and closer.startswith(here) and not tape.ended:
                return None
        return self._take(tape, 1)

    def _quote(self, tape: Tape, closer: str) -> bool | None:
        end = tape.pos + len(closer)
        if self._kind.mode == "entity" and self._parts and self._parts[-1].endswith("\\"):
            return self._take(tape, len(closer))  # `\\&quot;` is a quote inside
        closes = True if self._kind.certain else self._closes(tape.text, end)
        if closes is None:
            if not tape.ended:
                return None
            closes = at_end(tape.text, end)
        if not closes:
            self.inner += 1
            self._pay("quote inside a string")
            self.broken = not affordable(self.inner, self._length)
            if self.broken:
                return None
            return self._take(tape, len(closer))
        tape.pos += len(closer)
        return True

    def _escaped_run(self, tape: Tape) -> bool | None:
        """Read backslashes where the whole object was escaped once: a single one can close."""
        run = re.compile(r"\\+").match(tape.text, tape.pos)
        length = run.end() - run.start() if run else 1
        if tape.pos + length >= len(tape.text):
            return None
        if length == 1 and tape.text[tape.pos + 1] == '"':
            tape.pos += 2
            return True
        return self._take(tape, length + 1)

    def _escape(self, tape: Tape) -> bool | None:
        if tape.pos + 1 >= len(tape.text):
            return None
        letter = tape.text[tape.pos + 1]
        if letter in _HEX:
            return self._hex(tape, letter)
        plain = _ESCAPES.get(letter)
        if plain is None:
            # `\d` of a regular expression, `\U` of a Windows path: the backslash was meant.
            self._pay("bad escape")
            plain = "\\" + letter
        self._parts.append(plain)
        tape.pos += 2
        return False

    def _hex(self, tape: Tape, letter: str) -> bool | None:
        length = 6 if letter == "u" else 4
        if len(tape.text) - tape.pos < length and not tape.ended:
            return None
        digits = _HEX[letter].match(tape.text, tape.pos + 2)
        if digits is None:
            self._pay("bad escape")
            return self._take(tape, 2)
        code = int(digits.group(), 16)
        if 0xD800 <= code < 0xDC00:
            return self._surrogate(tape, code)
        self._parts.append(chr(code) if not 0xDC00 <= code < 0xE000 else "\ufffd")
        tape.pos += length
        return False

    def _surrogate(self, tape: Tape, high: int) -> bool | None:
        if len(tape.text) - tape.pos < 12 and not tape.ended:
            return None
        pair = re.compile(r"\\u([dD][c-fC-F][0-9a-fA-F]{2})").match(tape.text, tape.pos + 6)
        if pair is None:
            self._parts.append("\ufffd")
            tape.pos += 6
        else:
            low = int(pair.group(1), 16)
            self._parts.append(chr(0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00)))
            tape.pos += 12
        return False

    def _take(self, tape: Tape, count: int) -> bool:
        self._parts.append(tape.text[tape.pos : tape.pos + count])
        tape.pos += count
        return False


def _unescaped(text: str) -> str:
    def plain(found: re.Match[str]) -> str:
        code = found.group(1)
        if code[0] == "u" and len(code) == 5:
            return chr(int(code[1:], 16))
        return _ESCAPES.get(code, "\\" + code)

    return _JSON_ESCAPE.sub(plain, text)
