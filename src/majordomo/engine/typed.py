"""An answer as a value of a type, and what is known of it while it is being written."""

from collections.abc import AsyncIterator
from typing import TYPE_CHECKING, Generic, Self, TypeVar

from msgspec.structs import replace

from majordomo.contract import (
    Exhausted,
    Failure,
    InvalidOutput,
    Json,
    Malformed,
    Message,
    Request,
    Response,
    ResponseDone,
    TextDelta,
    assistant,
    user,
)
from majordomo.fit.typed import Prefix, Shape, shape_of
from majordomo.route import UNUSABLE

from .stream import Stream

if TYPE_CHECKING:
    from .model import Model

T = TypeVar("T")

_ANSWERED = ("stop", "tool_calls", "unknown")  # every other reason is why there is no answer


class TypedStream(Generic[T]):
    """An asynchronous iterator of what is known so far, as plain JSON; then `value()`.

    Each item is the whole of what is known, not what was added. Where a target cannot show an
    answer in pieces there is only the last one. An answer that will not do is asked for again,
    and its items start over.
    """

    def __init__(self, model: "Model", kind: object, request: Request, asks: int) -> None:
        self._model = model
        self._shape = shape_of(kind)
        self._request = replace(request, schema=self._shape.schema, schema_name=self._shape.name)
        self._left = asks
        self._stream: Stream | None = None
        self._prefix = Prefix()
        self._known: Json = None
        self._value: list[T] = []  # the one, once there is one
        self._closed = False
        self.response: Response | None = None  # the one the value was read from

    async def value(self) -> T:
        """Read to the end and give the value; raises `InvalidOutput`."""
        while not self._value:
            if await self.next_partial() is None and not self._value:
                raise RuntimeError("the stream was left before its end")
        return self._value[0]

    def __aiter__(self) -> AsyncIterator[Json]:
        return self

    async def __anext__(self) -> Json:
        found = await self.next_partial()
        if found is None:
            raise StopAsyncIteration
        return found

    async def next_partial(self) -> Json:
        """Give what is known once there is more of it; None when the answer is whole."""
        while not (self._value or self._closed):
            try:
                found = await self._pull(self._stream or self._ask())
            except Failure as failure:
                self._failed(failure)
            except BaseException:
                self.close()
                raise
            else:
                if found is not None:
                    return found
        return None

    def close(self) -> None:
        self._closed = True
        if self._stream is not None:
            self._stream.close()

    async def aclose(self) -> None:
        self.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        self.close()

    def _ask(self) -> Stream:
        self._left -= 1
        self._prefix = Prefix()
        self._stream = self._model.stream(self._request)
        return self._stream

    async def _pull(self, stream: Stream) -> Json:
        while True:
            event = await stream.__anext__()  # `async for` would close it when something is found
            match event:
                case TextDelta(text=text):
                    if self._prefix.feed(text) and (found := self._news()) is not None:
                        return found
                case ResponseDone(response=response):
                    self._settle(response)
                    return None
                case _:
                    pass

    def _failed(self, failure: Failure) -> None:
        """Ask again where the answer was shown before it turned out wrong; give up otherwise."""
        if isinstance(failure, InvalidOutput) and self._left:
            self._correct(assistant(failure.text), failure.violations)
            return
        self.close()
        told = explained(failure, self._shape)
        if told is failure:
            raise failure
        raise told from failure

    def _news(self) -> Json:
        """Give what is known, if it is more than it was."""
        try:
            found = self._shape.unwrapped(self._prefix.value)
        except Malformed:
            return None
        if found == self._known:
            return None
        self._known = found
        return found

    def _settle(self, response: Response) -> None:
        why_none = _why_none(response)
        if why_none:
            faults: tuple[str, ...] = (why_none,)
            self._left = 0
        else:
            value, faults = self._shape.read(response.text)
            if not faults:
                self.response = response
                self._value.append(value)  # type: ignore[arg-type]  # the shape is the type's own
                return
        if not self._left:
            raise self._invalid(response, faults)
        self._correct(response.message, faults)

    def _correct(self, said: Message, faults: tuple[str, ...]) -> None:
        turns = (said, correction(faults)) if said.parts else (correction(faults),)
        self._request = replace(self._request, messages=(*self._request.messages, *turns))
        self._stream = None

    def _invalid(self, response: Response, faults: tuple[str, ...]) -> InvalidOutput:
        reason = f"no {self._shape.name} in the answer: {'; '.join(faults)}"
        return InvalidOutput(reason, text=response.text, violations=faults, target=response.model)


def correction(faults: tuple[str, ...]) -> Message:
    """Ask for a better answer, quoting what is wrong with the last."""
    listed = "\n".join(f"- {fault}" for fault in faults)
    return user(f"Your answer does not match the schema:\n{listed}\nGive the corrected answer.")


def explained(failure: Failure, shape: Shape) -> Failure:
    """Say what fitting gave up on in the same words as what is given up on here."""
    last = failure.last if isinstance(failure, Exhausted) else failure
    if isinstance(last, InvalidOutput) or last is None or last.code != UNUSABLE:
        return failure
    text = last.body if isinstance(last.body, str) else ""
    _, faults = shape.read(text)
    told = InvalidOutput(
        last.message, text=text, violations=faults or (last.message,), target=last.target
    )
    told.attempts = failure.attempts
    return told


def _why_none(response: Response) -> str:
    """Say why a reply is no answer that could be corrected; empty if it may be one."""
    if response.tool_calls:
        return "it called tools, which only an agent can run, instead of answering"
    if response.finish_reason not in _ANSWERED:
        return f"the answer ended with {response.finish_reason!r}"
    return ""
