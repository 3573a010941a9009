"""Tool definitions and the choice among them, both ways.

https://platform.claude.com/docs/en/agents-and-tools/tool-use/define-tools
"""

from collections.abc import Sequence

from majordomo.contract import (
    AUTO,
    Artefact,
    Json,
    JsonObject,
    Malformed,
    Tool,
    ToolChoice,
    ToolChoiceMode,
)
from majordomo.dialects.artefact import own
from majordomo.dialects.json import (
    list_at,
    object_at,
    optional_bool,
    optional_string,
    sparse,
    string_at,
)

from .part import NAME, attributes
from .plain import plain_tool


def decode_tools(wire: Json, where: str = "tools") -> tuple[Tool, ...]:
    if wire is None:
        return ()
    tools: list[Tool] = []
    for index, item in enumerate(list_at(wire, where)):
        tool = plain_tool(item)
        if tool is None:
            at = f"{where}[{index}]"
            tool = _decode_tool(object_at(item, at), at)
        tools.append(tool)
    return tuple(tools)


def encode_tools(tools: Sequence[Tool]) -> list[Json]:
    return [wire for tool in tools if (wire := _encode_tool(tool)) is not None]


def decode_choice(wire: Json, where: str = "tool_choice") -> ToolChoice:
    if wire is None:
        return AUTO
    choice = object_at(wire, where)
    word = string_at(choice.get("type"), f"{where}.type")
    mode = _MODES.get(word)
    if mode is None:
        raise Malformed(f"{where}.type", f"is {word!r}, not auto, any, tool or none")
    single = optional_bool(choice, "disable_parallel_tool_use", where)
    return ToolChoice(
        mode=mode,
        name=string_at(choice.get("name"), f"{where}.name") if mode == "named" else "",
        parallel=None if single is None else not single,
    )


def encode_choice(choice: ToolChoice) -> JsonObject | None:
    """Write the choice; the default is not sent, and "none" takes no word on parallel calls."""
    single = None if choice.parallel is None or choice.mode == "none" else not choice.parallel
    if choice.mode == "auto" and single is None:
        return None
    return sparse(
        {
            "type": _WORDS[choice.mode],
            "name": choice.name if choice.mode == "named" else None,
            "disable_parallel_tool_use": single,
        }
    )


def _decode_tool(wire: JsonObject, where: str) -> Tool:
    kind = optional_string(wire, "type", where)
    if kind not in {None, "custom"}:
        # Versioned server tools and toolsets; a toolset has no name of its own.
        name = optional_string(wire, "name", where) or kind or ""
        return Tool(name=name, hosted=True, artefact=Artefact(dialect=NAME, value=wire))
    schema = wire.get("input_schema")
    return Tool(
        name=string_at(wire.get("name"), f"{where}.name"),
        description=optional_string(wire, "description", where) or "",
        parameters={} if schema is None else object_at(schema, f"{where}.input_schema"),
        strict=optional_bool(wire, "strict", where),
        artefact=attributes(wire, _KNOWN),
    )


def _encode_tool(tool: Tool) -> JsonObject | None:
    attached = own(tool.artefact, NAME)
    if tool.hosted:
        return attached or None  # another provider's own tool cannot run here
    # `input_schema.type` is required, even of a tool that takes nothing.
    schema = tool.parameters if "type" in tool.parameters else {"type": "object", **tool.parameters}
    if not attached and tool.description and tool.strict is None:  # nearly every one
        return {"name": tool.name, "description": tool.description, "input_schema": schema}
    wire: JsonObject = {
        "name": tool.name,
        "description": tool.description or None,
        "input_schema": schema,
        "strict": tool.strict,
    }
    return {**sparse(wire), **attached}


_KNOWN = frozenset({"type", "name", "description", "input_schema", "strict"})
_MODES: dict[str, ToolChoiceMode] = {
    "auto": "auto",
    "none": "none",
    "any": "required",
    "tool": "named",
}
_WORDS: dict[ToolChoiceMode, str] = {mode: word for word, mode in _MODES.items()}
