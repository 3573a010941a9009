# ruff: noqa: RUF001, RUF003 -- full-width punctuation is among what models write
"""What stands inside a marked block: JSON, Python, elements, a name before its arguments."""

import re

from .draft import Draft, Trust
from .element import Element
from .judge import Verdict, judge, judge_value
from .names import Offers
from .pythonic import read_call
from .scan import NAME, blank, matched, space, tag
from .tags import Tag
from .tape import Pull, Tape
from .tolerant import Reader

_PYTHON = re.compile(r"(?:print\s{0,4}\(\s{0,4})?[A-Za-z_][\w.\-]{0,64}\s{0,4}\(")
_PYTHON_LIST = re.compile(r"\[\s{0,8}(?:[A-Za-z_][\w.\-]{0,64}\s{0,4}\(|\])")
_FENCE = re.compile(r"(?:`{3,12}|~{3,12})[^\n`]{0,64}\n?")
_CLOSING_FENCE = re.compile(r"(?:`{3,}|~{3,})(?=[ \t]*(?:\n|\Z))")
_COMMENT = re.compile(r"(?://|#)[^\n]{0,80}\n")
_LABEL = re.compile(r"(?:call:|functions?[.:]|to=functions?\.)[ ]?")
_NAME_KEY = re.compile(r"(?:name|tool|function)\s{0,4}:\s{0,4}\S")
_REACH = 96
_CLOSING = ("</", "[/")
_MOST_WRAPPERS = 8


class Block:
    """Reads calls one after the other; `verdicts` grows as each closes."""

    def __init__(self, tape: Tape, offers: Offers, known: frozenset[str]) -> None:
        self.verdicts: list[Verdict] = []
        self.fault = ""
        self.truncated = False
        self._tape = tape
        self._offers = offers
        self._known = known
        self._wrappers = 0  # opened, one in the other, without a call

    def items(self) -> Pull[bool]:
        """Read calls until something closes the block; False when it cannot be read."""
        while (yield from blank(self._tape)):
            yield from self._tape.need(2)
            if self._tape.text.startswith(_CLOSING, self._tape.pos):
                return True
            more = yield from self._item()
            if more is not None:
                return more
        return True

    def element(self, opening: Tag) -> Pull[bool]:
        """Read one call in markup; its opening tag is taken already."""
        element = Element(self._tape, opening.value, self._known)
        if not (yield from element.read(opening)) or not element.name:
            self.fault = element.fault or "the call has no name"
            self.truncated = element.truncated
            return False
        self._judge(element.draft)
        return True

    def tool_element(self, opening: Tag) -> Pull[bool]:
        """Read a tag named as a tool: `<get_weather><city>Paris</city></get_weather>`."""
        element = Element(self._tape, opening.written, self._known)
        if not (yield from element.read(opening)):
            self.fault = element.fault
            self.truncated = element.truncated
            return False
        self._judge(element.draft)
        return True

    def _item(self) -> Pull[bool | None]:  # noqa: PLR0911 -- one for each form
        """Read one call; True when the block ends here, False when it cannot be read."""
        char = self._tape.text[self._tape.pos]
        if char in "<[" and (found := (yield from tag(self._tape))) is not None:
            return (yield from self._tag(found))
        if char in "`~":
            return (yield from self._fence())
        if char in "/#":
            return (yield from self._comment())
        if char == "[" and (yield from matched(self._tape, _PYTHON_LIST, _REACH)) is not None:
            self._tape.pos += 1
            return None
        if char in "{[｛［\\&\"'":
            return (yield from self._json())
        if char in "])}" and self.verdicts:
            self._tape.pos += 1  # one too many
            return None
        return (yield from self._named())

    def _comment(self) -> Pull[bool | None]:
        found = yield from matched(self._tape, _COMMENT, _REACH)
        if found is None:
            return self._unreadable()
        self._tape.pos = found.end()
        return None

    def _fence(self) -> Pull[bool | None]:
        """Take a fence inside the block; behind a call it is the one that closes."""
        if self.verdicts and (yield from matched(self._tape, _CLOSING_FENCE, 5)) is not None:
            return True
        fence = yield from matched(self._tape, _FENCE, _REACH)
        if fence is None:
            return self._unreadable()
        self._tape.pos = fence.end()
        return None

    def _tag(self, found: Tag) -> Pull[bool | None]:
        if found.close or found.role == "end":
            return True
        self._tape.pos = found.end
        if found.value and found.role in {"element", "wrapper"}:
            return None if (yield from self.element(found)) else False
        if self._offers.exact(found.written) is not None:
            return None if (yield from self.tool_element(found)) else False
        if found.name in {"toolname", "name", "function", "tool", "invoke"}:
            return None if (yield from self.nameless(found)) else False
        self._wrappers += 1
        return None if self._wrappers < _MOST_WRAPPERS else self._unreadable()

    def nameless(self, found: Tag) -> Pull[bool]:
        """Read `<name>Read</name><arguments>…</arguments>`."""
        element = Element(self._tape, "", self._known)
        if not (yield from element.continue_from(found)) or not element.name:
            self.fault = element.fault or "the call has no name"
            self.truncated = element.truncated
            return False
        self._judge(element.draft)
        return True

    def _json(self) -> Pull[bool | None]:
        reader = Reader()
        if not (yield from reader.read(self._tape)):
            self.fault = f"the JSON cannot be read: {reader.fault}"
            self.truncated = reader.truncated
            return False
        verdicts = judge_value(reader.value, self._offers, Trust.MARKED, tuple(reader.repairs))
        if not verdicts:
            self.fault = "the JSON names no tool and its arguments"
            return False
        self.verdicts += verdicts
        self._wrappers = 0
        return None

    def _named(self) -> Pull[bool | None]:
        """Read a name and, behind it, the arguments in whatever form."""
        label = yield from matched(self._tape, _LABEL, 24)
        if label is not None:
            self._tape.pos = label.end()
        if (yield from matched(self._tape, _NAME_KEY, _REACH)) is not None:
            return (yield from self._lines())
        if (yield from matched(self._tape, _PYTHON, _REACH)) is not None:
            draft, fault = yield from read_call(self._tape, self._offers)
            if draft is None:
                self.fault = fault
                self.truncated = "ends before" in fault
                return False
            self._judge(draft)
            return None
        name = yield from matched(self._tape, NAME, _REACH)
        if name is None:
            return self._unreadable()
        self._tape.pos = name.end()
        if name.group() in {"function", "json", "action"}:
            return None  # DeepSeek: `function<｜tool▁sep｜>get_weather`
        return (yield from self.arguments(name.group()))

    def arguments(self, name: str) -> Pull[bool | None]:
        """Read what follows a name: dividers, a fence, JSON, `<arg_key>` pairs."""
        while (yield from space(self._tape)):
            char = self._tape.text[self._tape.pos]
            if char in "<[" and (found := (yield from tag(self._tape))) is not None:
                if found.close or found.role == "end":
                    break
                if found.name == "callid":
                    self._tape.pos = found.end
                    yield from matched(self._tape, NAME, _REACH)
                    continue
                if found.role == "divider" or found.name in {"message", "json"}:
                    self._tape.pos = found.end
                    continue
                element = Element(self._tape, name, self._known)
                return None if (yield from self._children(element)) else False
            if char == "`":
                fence = yield from matched(self._tape, _FENCE, _REACH)
                self._tape.pos = fence.end() if fence else self._tape.pos + 1
                continue
            if char != "{":
                return self._unreadable()
            return (yield from self._json_arguments(name))
        self._judge(Draft(name=name, arguments={}))
        return None

    def _children(self, element: Element) -> Pull[bool]:
        if not (yield from element.children()):
            self.fault = element.fault
            self.truncated = element.truncated
            return False
        self._judge(element.draft)
        return True

    def _json_arguments(self, name: str) -> Pull[bool | None]:
        reader = Reader()
        if not (yield from reader.read(self._tape)):
            self.fault = f"the arguments of {name} cannot be read: {reader.fault}"
            self.truncated = reader.truncated
            return False
        self._judge(Draft(name=name, arguments=reader.value), tuple(reader.repairs))
        return None

    def _lines(self) -> Pull[bool | None]:
        element = Element(self._tape, "", self._known)
        values = yield from element.lines()
        verdicts = judge_value(values, self._offers, Trust.MARKED)
        if not verdicts:
            return self._unreadable()
        self.verdicts += verdicts
        return None

    def _judge(self, draft: Draft, repairs: tuple[str, ...] = ()) -> None:
        self._wrappers = 0
        self.verdicts.append(judge(draft, self._offers, Trust.MARKED, repairs))

    def _unreadable(self) -> bool:
        self.fault = "the block holds no call that can be read"
        return bool(self.verdicts)
