"""Tools as this target takes them: native, written into the prompt, or refused."""

import operator
from collections.abc import Callable
from functools import partial
from typing import TypeAlias

from msgspec.structs import replace

from majordomo.contract import (
    AUTO,
    DialectName,
    Note,
    Request,
    Tool,
    ToolCall,
    ToolChoice,
    ToolResult,
    Unsupported,
)

from .goal import Goal
from .shim import Fitted, Lift
from .survey import CALLS

_Told: TypeAlias = tuple[Request, tuple[Note, ...]]

# Who cannot be told to choose from a part of the tools: the others are left out instead.
_NO_SUBSET: frozenset[DialectName] = frozenset({"anthropic", "ollama"})


def fit_tools(request: Request, goal: Goal) -> Fitted | None:
    if not request.tools:
        return _without_tools(request, goal)
    offered, notes = _offer(request, goal)
    if goal.capabilities.tools == "off":
        offered, more = _refuse(offered)
        return Fitted(request=offered, notes=notes + more)
    if goal.capabilities.tools == "emulated":
        return _emulate(offered, goal, notes)
    offered, more = _choose(offered, goal)
    notes += more
    _count(offered, goal)
    watch = _watch(offered) if goal.capabilities.rescue else None
    if offered is request and not notes and watch is None:
        return None
    return Fitted(request=offered, notes=notes, lift=watch)


def _without_tools(request: Request, goal: Goal) -> Fitted | None:
    """Nothing is offered now, but an emulated target must still be told what was called."""
    if goal.seen & CALLS and goal.capabilities.tools == "emulated" and _has_calls(request):
        return _emulate(request, goal, ())
    if request.tool_choice is AUTO or request.tool_choice == AUTO:
        return None
    if request.tool_choice.mode in {"required", "named"}:
        raise Unsupported("a tool must be called and none is offered", parameter="tool_choice")
    return Fitted(request=replace(request, tool_choice=AUTO))


def _has_calls(request: Request) -> bool:
    return any(
        isinstance(part, ToolCall | ToolResult)
        for message in request.messages
        for part in message.parts
    )


def _offer(request: Request, goal: Goal) -> _Told:
    """Leave out what only another provider can run, and all but the first of each name."""
    if _is_plain(request.tools):
        return _limited(request), ()
    kept: list[Tool] = []
    notes: list[Note] = []
    taken: set[str] = set()
    for tool in request.tools:
        if tool.hosted and not _runs(tool, goal):
            owner = tool.artefact.dialect if tool.artefact is not None else "nobody"
            why = f"only {owner} runs this tool"
            notes.append(Note(kind="dropped", what=f"tool {tool.name}", why=why))
        elif tool.name in taken and not tool.hosted:
            why = "a second tool of that name"
            notes.append(Note(kind="repaired", what=f"tool {tool.name}", why=why))
        else:
            taken.add(tool.name)
            kept.append(_own(tool, goal.dialect))
    same = len(kept) == len(request.tools) and all(map(operator.is_, kept, request.tools))
    return _limited(request if same else replace(request, tools=tuple(kept))), tuple(notes)


def _is_plain(tools: tuple[Tool, ...]) -> bool:
    """Whether these are functions of different names that no dialect left a mark on."""
    for tool in tools:
        if tool.hosted or tool.artefact is not None:
            return False
    return len({tool.name for tool in tools}) == len(tools)


def _runs(tool: Tool, goal: Goal) -> bool:
    native = goal.capabilities.tools == "native"
    return native and tool.artefact is not None and tool.artefact.dialect == goal.dialect


def _own(tool: Tool, dialect: DialectName) -> Tool:
    if tool.artefact is None or tool.artefact.dialect == dialect:
        return tool
    return replace(tool, artefact=None)


def _limited(request: Request) -> Request:
    """Let the choice name only tools that are there."""
    choice = request.tool_choice
    if choice is AUTO or choice == AUTO:
        return request
    names = {tool.name for tool in request.tools}
    if choice.mode == "named" and choice.name not in names:
        raise Unsupported(f"tool {choice.name!r} must be called and cannot be offered")
    if choice.mode == "required" and not names:
        raise Unsupported("a tool must be called and none can be offered")
    allowed = tuple(name for name in choice.allowed if name in names)
    if not names:
        return replace(request, tool_choice=AUTO)
    if len(allowed) == len(choice.allowed):
        return request
    return replace(request, tool_choice=replace(choice, allowed=allowed))


def _refuse(request: Request) -> _Told:
    if request.tool_choice.mode == "none" or not request.tools:
        note = Note(kind="mapped", what="tools", why="it has none, and none was to be called")
        return replace(request, tools=(), tool_choice=AUTO), (note,)
    raise Unsupported("this target has no tools", parameter="tools")


def _watch(request: Request) -> Callable[[], Lift] | None:
    """Look for calls printed as text, by targets that are known to do so now and then."""
    from .actions import rescue  # noqa: PLC0415 -- only where it is needed

    tools = tuple([tool for tool in request.tools if not tool.hosted])
    if not tools or request.tool_choice.mode == "none":
        return None
    return partial(rescue, tools)


def _emulate(request: Request, goal: Goal, notes: tuple[Note, ...]) -> Fitted:
    from .actions import shim  # noqa: PLC0415 -- most targets have tools of their own

    emulation = shim(request, goal.capabilities)
    if request.tools:
        why = "it has no tools of its own: they are written into the prompt"
        notes = (*notes, Note(kind="emulated", what="tools", why=why))
    return Fitted(
        request=emulation.lower(request), notes=notes + emulation.notes, lift=emulation.lift
    )


def _choose(request: Request, goal: Goal) -> _Told:
    request, notes = _choose_mode(request, goal)
    choice = request.tool_choice
    if choice.allowed and choice.mode == "named":
        choice = replace(choice, allowed=())
        request = replace(request, tool_choice=choice)
    if choice.allowed and goal.dialect in _NO_SUBSET:
        kept = tuple(tool for tool in request.tools if tool.name in choice.allowed or tool.hosted)
        choice = replace(choice, allowed=())
        request = replace(request, tools=kept, tool_choice=choice)
        why = "it cannot be limited to some: only those are offered"
        notes = (*notes, Note(kind="mapped", what="tool_choice.allowed", why=why))
    if choice.parallel is not None and not goal.capabilities.parallel_control:
        request = replace(request, tool_choice=replace(choice, parallel=None))
        if choice.parallel is False:
            why = "it cannot be told to make one call at a time"
            notes = (*notes, Note(kind="dropped", what="tool_choice.parallel", why=why))
    return request, notes


def _choose_mode(request: Request, goal: Goal) -> _Told:
    choice, modes = request.tool_choice, goal.capabilities.tool_choice
    if choice.mode == "auto" or choice.mode in modes:
        return request, ()
    if choice.mode == "none":
        note = Note(kind="mapped", what="tool_choice", why="none may be called: none is offered")
        return replace(request, tools=(), tool_choice=AUTO), (note,)
    if choice.mode == "named":
        kept = tuple(tool for tool in request.tools if tool.name == choice.name)
        request = replace(request, tools=kept)
        if "required" in modes:
            note = Note(kind="mapped", what="tool_choice", why="the named tool is the only one")
            return replace(request, tool_choice=_forced(choice)), (note,)
        choice = replace(choice, allowed=())
    note = Note(kind="downgraded", what="tool_choice", why="it cannot be made to call a tool")
    return replace(request, tool_choice=replace(choice, mode="auto", name="")), (note,)


def _forced(choice: ToolChoice) -> ToolChoice:
    return ToolChoice(mode="required", parallel=choice.parallel)


def _count(request: Request, goal: Goal) -> None:
    most = goal.capabilities.max_tools
    if most is not None and len(request.tools) > most:
        problem = f"{len(request.tools)} tools are offered; this target takes {most}"
        raise Unsupported(problem, parameter="tools")
