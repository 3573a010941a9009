"""Tool calls put together from the fragments of a stream, however a compatible cuts them.

The rules are those of servers seen: an index names a call, unless it is missing or given twice.
"""

from typing import NamedTuple

from majordomo.contract import Json, JsonObject, Malformed, ToolCall, ToolCallDelta
from majordomo.dialects.call_ids import CallIds
from majordomo.dialects.json import optional_string, read

from .attribute import artefact_of
from .call import call_attributes, is_custom, name_and_arguments


class Said(NamedTuple):
    """What one fragment says."""

    id: str
    name: str
    arguments: str
    attributes: JsonObject | None = None
    custom: bool = False


class OpenCall:
    """A call of which more may come."""

    __slots__ = ("attributes", "given", "id", "name", "pieces")

    def __init__(self) -> None:
        self.id = ""  # what we call it
        self.given = ""  # what the wire calls it
        self.name = ""
        self.pieces: list[str] = []  # joined once: calls of many thousand fragments exist
        self.attributes: JsonObject = {}

    @property
    def arguments(self) -> str:
        return "".join(self.pieces)


class Fragments:
    __slots__ = ("_by_index", "_calls", "_ids")

    def __init__(self) -> None:
        self._calls: list[OpenCall] = []
        self._by_index: dict[int, OpenCall] = {}
        self._ids = CallIds()

    def __bool__(self) -> bool:
        return bool(self._calls)

    def add(self, fragment: JsonObject, where: str) -> ToolCallDelta | None:
        """Take one fragment; give it as an event once the call it belongs to has a name."""
        name, arguments = name_and_arguments(fragment, where)
        given = optional_string(fragment, "id", where) or ""
        said = Said(given, name, arguments, call_attributes(fragment), is_custom(fragment))
        return self.take(fragment.get("index"), said, where)

    def take(self, index: Json, said: "Said", where: str) -> ToolCallDelta | None:
        """Like `add`, of a fragment that was read already."""
        call = self._find(index, said.id, said.name, said.arguments)
        if call is None:
            if not (said.id or said.name or said.arguments):
                return None
            raise Malformed(where, "belongs to no call")
        call.given = call.given or said.id
        call.pieces.append(said.arguments)
        if said.attributes:
            call.attributes |= said.attributes
        if call.name:
            return _delta(call, said.arguments, custom=said.custom)
        call.name = said.name
        if not said.name:
            return None
        call.id = self._ids.take(call.given)
        return _delta(call, call.arguments, custom=said.custom)

    def more(self, index: int, arguments: str) -> ToolCallDelta | None:
        """Take a fragment that says nothing but the next arguments; None if no call is open."""
        call = self._by_index.get(index)
        if call is None or not call.name or call.attributes:
            return None
        call.pieces.append(arguments)
        return ToolCallDelta(id=call.id, name=call.name, arguments=arguments)

    def close(self) -> list[ToolCall]:
        """Give every call whole, in the order they began."""
        return [_whole(call) for call in self._calls if call.name or call.arguments.strip()]

    def _find(self, index: object, given: str, name: str, arguments: str) -> OpenCall | None:
        """Find the call a fragment belongs to, or open one."""
        same = next((call for call in self._calls if given and call.given == given), None)
        if not isinstance(index, int):
            return same or self._find_without_index(given, name, arguments)
        call = self._by_index.get(index)
        if call is None and name:
            same = None  # a new place with a name is a new call, even under a used id
        if call is None or _is_another(call, given, name, arguments):
            call = self._by_index[index] = same or self._open()
        return call

    def _find_without_index(self, given: str, name: str, arguments: str) -> OpenCall | None:
        last = self._calls[-1] if self._calls else None
        if given or (name and (last is None or _is_another(last, given, name, arguments))):
            return self._open()
        return last

    def _open(self) -> OpenCall:
        call = OpenCall()
        self._calls.append(call)
        return call


def _is_another(call: OpenCall, given: str, name: str, arguments: str) -> bool:
    """Tell whether a fragment starts a new call though it stands where another is open.

    Some servers give every parallel call index 0. A name that is merely repeated is noise,
    unless arguments come with it and the open call's are already whole.
    """
    if given:
        return bool(call.given) and given != call.given
    if not name or not call.name:
        return False
    return name != call.name or (bool(arguments) and _is_whole(call.arguments))


def _is_whole(arguments: str) -> bool:
    try:
        return isinstance(read(arguments), dict)
    except Malformed:
        return False


def _delta(call: OpenCall, arguments: str, *, custom: bool) -> ToolCallDelta | None:
    """Give the fragment as an event; free text is no JSON, so its call comes whole only."""
    if custom:
        return None
    return ToolCallDelta(id=call.id, name=call.name, arguments=arguments)


def _whole(call: OpenCall) -> ToolCall:
    if not call.name:
        raise Malformed("tool_calls", "holds a call that names no function")
    custom = call.attributes.get("type") == "custom"
    arguments = call.arguments
    return ToolCall(
        id=call.id,
        name=call.name,
        arguments=arguments if custom or arguments.strip() else "{}",
        artefact=artefact_of(call.attributes),
    )
