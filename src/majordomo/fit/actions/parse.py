"""The parser as one call: a reply's text in, its prose and its tool calls out."""

from collections.abc import Iterable, Sequence
from typing import assert_never

from majordomo.contract import JsonObject, Malformed, Note, Tool, ToolCall
from majordomo.dialects.json import write_text

from .draft import Broken, Called, Piece, Prose
from .finder import Finder
from .names import Offers
from .seam import Seam


def parse(
    text: str, tools: Sequence[Tool | JsonObject]
) -> tuple[str, tuple[ToolCall, ...], tuple[Note, ...]]:
    """Split a reply into its text, the calls it makes, and notes on what was repaired or refused.

    Only offered tools are called, and only with arguments valid in their schemas, coerced
    towards them where the meaning is plain. A block that was meant as a call and cannot be
    one stays in the text, verbatim, with a note that says what is wrong with it.

    Tools may also be given as the JSON that any of the dialects has for them.
    """
    finder = Finder(Offers([as_tool(tool) for tool in tools]))
    return collect((*finder.feed(text), *finder.close()))


def as_tool(tool: Tool | JsonObject) -> Tool:
    """Read a definition in OpenAI's, Anthropic's or Gemini's notation."""
    if isinstance(tool, Tool):
        return tool
    inner = tool.get("function")
    plain = inner if isinstance(inner, dict) else tool
    name, description = plain.get("name"), plain.get("description")
    if not isinstance(name, str):
        raise Malformed("tools", "has one without a name")
    schema: JsonObject = {}
    for key in _SCHEMA_KEYS:
        if isinstance(found := plain.get(key), dict):
            schema = found
    return Tool(
        name=name,
        description=description if isinstance(description, str) else "",
        parameters=schema,
    )


_SCHEMA_KEYS = ("parameters", "input_schema", "inputSchema", "parametersJsonSchema")


def collect(
    pieces: Iterable[Piece],
) -> tuple[str, tuple[ToolCall, ...], tuple[Note, ...]]:
    """Add pieces up: prose is joined where blocks were taken out of it."""
    seam = Seam()
    said: list[str] = []
    calls: list[ToolCall] = []
    notes: list[Note] = []
    for piece in pieces:
        match piece:
            case Prose(text=text):
                said += seam.feed(text)
            case Called():
                seam.cut()
                calls.append(
                    ToolCall(
                        id=f"call_{len(calls) + 1}",
                        name=piece.name,
                        arguments=write_text(piece.arguments),
                    )
                )
                notes += repair_notes(piece)
            case Broken():
                said += seam.feed(piece.raw)
                notes.append(Note(kind="dropped", what=f"actions.{piece.form}", why=piece.fault))
            case _:
                assert_never(piece)
    said += seam.close()
    return "".join(said), tuple(calls), tuple(notes)


def repair_notes(call: Called) -> list[Note]:
    where = f"actions.{call.name}"
    return [Note(kind="repaired", what=where, why=repair) for repair in call.repairs]
