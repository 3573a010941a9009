"""The value that JSON text stands for so far, while it is still being written."""

import re

from majordomo.contract import Json
from majordomo.dialects.json import read

_PLAIN = re.compile(r'[^"\\]+')
_WORD = re.compile(r"[^\s,\]}:\[{\"]+")
_ESCAPE = re.compile(r"\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[0-9a-fA-F]{4}|u[0-9a-fA-F]{4}|[^u])")
_BEGINS = re.compile(r"[{\[]")
_CLOSING = {"{": "}", "[": "]"}


class Prefix:
    """Feed it text; `value` is what is known: strings as far as they go, whole numbers only."""

    def __init__(self) -> None:
        self._text = ""
        self._pos = 0
        self._stack: list[str] = []
        self._key = False  # the next string is one
        self._string = False  # in the middle of one
        self._begun = False
        self._safe = ""  # the text as far as it can be closed, and how to close it
        self._closing = ""

    def feed(self, text: str) -> bool:
        """Take more; say whether there is more to see."""
        before = (len(self._safe), self._closing)
        self._text += text
        if not self._begun:
            found = _BEGINS.search(self._text)
            if found is None:
                return False
            self._begun = True
            self._text = self._text[found.start() :]
        while self._pos < len(self._text) and self._step():
            pass
        return (len(self._safe), self._closing) != before

    @property
    def value(self) -> Json:
        """Raises `Malformed` for what is no JSON at all."""
        return read(self._safe + self._closing)

    def _step(self) -> bool:
        """Go on by one token; False when more text is needed or there is nothing more to read."""
        if self._string:
            return self._in_string()
        char = self._text[self._pos]
        if char.isspace() or char in ",:":
            self._pos += 1
            self._key = self._key or (char == "," and self._stack[-1:] == ["{"])
            return True
        if char in _CLOSING:
            self._stack.append(char)
            self._pos += 1
            self._key = char == "{"
            self._keep()
            return True
        if char in "}]":
            return self._close()
        if char == '"':
            self._pos += 1
            self._string = True
            return self._in_string()
        return self._word()

    def _close(self) -> bool:
        if self._stack:
            self._stack.pop()
        self._pos += 1
        self._key = False
        self._keep()
        return bool(self._stack)

    def _word(self) -> bool:
        found = _WORD.match(self._text, self._pos)
        if found is None or found.end() == len(self._text):
            return False  # `12` may become `123`
        self._pos = found.end()
        self._keep()
        return True

    def _in_string(self) -> bool:
        while self._pos < len(self._text):
            if plain := _PLAIN.match(self._text, self._pos):
                self._pos = plain.end()
            elif self._text[self._pos] == '"':
                self._pos += 1
                self._string = False
                if self._key:
                    self._key = False
                else:
                    self._keep()
                return True
            elif escape := _ESCAPE.match(self._text, self._pos):
                if self._half_of_a_pair(escape.group()):
                    break
                self._pos = escape.end()
            else:
                break
        if not self._key:
            self._keep('"')
        return False

    def _half_of_a_pair(self, escape: str) -> bool:
        return len(escape) == 6 and escape[2] in "dD" and escape[3] in "89abAB"

    def _keep(self, quote: str = "") -> None:
        self._safe = self._text[: self._pos]
        self._closing = quote + "".join(_CLOSING[opened] for opened in reversed(self._stack))
