"""Calls written as elements: `<function=…>`, `<invoke name=…>`, `<arg_key>`, a tag named as a tool.

A closing tag inside a value is content; it closes only where a tag or the end follows it.
"""

import re

from majordomo.contract import Json, JsonObject

from .draft import Draft
from .scan import space, tag, until
from .tags import ELEMENTS, WRAPPERS, Tag
from .tape import Pull, Tape
from .tolerant import Reader
from .yaml_lines import mapping

_PARAMETERS = frozenset({"parameter", "param", "arg", "argument", "property"})
_CONTAINERS = frozenset({"parameters", "arguments", "args", "params", "input", "toolinput"})
_NAMES = frozenset({"name", "toolname", "functionname", "tool"})
_ANY_CLOSE = re.compile(r"</")
_REACH = 200


class Element:
    """One call in markup; `read` it, then look at `draft` and `fault`."""

    def __init__(self, tape: Tape, name: str, known: frozenset[str]) -> None:
        self.name = name
        self.fault = ""
        self.truncated = False
        self._tape = tape
        self._known = known
        self._values: JsonObject = {}
        self._whole: Json = None  # the arguments as one JSON value
        self._closers: list[str] = []
        self._outer = "function"  # the tag around it, as written

    @property
    def draft(self) -> Draft:
        if self._whole is not None:
            return Draft(name=self.name, arguments=self._whole)
        return Draft(name=self.name, arguments=self._values, text=True)

    def read(self, opening: Tag) -> Pull[bool]:
        """Read to the end of the element; False when it is none."""
        if opening.single:
            return True
        self._closers.append(opening.name)
        self._outer = opening.written
        return (yield from self.children())

    def continue_from(self, first: Tag) -> Pull[bool]:
        """Read children of an element that only they name; the first tag is taken already."""
        if first.name in ELEMENTS and not first.single:
            self._closers.append(first.name)
        elif (yield from self._parameter(first)) is False:
            return False
        return (yield from self.children())

    def lines(self) -> Pull[JsonObject]:
        """Read `key: value` lines as an object."""
        yield from self._lines()
        return self._values

    def children(self) -> Pull[bool]:
        while True:
            if not (yield from space(self._tape)):
                return self._ended()
            char = self._tape.text[self._tape.pos]
            if char == "<":
                more = yield from self._child()
            elif char == "{":
                more = yield from self._json()
            else:
                more = yield from self._lines()
            if more is not None:
                return more

    def _ended(self) -> bool:
        """Accept an element whose last value is whole though its own end never came."""
        if self._values or self._whole is not None:
            return True
        self._cut()
        return False

    def _child(self) -> Pull[bool | None]:  # noqa: PLR0911 -- one for each form
        found = yield from tag(self._tape)
        if found is None:
            if self._tape.ended and self._tape.text.startswith("</", self._tape.pos):
                self._tape.pos = len(self._tape.text)  # a closing tag that was cut off
                return self._ended()
            self.fault = "the markup cannot be read"
            return False
        if found.close or found.role == "end":
            return self._close(found)
        if found.name in WRAPPERS or (found.name in ELEMENTS and found.value):
            return True  # the next call begins: this one was never closed
        self._tape.pos = found.end
        if found.name in _CONTAINERS and found.written not in self._known:
            self._closers.append(found.name)
            return None
        if found.name in {"argkey", "key"} and found.written not in self._known:
            return (yield from self._key_value())
        return (yield from self._parameter(found))

    def _close(self, found: Tag) -> bool | None:
        """Take a closing tag; a container's own leaves the element open."""
        if found.name in self._closers:
            self._tape.pos = found.end
            while self._closers.pop() != found.name:
                pass
            return None if self._closers else True
        if found.name in WRAPPERS or found.role == "end":
            return True
        if not self._closers:
            return True
        self._tape.pos = found.end  # a stray one
        return None

    def _parameter(self, opening: Tag) -> Pull[bool | None]:
        name = opening.value if opening.name in _PARAMETERS else opening.written
        if opening.single:
            self._add(name, "")
            return None
        nameless = opening.name in _PARAMETERS and not name
        value = yield from self._value(
            opening.written, label=nameless or (opening.name in _NAMES and not self.name)
        )
        if value is None:
            self._cut()
            return False
        if nameless:
            # `<parameter>city</parameter>Paris</parameter>`
            rest = yield from self._value(opening.written)
            if rest is None:
                self._cut()
                return False
            name, value = value.strip(), rest
        if opening.name in _NAMES and not self.name:
            self.name = value.strip()
            return None
        self._add(name, value)
        return None

    def _key_value(self) -> Pull[bool | None]:
        name = yield from self._value("arg_key", label=True)
        if name is None or not (yield from space(self._tape)):
            self._cut()
            return False
        found = yield from tag(self._tape)
        if found is None or found.close:
            self.fault = f"the argument {name.strip()!r} has no value"
            return False
        self._tape.pos = found.end
        value = yield from self._value(found.written)
        if value is None:
            self._cut()
            return False
        self._add(name.strip(), value)
        return None

    def _value(self, name: str, *, label: bool = False) -> Pull[str | None]:
        """Take the text up to the tag that closes it; a label ends at the first."""
        own = re.escape(name)
        outer = "|".join(
            re.escape(word) for word in ("function", "invoke", "tool_call", self._outer)
        )
        pattern = re.compile(rf"</(?:[\w-]+:)?{own}\s*>|<(?:[\w-]+:)?{own}[=\s>]|</(?:{outer})\s*>")
        text = yield from until(self._tape, pattern, _at_once if label else self._closes)
        if text is None:
            return None
        found = re.compile(rf"</(?:[\w-]+:)?{own}\s*>").match(self._tape.text, self._tape.pos)
        if found is not None:
            self._tape.pos = found.end()
        laid_out = text.startswith("\n") and text.endswith("\n") and len(text) > 1
        return text[1:-1] if laid_out else text

    def _closes(self, found: re.Match[str]) -> Pull[bool]:
        """Decide by what follows: a closing tag closes only before another tag or the end."""
        if not found.group().startswith("</"):
            return True  # the next argument begins: this one was never closed
        length = found.end() - found.start()
        while True:
            rest = self._tape.text[self._tape.pos + length : self._tape.pos + length + _REACH]
            stripped = rest.lstrip()
            if stripped or self._tape.ended or len(rest) >= _REACH:
                return not stripped or stripped[0] == "<"
            yield

    def _json(self) -> Pull[bool | None]:
        reader = Reader()
        if not (yield from reader.read(self._tape)):
            self.fault = f"the arguments are not valid JSON: {reader.fault}"
            self.truncated = reader.truncated
            return False
        self._whole = reader.value
        return None

    def _lines(self) -> Pull[bool | None]:
        """Read `key: value` lines up to the closing tag."""
        text = yield from until(self._tape, _ANY_CLOSE, self._own_close)
        if text is None:
            self._cut()
            return False
        values = mapping(text)
        if values is None:
            if not self._values and self._whole is None:
                self.fault = "the arguments cannot be read"
                return False
            return None
        self._values.update(values)
        return None

    def _own_close(self, found: re.Match[str]) -> Pull[bool]:
        del found
        here = yield from tag(self._tape)
        return here is not None and here.close and here.name in {*self._closers, *WRAPPERS}

    def _add(self, name: str, value: str) -> None:
        before = self._values.get(name)
        if name not in self._values:
            self._values[name] = value
        elif isinstance(before, list):
            before.append(value.strip())
        else:
            self._values[name] = [str(before).strip(), value.strip()]

    def _cut(self) -> None:
        self.truncated = True
        self.fault = "the call ends before its arguments do"


def _at_once(found: re.Match[str]) -> Pull[bool]:
    return found.group().startswith("</")
    yield  # never reached: it makes this a reader that does not wait
