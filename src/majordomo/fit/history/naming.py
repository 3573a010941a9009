"""Call ids and tool names a target would refuse, mapped there and back.

The new name is a hash of the old one, so call and result agree, the same history is the same
bytes every turn (caches depend on it), and nothing has to be remembered between requests.
"""

import re
from collections.abc import Callable, Iterable
from functools import lru_cache
from hashlib import sha512
from typing import ClassVar

from msgspec import Struct
from msgspec.structs import replace

from majordomo.contract import (
    Event,
    Message,
    Part,
    PartDone,
    Request,
    ToolCall,
    ToolCallDelta,
    ToolResult,
    Unsupported,
)

_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
_ID_LENGTHS = (24, 9, 8, 16, 12, 20, 32, 36, 40, 64, 6, 4, 2, 1)
_NAME_LENGTHS = (64, 48, 32, 24, 16, 12, 8, 4, 2, 1)
_LINKED = (ToolCall, ToolResult)  # made once: a union would be built for every part
_SYNTHESISED = re.compile(r"call_\d{1,4}(_\d{1,4})?")


class Names(Struct, frozen=True, kw_only=True):
    """What is called differently at the target: theirs by ours."""

    ids: dict[str, str] = {}
    tools: dict[str, str] = {}
    taken: frozenset[str] = frozenset()  # ids a reply would repeat if it counts from zero again

    def lowered(self, request: Request) -> Request:
        if not self.ids and not self.tools:
            return request
        choice = request.tool_choice
        return replace(
            request,
            messages=tuple(self._message(message) for message in request.messages),
            tools=tuple(
                replace(tool, name=self.tools[tool.name]) if tool.name in self.tools else tool
                for tool in request.tools
            ),
            tool_choice=replace(
                choice,
                name=self.tools.get(choice.name, choice.name),
                allowed=tuple(self.tools.get(name, name) for name in choice.allowed),
            ),
        )

    @property
    def needed(self) -> bool:
        return bool(self.ids or self.tools or self.taken)

    def lift(self) -> "NamesBack":
        return NamesBack(self)

    def _message(self, message: Message) -> Message:
        parts = tuple(self._part(part) for part in message.parts)
        return replace(message, parts=parts)

    def _part(self, part: Part) -> Part:
        if isinstance(part, _LINKED):
            return replace(
                part,
                id=self.ids.get(part.id, part.id),
                name=self.tools.get(part.name, part.name),
            )
        return part


class NamesBack:
    """Gives calls in a reply the names and ids the caller knows."""

    __slots__ = ("_fresh", "_ids", "_taken", "_tools")
    may_ask_again: ClassVar[bool] = False

    def __init__(self, names: Names) -> None:
        self._ids = {theirs: ours for ours, theirs in names.ids.items()}
        self._tools = {theirs: ours for ours, theirs in names.tools.items()}
        self._taken = names.taken
        self._fresh: dict[str, str] = {}

    def feed(self, event: Event) -> tuple[Event, ...]:
        match event:
            case PartDone(part=ToolCall() as call):
                return (PartDone(part=self._call(call)),)
            case ToolCallDelta(id=call_id, name=name):
                name = self._tools.get(name, name)
                return (replace(event, id=self._id(call_id), name=name),)
            case _:
                return (event,)

    def close(self) -> tuple[Event, ...]:
        return ()

    def _call(self, call: ToolCall) -> ToolCall:
        return replace(call, id=self._id(call.id), name=self._tools.get(call.name, call.name))

    def _id(self, given: str) -> str:
        ours = self._ids.get(given, given)
        if ours not in self._taken:
            return ours
        if ours not in self._fresh:
            self._fresh[ours] = _unused(ours, self._taken)
        return self._fresh[ours]


def read_names(request: Request, *, call_id: str, tool_name: str) -> Names:
    """Find every id and name the target would refuse, and what it is called instead."""
    ids: dict[str, None] = {}
    tools: dict[str, None] = {tool.name: None for tool in request.tools if not tool.hosted}
    for message in request.messages:
        for part in message.parts:
            if type(part) is ToolCall or type(part) is ToolResult:
                ids[part.id] = None
                if part.name:
                    tools[part.name] = None
    return Names(
        ids=_mapped(ids, compiled(call_id), _id_candidates),
        tools=_mapped(tools, compiled(tool_name), _name_candidates),
        taken=frozenset([one for one in ids if _SYNTHESISED.fullmatch(one)]),
    )


def legal_name(wanted: str, pattern: str, taken: Iterable[str] = ()) -> str:
    """Give a tool name like `wanted` that the target takes and nobody else has."""
    return _first_legal(wanted, compiled(pattern), _name_candidates, set(taken))


@lru_cache(maxsize=64)
def compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)


_Candidates = Callable[[str], Iterable[str]]


def _mapped(
    given: Iterable[str], pattern: re.Pattern[str], candidates: _Candidates
) -> dict[str, str]:
    is_legal = pattern.fullmatch
    illegal = [name for name in given if not is_legal(name)]
    if not illegal:
        return {}
    taken = set(given)
    mapped: dict[str, str] = {}
    for name in illegal:
        mapped[name] = _first_legal(name, pattern, candidates, taken)
        taken.add(mapped[name])
    return mapped


def _first_legal(
    name: str, pattern: re.Pattern[str], candidates: _Candidates, taken: set[str]
) -> str:
    if name not in taken and pattern.fullmatch(name):
        return name
    for salt in range(8):
        for candidate in candidates(f"{name}\0{salt}" if salt else name):
            if candidate not in taken and pattern.fullmatch(candidate):
                return candidate
    raise Unsupported(f"no name like {name!r} matches {pattern.pattern!r}")


def _id_candidates(name: str) -> Iterable[str]:
    digest = _digest(name)
    yield f"call_{digest[:24]}"
    for length in _ID_LENGTHS:
        yield digest[:length]
        yield digest[:length].lower()


def _name_candidates(name: str) -> Iterable[str]:
    readable = re.sub(r"[^A-Za-z0-9_]", "_", name.partition("\0")[0])
    if not re.match(r"[A-Za-z_]", readable):
        readable = f"t_{readable}"
    digest = _digest(name)
    for length in _NAME_LENGTHS:
        tail = digest[: min(8, length // 2)]
        yield f"{readable[: length - len(tail) - 1]}_{tail}"
        yield digest[:length]
        yield digest[:length].lower()


def _digest(name: str) -> str:
    """Sixty-four letters and digits that depend on the name alone."""
    number = int.from_bytes(sha512(name.encode(errors="surrogatepass")).digest())
    letters: list[str] = []
    for _ in range(64):
        number, digit = divmod(number, 62)
        letters.append(_DIGITS[digit])
    return "".join(letters)


def _unused(name: str, taken: frozenset[str]) -> str:
    """Tell a repeated id apart in a way no counter does by itself."""
    count = len(taken)
    while f"{name}_{count}" in taken:
        count += 1
    return f"{name}_{count}"
