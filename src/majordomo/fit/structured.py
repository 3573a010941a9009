"""An answer of a given shape: natively, through a tool it must call, or through the prompt."""

from typing import Literal, TypeAlias

from msgspec.structs import replace

from majordomo.contract import (
    Capabilities,
    Note,
    Request,
    Tool,
    ToolChoice,
    Unsupported,
)
from majordomo.dialects.json import write_text

from .answer import Answer, Checked
from .goal import Goal
from .history.naming import legal_name
from .lowering import lowered_for, lowers_answer
from .schema import Unlowerable
from .shim import Fitted
from .validation import check_schema

_Way: TypeAlias = Literal["tool", "prompt"]
_JSON_ONLY = "Answer with JSON only: no prose, no code fence."


def fit_structured(request: Request, goal: Goal) -> Fitted | None:
    """Whatever the target promises, the reply is checked against the caller's own schema."""
    if request.schema is None:
        return None
    capabilities = goal.capabilities
    if capabilities.structured == "off":
        raise Unsupported("this target gives no structured output", parameter="schema")
    check_schema(request.schema)
    if not request.schema:
        return _any_json(request, goal)
    if capabilities.structured == "native":
        try:
            return _native(request, goal)
        except Unlowerable as error:
            way, reason = _next_best(capabilities), f"its schema {error}"
    else:
        way, reason = capabilities.structured, "it has no native structured output"
    if way == "tool":
        return _through_tool(request, goal, reason)
    return _through_prompt(request, goal, reason)


def _native(request: Request, goal: Goal) -> Fitted:
    """Leave the schema as it is: it is lowered later, for whoever asks for one."""
    schema = request.schema or {}
    if lowers_answer(request, goal):
        lowered_for(schema, goal.capabilities.schema)  # raises if it will not be possible
    answer = Answer(schema=schema, request=request, partial=goal.partial)
    return Fitted(request=request, lift=lambda: Checked(answer))


def _next_best(capabilities: Capabilities) -> _Way:
    forced = {"required", "named"}.intersection(capabilities.tool_choice)
    return "tool" if capabilities.tools == "native" and forced else "prompt"


def _any_json(request: Request, goal: Goal) -> Fitted:
    """JSON of any shape. OpenAI refuses to give it unless the prompt says the word."""
    native = goal.capabilities.json_mode and goal.dialect != "anthropic"
    fitted = request
    notes: tuple[Note, ...] = ()
    if not native:
        fitted = replace(request, schema=None)
        notes = (Note(kind="emulated", what="schema", why="asked for in the prompt"),)
    elif not _says_json(request):
        why = "the prompt is made to say JSON, which some insist on"
        notes = (Note(kind="mapped", what="schema", why=why),)
    if notes:
        fitted = replace(fitted, system=_added(request.system, _JSON_ONLY))
    answer = Answer(schema={}, request=fitted, partial=goal.partial and native)
    return Fitted(request=fitted, notes=notes, lift=lambda: Checked(answer))


def _says_json(request: Request) -> bool:
    texts = [request.system, *(message.text for message in request.messages)]
    return any("json" in text.lower() for text in texts)


def _through_tool(request: Request, goal: Goal, reason: str) -> Fitted:
    schema = request.schema or {}
    capabilities = goal.capabilities
    taken = [tool.name for tool in request.tools]
    name = legal_name(request.schema_name, capabilities.tool_name, taken)
    wrapped = schema.get("type") != "object"
    tool = Tool(
        name=name,
        description="Give your final answer by calling this tool.",
        parameters={"type": "object", "properties": {"value": schema}, "required": ["value"]}
        if wrapped
        else schema,
    )
    others = () if request.tool_choice.mode == "none" else request.tools
    fitted = replace(
        request,
        schema=None,
        tools=(*others, tool),
        tool_choice=_with_others(request.tool_choice, name, capabilities)
        if others
        else _alone(name, capabilities),
    )
    if fitted.tool_choice.mode == "auto":
        hint = f"Give your final answer by calling the tool {name}."
        fitted = replace(fitted, system=_added(request.system, hint))
    note = Note(kind="emulated", what="schema", why=f"{reason}: asked for through a tool")
    answer = Answer(schema=schema, request=fitted, tool=name, wrapped=wrapped)
    return Fitted(request=fitted, notes=(note,), lift=lambda: Checked(answer))


def _alone(name: str, capabilities: Capabilities) -> ToolChoice:
    parallel = False if capabilities.parallel_control else None
    if "named" in capabilities.tool_choice:
        return ToolChoice(mode="named", name=name, parallel=parallel)
    if "required" in capabilities.tool_choice:
        return ToolChoice(mode="required", parallel=parallel)
    return ToolChoice(parallel=parallel)


def _with_others(choice: ToolChoice, name: str, capabilities: Capabilities) -> ToolChoice:
    """With tools of the caller's own beside it, some tool must be called: theirs or the answer."""
    if choice.mode == "named":
        return choice  # theirs comes first
    allowed = (*choice.allowed, name) if choice.allowed else ()
    mode = "required" if "required" in capabilities.tool_choice else choice.mode
    return replace(choice, mode=mode, allowed=allowed)


def _through_prompt(request: Request, goal: Goal, reason: str) -> Fitted:
    schema = request.schema or {}
    demand = f"{_JSON_ONLY} It must match this JSON Schema:\n{write_text(schema)}"
    json_mode = goal.capabilities.json_mode and goal.dialect != "anthropic" and not request.tools
    fitted = replace(
        request, system=_added(request.system, demand), schema={} if json_mode else None
    )
    note = Note(kind="emulated", what="schema", why=f"{reason}: asked for in the prompt")
    answer = Answer(schema=schema, request=fitted)
    return Fitted(request=fitted, notes=(note,), lift=lambda: Checked(answer))


def _added(system: str, demand: str) -> str:
    return f"{system}\n\n{demand}" if system else demand
