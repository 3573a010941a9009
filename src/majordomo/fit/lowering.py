"""The step that says schemas in the target's subset, and turns values back on the way home."""

from collections.abc import Iterable
from functools import lru_cache
from typing import ClassVar

from msgspec.structs import replace

from majordomo.contract import (
    Event,
    Finish,
    JsonObject,
    Malformed,
    Note,
    PartDone,
    Request,
    SchemaDialect,
    Text,
    TextDelta,
    Tool,
    ToolCall,
    ToolCallDelta,
    Unsupported,
)
from majordomo.dialects.json import object_at, read, write, write_text

from .goal import Goal
from .schema import SUBSETS, Lowered, Undo, Unlowerable, lower, restore
from .shim import Fitted


def fit_schemas(request: Request, goal: Goal) -> Fitted | None:
    """Runs after emulation, which reads whole schemas, leaves no tools and may ask for an answer.

    What the target cannot be told is in the descriptions, and still checked on our side.
    """
    if request.schema is None and (not request.tools or goal.capabilities.tool_schema == "full"):
        return None
    tools, undos, notes = _fit_tools(request.tools, goal.capabilities.tool_schema)
    fitted = request if tools is request.tools else replace(request, tools=tools)
    answer = None
    if request.schema and lowers_answer(request, goal):
        lowered = lowered_for(request.schema, goal.capabilities.schema)
        # What is written for OpenAI's strict mode is only held to in it.
        strict = True if goal.capabilities.schema == "openai_strict" else request.schema_strict
        if lowered.schema != request.schema or strict != request.schema_strict:
            fitted = replace(fitted, schema=lowered.schema, schema_strict=strict)
        if lowered.schema != request.schema:
            why = f"said in {goal.capabilities.schema}; the whole of it is still checked"
            notes = (*notes, Note(kind="mapped", what="schema", why=why))
        answer = lowered.undo
    if fitted is request:
        return None
    lift = (lambda: ValuesBack(undos, answer)) if undos or answer else None
    return Fitted(request=fitted, notes=notes, lift=lift)


def lowers_answer(request: Request, goal: Goal) -> bool:
    """Whether the answer's schema must be said in a subset.

    For OpenAI, who said strict wrote it for that mode, and who said not strict may say anything.
    """
    dialect = goal.capabilities.schema
    return dialect != "full" and not (
        dialect == "openai_strict" and request.schema_strict is not None
    )


def lowered_for(schema: JsonObject, dialect: SchemaDialect, *, root: bool = False) -> Lowered:
    """Lower a schema once: clients offer the same tools in every turn."""
    return _lowered(write(schema), dialect, root=root)


@lru_cache(maxsize=512)
def _lowered(schema: bytes, dialect: SchemaDialect, *, root: bool) -> Lowered:
    return lower(object_at(read(schema), "schema"), SUBSETS[dialect], object_root=root)


class ValuesBack:
    """Gives calls and answers the values the caller's own schema describes.

    Pieces of a value that must change cannot be shown as they come: they are held until it is
    whole, and then told at once.
    """

    __slots__ = ("_answer", "_deltas", "_held", "_undos")
    may_ask_again: ClassVar[bool] = False

    def __init__(self, undos: dict[str, Undo], answer: Undo | None) -> None:
        self._undos = undos
        self._answer = answer
        self._held: list[str] = []
        self._deltas = False

    def feed(self, event: Event) -> Iterable[Event]:
        match event:
            case ToolCallDelta(name=name) if name in self._undos:
                return ()
            case PartDone(part=ToolCall(name=name) as call) if name in self._undos:
                whole = replace(call, arguments=_restored(call.arguments, self._undos[name]))
                return (PartDone(part=whole),)
            case TextDelta() | PartDone(part=Text()) if self._answer is not None:
                self._hold(event)
                return ()
            case Finish() if self._held:
                return (*self.close(), event)
            case _:
                return (event,)

    def close(self) -> Iterable[Event]:
        text, self._held = "".join(self._held), []
        if not text or self._answer is None:
            return ()
        whole = _restored(text, self._answer)
        return (TextDelta(text=whole), PartDone(part=Text(text=whole)))

    def _hold(self, event: TextDelta | PartDone) -> None:
        match event:
            case TextDelta(text=text):
                self._deltas = True
                self._held.append(text)
            case PartDone(part=Text(text=text)):
                if not self._deltas:
                    self._held.append(text)
                self._deltas = False
            case PartDone():
                pass


def _fit_tools(
    tools: tuple[Tool, ...], dialect: SchemaDialect
) -> tuple[tuple[Tool, ...], dict[str, Undo], tuple[Note, ...]]:
    undos: dict[str, Undo] = {}
    if dialect == "full" or not tools:
        return tools, undos, ()
    told: list[Tool] = []
    notes: list[Note] = []
    for tool in tools:
        if tool.hosted or not tool.parameters:
            told.append(tool)
            continue
        lowered = _parameters(tool, dialect)
        if lowered.undo is not None:
            undos[tool.name] = lowered.undo
        if lowered.schema == tool.parameters:
            told.append(tool)
            continue
        told.append(replace(tool, parameters=lowered.schema))
        why = f"its schema is said in {dialect}"
        notes.append(Note(kind="mapped", what=f"tool {tool.name}", why=why))
    return (tuple(told) if notes else tools), undos, tuple(notes)


def _parameters(tool: Tool, dialect: SchemaDialect) -> Lowered:
    try:
        return lowered_for(tool.parameters, dialect, root=True)
    except Unlowerable as error:
        raise Unsupported(f"the schema of tool {tool.name!r} {error}", parameter="tools") from error


def _restored(text: str, undo: Undo) -> str:
    """Turn JSON text back; text that is no JSON is nobody's to improve."""
    try:
        return write_text(restore(read(text), undo))
    except Malformed:
        return text
