"""Agents for programs without an event loop."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Self, TypeVar, overload

from majordomo.contract import Message, Prompt
from majordomo.engine.sync import portal

from .event import AgentEvent
from .run import Run

if TYPE_CHECKING:
    from .agent import Agent
    from .loop import AgentStream


T = TypeVar("T")


class SyncAgent:
    """`agent.sync`: the same calls, blocking."""

    def __init__(self, agent: "Agent") -> None:
        self._agent = agent

    def run(self, prompt: Prompt = (), *, history: Sequence[Message] = ()) -> Run:
        return portal().run(self._agent.run(prompt, history=history))

    @overload
    def run_as(
        self,
        kind: type[T],
        prompt: Prompt = (),
        *,
        history: Sequence[Message] = (),
        asks: int = 3,
    ) -> T: ...

    @overload
    def run_as(
        self,
        kind: object,
        prompt: Prompt = (),
        *,
        history: Sequence[Message] = (),
        asks: int = 3,
    ) -> Any: ...  # noqa: ANN401 -- as in `Agent`

    def run_as(
        self,
        kind: object,
        prompt: Prompt = (),
        *,
        history: Sequence[Message] = (),
        asks: int = 3,
    ) -> object:
        return portal().run(self._agent.run_as(kind, prompt, history=history, asks=asks))

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
