"""Tools that can be called: whatever goes wrong, the model is told and nothing is raised."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Sequence
from difflib import get_close_matches
from typing import TypeAlias

from msgspec import Struct

from majordomo.contract import Json, JsonObject, Malformed, Text, Tool, ToolCall, ToolResult
from majordomo.dialects.json import read
from majordomo.engine.sync import portal
from majordomo.fit.actions.coerce import coerce
from majordomo.fit.actions.text_value import read_text
from majordomo.fit.typed import Parameters
from majordomo.fit.validation import violations

from .encode import content_of, failure_text
from .invoke import invoke
from .tool import ToolFunction

PARALLEL = 8


class Toolbox:
    """Functions, tools with a handler, and other toolboxes, each under its own name."""

    def __init__(
        self, *tools: "ToolLike", timeout: float | None = None, parallel: int = PARALLEL
    ) -> None:
        """`timeout` in seconds for each call; at most `parallel` calls run at once."""
        self._entries: dict[str, _Entry] = {}
        self._timeout = timeout
        self.parallel = parallel
        for tool in tools:
            self.add(tool)

    def add(self, tool: "ToolLike") -> None:
        for entry in _entries(tool):
            name = entry.tool.name
            if name in self._entries:
                raise ValueError(f"there are two tools named {name!r}")
            self._entries[name] = entry

    @property
    def tools(self) -> tuple[Tool, ...]:
        """What to offer a model: `model.generate(…, tools=toolbox.tools)`."""
        return tuple(entry.tool for entry in self._entries.values())

    def __contains__(self, name: object) -> bool:
        return name in self._entries

    def __iter__(self) -> Iterator[Tool]:
        return iter(self.tools)

    def __len__(self) -> int:
        return len(self._entries)

    async def execute(self, call: ToolCall) -> ToolResult:
        """Run one call. Never raises: what goes wrong is a result that says so.

        Only cancellation passes through. A synchronous tool that is out of time goes on
        running on its thread; its result is not waited for.
        """
        entry = self._entries.get(call.name)
        if entry is None:
            return failed(call, self._unknown(call.name))
        try:
            arguments = _arguments(call, entry.tool)
        except Malformed as error:
            return failed(call, str(error))
        return await self._run(call, entry, arguments)

    async def execute_all(self, calls: Sequence[ToolCall]) -> tuple[ToolResult, ...]:
        """Run calls side by side; the results stand in the order of the calls."""
        gate = asyncio.Semaphore(self.parallel)

        async def one(call: ToolCall) -> ToolResult:
            async with gate:
                return await self.execute(call)

        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(one(call)) for call in calls]
        return tuple(task.result() for task in tasks)

    @property
    def sync(self) -> "SyncToolbox":
        return SyncToolbox(self)

    def entries(self) -> tuple["_Entry", ...]:
        return tuple(self._entries.values())

    async def _run(self, call: ToolCall, entry: "_Entry", arguments: JsonObject) -> ToolResult:
        seconds = self._timeout if entry.timeout is None else entry.timeout
        clock = asyncio.timeout(seconds)
        try:
            async with clock:
                value = await entry.run(arguments)
            content = content_of(value)
        except Malformed as error:
            return failed(call, f"The arguments do not fit: {error}")
        except TimeoutError as error:
            late = f"The tool did not finish within {seconds:g} s." if clock.expired() else ""
            return failed(call, late or failure_text(error))
        except asyncio.CancelledError as error:
            task = asyncio.current_task()
            if task is None or task.cancelling():
                raise
            return failed(call, failure_text(error))  # something of its own was cancelled
        except (Exception, SystemExit) as error:  # noqa: BLE001 -- a tool may raise anything
            return failed(call, failure_text(error))
        is_error = isinstance(value, ToolResult) and value.is_error
        return ToolResult(id=call.id, name=call.name, content=content, is_error=is_error)

    def _unknown(self, name: str) -> str:
        if not self._entries:
            return f"There is no tool named {name!r}: there are none."
        near = get_close_matches(name, self._entries, n=1)
        hint = f" Did you mean {near[0]!r}?" if near else ""
        return f"There is no tool named {name!r}.{hint} The tools are: {', '.join(self._entries)}."


ToolLike: TypeAlias = ToolFunction[..., object] | Tool | Toolbox | Callable[..., object]


class SyncToolbox:
    """`toolbox.sync`: the same calls, blocking."""

    def __init__(self, toolbox: Toolbox) -> None:
        self._toolbox = toolbox

    def execute(self, call: ToolCall) -> ToolResult:
        return portal().run(self._toolbox.execute(call))

    def execute_all(self, calls: Sequence[ToolCall]) -> tuple[ToolResult, ...]:
        return portal().run(self._toolbox.execute_all(calls))


def failed(call: ToolCall, text: str) -> ToolResult:
    return ToolResult(id=call.id, name=call.name, content=(Text(text=text),), is_error=True)


class _Entry(Struct, frozen=True, kw_only=True):
    tool: Tool
    run: Callable[[JsonObject], Awaitable[object]]
    timeout: float | None = None


def _entries(tool: ToolLike) -> tuple[_Entry, ...]:
    match tool:
        case Toolbox():
            return tool.entries()
        case Tool():
            return (_by_hand(tool),)
        case ToolFunction():
            function, parameters = tool.function, tool.parameters
            run = _runner(function, parameters)
            return (_Entry(tool=tool.tool, run=run, timeout=tool.timeout),)
        case _:
            return _entries(ToolFunction(tool, Tool(name="")))


def _by_hand(tool: Tool) -> _Entry:
    handler = tool.handler
    if handler is None:
        raise ValueError(f"tool {tool.name!r} has no handler, so nobody can run it")

    async def run(arguments: JsonObject) -> object:
        return await invoke(handler, **arguments)

    return _Entry(tool=tool, run=run)


def _runner(
    function: Callable[..., object], parameters: Parameters
) -> Callable[[JsonObject], Awaitable[object]]:
    async def run(arguments: JsonObject) -> object:
        positional, named = parameters.read(arguments)
        return await invoke(function, *positional, **named)

    return run


def _arguments(call: ToolCall, tool: Tool) -> JsonObject:
    """Read, coerce and check; raises `Malformed` in words a model can act on."""
    value = _read(call.arguments)
    if tool.parameters:
        value, _ = coerce(value, tool.parameters)
    if not isinstance(value, dict):
        raise Malformed("", "The arguments must be one JSON object.")
    faults = violations(value, tool.parameters) if tool.parameters else ()
    if faults:
        listed = "\n".join(f"- {fault}" for fault in faults)
        raise Malformed("", f"The arguments do not match the schema of {tool.name!r}:\n{listed}")
    return value


def _read(arguments: str) -> Json:
    if not arguments.strip():
        return {}
    try:
        return read(arguments, "")
    except Malformed as error:
        repaired = read_text(arguments)  # quotes and commas, never the end of what was cut off
        if repaired is None:
            problem = error.problem.removeprefix("is ")
            raise Malformed("", f"The arguments cannot be read: {problem}") from error
        return repaired
