"""One run of an agent: ask, call, tell, and again, within bounds."""

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Awaitable
from typing import TYPE_CHECKING, Self, TypeVar

from msgspec.structs import replace

from majordomo.contract import (
    AUTO,
    UNKNOWN,
    FinishReason,
    Message,
    Request,
    Response,
    ResponseDone,
    TextDelta,
    ThinkingDelta,
    ToolResult,
    Usage,
    tool_results,
)
from majordomo.dialects.estimate import estimate
from majordomo.engine.stream import Stream

from .calls import Calls
from .event import AgentEvent, RunDone, TurnDone
from .guard import Repeats
from .limits import Ending
from .run import Run, unanswered
from .stop import Progress

if TYPE_CHECKING:
    from .agent import Agent

T = TypeVar("T")

_ENDINGS: dict[FinishReason, Ending] = {
    "length": "cut",
    "content_filter": "refused",
    "refusal": "refused",
    "cancelled": "cut",
    "error": "cut",
}


class AgentStream:
    """An asynchronous iterator of events whose last one is `RunDone`.

    `messages` is the history so far at any time, also after a failure. Leaving the
    `async for` or the `async with` closes the upstream and cancels running tools at once.
    """

    def __init__(self, agent: "Agent", request: Request) -> None:
        self.messages: tuple[Message, ...] = request.messages
        self._agent = agent
        self._request = request
        self._events: deque[AgentEvent] = deque()
        self._stream: Stream | None = None
        self._repeats = Repeats(agent.limits.repeats)
        self._calls: Calls | None = None
        self._response: Response | None = None
        self._steps = 0
        self._usage: Usage = UNKNOWN
        self._spent = 0  # tokens, counted or estimated
        self._deadline: float | None = None
        self._begun = False
        self._run: Run | None = None
        self._closed = False

    async def result(self) -> Run:
        """Go on to the end and say what came of it."""
        while self._run is None and not self._closed:
            await self._advance()
        if self._run is None:
            raise RuntimeError("the run was left before its end")
        return self._run

    def __aiter__(self) -> AsyncIterator[AgentEvent]:
        return _Events(self)

    async def __anext__(self) -> AgentEvent:
        while not self._events:
            if self._run is not None or self._closed:
                raise StopAsyncIteration
            await self._advance()
        return self._events.popleft()

    def close(self) -> None:
        """Close the upstream and cancel running tools; nothing more will come."""
        self._closed = True
        if self._stream is not None:
            self._stream.close()
        if self._calls is not None:
            self._calls.close()

    async def aclose(self) -> None:
        self.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        self.close()

    async def _advance(self) -> None:
        if not self._begun:
            self._begin()
        try:
            self._look_at_the_clock()
            if self._calls is not None:
                await self._call(self._calls)
            else:
                await self._listen(self._stream or self._ask())
        except _OutOfTimeError:
            self._out_of_time()
        except BaseException:
            self.close()
            raise

    def _begin(self) -> None:
        self._begun = True
        seconds = self._agent.limits.seconds
        if seconds is not None:
            self._deadline = asyncio.get_running_loop().time() + seconds
        if unanswered(self.messages):
            self._start_calls()  # where an earlier run ended

    def _ask(self) -> Stream:
        request = replace(self._request, messages=self.messages)
        if self._steps and request.tool_choice.mode in {"required", "named"}:
            # Made to call in every turn, it could never give its answer.
            request = replace(request, tool_choice=AUTO)
        self._stream = self._agent.model.stream(request)
        return self._stream

    async def _listen(self, stream: Stream) -> None:
        for event in await self._in_time(stream.next_batch()):
            match event:
                case TextDelta() | ThinkingDelta():
                    self._events.append(event)
                case ResponseDone(response=response):
                    self._stream = None
                    self._turn(response)
                case _:
                    pass

    def _turn(self, response: Response) -> None:
        self._steps += 1
        self._response = response
        self._spend(response)
        if response.parts:
            self.messages = (*self.messages, response.message)
        self._events.append(TurnDone(step=self._steps, response=response))
        if response.tool_calls:
            if not self._over_budget():
                self._start_calls()
        elif not self._stopped(()):
            if response.finish_reason == "pause":
                self._over_budget()
            else:
                self._end(_ENDINGS.get(response.finish_reason) or _answered(response))

    def _spend(self, response: Response) -> None:
        self._usage += response.usage
        if response.usage.known:
            self._spent += response.usage.total
        elif self._agent.limits.tokens is not None:
            said = (*self.messages, response.message)
            self._spent += estimate(replace(self._request, messages=said))

    def _start_calls(self) -> None:
        limits = self._agent.limits
        self._calls = Calls(
            unanswered(self.messages), self._agent.toolbox, self._repeats, most=limits.calls
        )

    async def _call(self, calls: Calls) -> None:
        events = await self._in_time(calls.pull(self._agent.approve))
        self._events.extend(events)
        if events:
            return
        self._calls = None
        self._told(calls.results)
        if self._stopped(calls.results):
            return
        if self._repeats.hopeless(all_refused=calls.all_refused):
            self._end("repeating")
        else:
            self._over_budget()

    def _told(self, results: tuple[ToolResult, ...]) -> None:
        self.messages = (*self.messages, tool_results(*results))

    def _stopped(self, results: tuple[ToolResult, ...]) -> bool:
        until, response = self._agent.until, self._response
        if until is None or response is None:
            return False
        progress = Progress(
            step=self._steps,
            response=response,
            results=results,
            messages=self.messages,
            usage=self._usage,
        )
        if not until(progress):
            return False
        self._end("stopped")
        return True

    def _over_budget(self) -> bool:
        limits = self._agent.limits
        if limits.tokens is not None and self._spent >= limits.tokens:
            self._end("tokens")
        elif self._steps >= limits.steps:
            self._end("steps")
        return self._run is not None

    def _out_of_time(self) -> None:
        if self._calls is not None:
            self._told(self._calls.abandon("Not finished: the time for this run was over."))
        self.close()
        self._end("time")

    def _end(self, ending: Ending) -> None:
        self._run = Run(
            ending=ending,
            messages=self.messages,
            response=self._response,
            steps=self._steps,
            usage=self._usage,
        )
        self._events.append(RunDone(run=self._run))

    def _look_at_the_clock(self) -> None:
        """See also what never waits, and so never notices a timer."""
        if self._deadline is not None and asyncio.get_running_loop().time() >= self._deadline:
            raise _OutOfTimeError

    async def _in_time(self, work: Awaitable[T]) -> T:
        clock = asyncio.timeout_at(self._deadline)
        try:
            async with clock:
                return await work
        except TimeoutError:
            if clock.expired():
                raise _OutOfTimeError from None
            raise


class _OutOfTimeError(Exception):
    """The run's time is over; it never leaves this file."""


class _Events:
    """What `async for` holds: when the loop is left it goes, and the run with it."""

    __slots__ = ("_stream",)

    def __init__(self, stream: AgentStream) -> None:
        self._stream = stream

    def __aiter__(self) -> Self:
        return self

    def __anext__(self) -> Awaitable[AgentEvent]:
        return self._stream.__anext__()

    def __del__(self) -> None:
        self._stream.close()


def _answered(response: Response) -> Ending:
    return "answered" if response.text.strip() else "empty"
