"""The step that lowers tool parameters and the answer's schema, and turns the values back."""

from msgspec import Struct
from msgspec.structs import replace

from majordomo.contract import (
    Event,
    Malformed,
    Note,
    PartDone,
    Request,
    SchemaDialect,
    Tool,
    ToolCall,
    ToolCallDelta,
    Unsupported,
)
from majordomo.dialects.json import read, write_text

from .goal import Goal
from .schema import SUBSETS, Undo, Unlowerable, lower, restore
from .shim import Fitted


def fit_tool_schemas(request: Request, goal: Goal) -> Fitted | None:
    """Runs after emulation, which reads whole schemas and leaves no tools behind."""
    dialect = goal.capabilities.tool_schema
    if dialect == "full" or not request.tools:
        return None
    lowered = [_lowered(tool, dialect) for tool in request.tools]
    changed = [one for one in lowered if one.changed]
    if not changed:
        return None
    undos = {one.tool.name: one.undo for one in changed if one.undo is not None}
    notes = tuple(
        Note(kind="mapped", what=f"tool {one.tool.name}", why=f"its schema is said in {dialect}")
        for one in changed
    )
    return Fitted(
        request=replace(request, tools=tuple(one.tool for one in lowered)),
        notes=notes,
        lift=(lambda: ArgumentsBack(undos)) if undos else None,
    )


class ArgumentsBack:
    """Gives calls the arguments the caller's own schema describes.

    Fragments of arguments that must change cannot be shown as they come: they are held until
    the call is whole, and then told in one piece.
    """

    __slots__ = ("_undos",)

    def __init__(self, undos: dict[str, Undo]) -> None:
        self._undos = undos

    def feed(self, event: Event) -> tuple[Event, ...]:
        match event:
            case ToolCallDelta(name=name) if name in self._undos:
                return ()
            case PartDone(part=ToolCall(name=name) as call) if name in self._undos:
                whole = replace(call, arguments=restored(call.arguments, self._undos[name]))
                return (PartDone(part=whole),)
            case _:
                return (event,)

    def close(self) -> tuple[Event, ...]:
        return ()


def restored(text: str, undo: Undo) -> str:
    """Turn JSON text back; text that is no JSON is nobody's to improve."""
    try:
        return write_text(restore(read(text), undo))
    except Malformed:
        return text


class _Lowered(Struct, frozen=True, kw_only=True):
    tool: Tool
    changed: bool = False
    undo: Undo | None = None


def _lowered(tool: Tool, dialect: SchemaDialect) -> _Lowered:
    if tool.hosted or not tool.parameters:
        return _Lowered(tool=tool)
    try:
        lowered = lower(tool.parameters, SUBSETS[dialect], object_root=True)
    except Unlowerable as error:
        raise Unsupported(f"the schema of tool {tool.name!r} {error}", parameter="tools") from error
    if lowered.schema == tool.parameters:
        return _Lowered(tool=tool)
    return _Lowered(tool=replace(tool, parameters=lowered.schema), changed=True, undo=lowered.undo)
