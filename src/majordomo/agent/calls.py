"""The calls of one turn: checked one by one, run side by side, answered in order."""

import asyncio
from collections.abc import Sequence
from typing import TypeAlias

from majordomo.contract import ToolCall, ToolResult

from .approval import Approve, judged
from .event import CallFinished, CallStarted
from .guard import Repeats
from .toolbox import Toolbox, failed

CallEvent: TypeAlias = CallStarted | CallFinished


class Calls:
    """`pull` gives what happened next; `results` are whole once it gives nothing more."""

    def __init__(
        self, calls: Sequence[ToolCall], toolbox: Toolbox, repeats: Repeats, *, most: int
    ) -> None:
        self._calls = list(calls)
        self._toolbox = toolbox
        self._repeats = repeats
        self._most = most
        self._gate = asyncio.Semaphore(toolbox.parallel)
        self._next = 0
        self._running: dict[asyncio.Task[ToolResult], tuple[int, ToolCall]] = {}
        self._results: dict[int, ToolResult] = {}
        self._refused = 0

    async def pull(self, approve: Approve | None) -> Sequence[CallEvent]:
        """Start every call, then wait for the next to finish."""
        if self._next < len(self._calls):
            return await self._start(approve)
        if not self._running:
            return ()
        done, _ = await asyncio.wait(self._running, return_when=asyncio.FIRST_COMPLETED)
        return [self._finished(task) for task in sorted(done, key=self._order)]

    @property
    def results(self) -> tuple[ToolResult, ...]:
        return tuple(self._results[index] for index in sorted(self._results))

    @property
    def all_refused(self) -> bool:
        """Whether all of them were repetitions."""
        return self._refused == len(self._calls)

    def abandon(self, reason: str) -> tuple[ToolResult, ...]:
        """Stop what is running; what has no result gets one that says why."""
        self.close()
        for index, call in enumerate(self._calls):
            self._results.setdefault(index, failed(call, reason))
        return self.results

    def close(self) -> None:
        for task in self._running:
            task.cancel()
        self._running = {}

    async def _start(self, approve: Approve | None) -> Sequence[CallEvent]:
        """Ask about the next call and start it, or say at once why it is not made."""
        index, call = self._next, self._calls[self._next]
        reason = self._turned_away(index, call)
        if not reason:
            verdict = await judged(approve, call)
            if isinstance(verdict, ToolCall):
                self._next += 1
                task = asyncio.create_task(self._run(verdict))
                self._running[task] = (index, verdict)
                return (CallStarted(call=verdict),)
            reason = verdict
        self._next += 1
        self._results[index] = failed(call, reason)
        return (CallFinished(call=call, result=self._results[index]),)

    def _turned_away(self, index: int, call: ToolCall) -> str:
        if index >= self._most:
            return f"Not run: more than {self._most} calls at once. Ask again for what you need."
        reason = self._repeats.refusal(call)
        self._refused += bool(reason)
        return reason

    async def _run(self, call: ToolCall) -> ToolResult:
        async with self._gate:
            return await self._toolbox.execute(call)

    def _finished(self, task: asyncio.Task[ToolResult]) -> CallFinished:
        index, call = self._running.pop(task)
        result = task.result()
        self._results[index] = result
        self._repeats.ran(call, result)
        return CallFinished(call=call, result=result)

    def _order(self, task: asyncio.Task[ToolResult]) -> int:
        return self._running[task][0]
