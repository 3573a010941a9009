"""Agents for programs without an event loop."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Self

from majordomo.contract import Message, Prompt
from majordomo.engine.sync import portal

from .event import AgentEvent
from .run import Run

if TYPE_CHECKING:
    from .agent import Agent
    from .loop import AgentStream


class SyncAgent:
    """`agent.sync`: the same calls, blocking."""

    def __init__(self, agent: "Agent") -> None:
        self._agent = agent

    def run(self, prompt: Prompt = (), *, history: Sequence[Message] = ()) -> Run:
        return portal().run(self._agent.run(prompt, history=history))

    def stream(self, prompt: Prompt = (), *, history: Sequence[Message] = ()) -> "SyncAgentStream":
        return SyncAgentStream(self._agent.stream(prompt, history=history))


class SyncAgentStream:
    """`AgentStream` for a plain `for`."""

    def __init__(self, stream: "AgentStream") -> None:
        self._stream = stream

    def __iter__(self) -> Iterator[AgentEvent]:
        try:
            while (event := portal().run(self._next())) is not None:
                yield event
        finally:
            self.close()

    def result(self) -> Run:
        return portal().run(self._stream.result())

    @property
    def messages(self) -> tuple[Message, ...]:
        return self._stream.messages

    def close(self) -> None:
        portal().run(self._stream.aclose())

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    async def _next(self) -> AgentEvent | None:
        try:
            return await self._stream.__anext__()
        except StopAsyncIteration:
            return None
