"""A model in memory that says what it was told to: for tests of programs that use models.

model = scripted("Hello!", RateLimited("slow down"))
assert (await model.generate("hi")).text == "Hello!"
assert model.requests[0].messages[-1].text == "hi"
"""

from collections.abc import Callable, Sequence
from typing import TypeAlias, Unpack

from majordomo.contract import (
    Attempt,
    Event,
    Failure,
    Options,
    Prompt,
    Request,
    Response,
    as_request,
    parts,
    unfold,
)
from majordomo.engine.model import Model
from majordomo.engine.stream import Served, Stream

Reply: TypeAlias = str | Response | Failure | Sequence[Event | Failure]
Line: TypeAlias = Reply | Callable[[Request], Reply]


def scripted(*lines: Line, name: str = "scripted/model") -> "Scripted":
    """Give a model that answers with these in order; a callable answers all that come after."""
    return Scripted(lines, name)


class Scripted(Model):
    """What it was asked is in `requests`, in order."""

    def __init__(self, lines: Sequence[Line], name: str) -> None:
        self.requests: list[Request] = []
        self._lines = list(lines)
        self._name = name

    @property
    def name(self) -> str:
        return self._name

    def stream(
        self, prompt: Prompt, *, partial_tool_calls: bool = False, **options: Unpack[Options]
    ) -> Stream:
        del partial_tool_calls  # a script says what it says
        return Stream(_Recital(self, as_request(prompt, **options)))

    def answer(self, request: Request) -> Reply:
        """Take the next line of the script."""
        self.requests.append(request)
        if not self._lines:
            raise AssertionError(f"the script has no line for request {len(self.requests)}")
        line = self._lines[0]
        if callable(line):
            return line(request)
        self._lines.pop(0)
        return line


class _Recital:
    """One reply of the script, an event at a time."""

    def __init__(self, model: Scripted, request: Request) -> None:
        self._model = model
        self._request = request
        self._rest: list[Event | Failure] | None = None

    async def pull(self) -> Sequence[Event]:
        if self._rest is None:
            self._rest = _spelled_out(self._model.answer(self._request))
        if not self._rest:
            return ()
        item = self._rest.pop(0)
        if isinstance(item, Failure):
            item.target = item.target or self._model.name
            item.attempts = (self._attempt(type(item).__name__),)
            raise item
        return (item,)

    def close(self) -> None:
        """There is nothing to close."""

    def served(self) -> Served:
        return Served(model=self._model.name, attempts=(self._attempt("served"),))

    def _attempt(self, outcome: str) -> Attempt:
        return Attempt(target=self._model.name, started=0.0, ended=0.0, outcome=outcome)


def _spelled_out(reply: Reply) -> list[Event | Failure]:
    match reply:
        case str():
            return list(unfold(Response(parts=parts(reply), finish_reason="stop")))
        case Response():
            return list(unfold(reply))
        case Failure():
            return [reply]
        case _:
            return list(reply)
