"""The answer of a whole run as a value of a type."""

from typing import TYPE_CHECKING

from msgspec.structs import replace

from majordomo.contract import Failure, InvalidOutput, Request
from majordomo.engine.typed import correction, explained
from majordomo.fit.typed import Shape, shape_of

from .loop import AgentStream
from .run import Run

if TYPE_CHECKING:
    from .agent import Agent


async def run_as(agent: "Agent", kind: object, request: Request, asks: int) -> object:
    """Let the agent work, and ask again for an answer that is no value of the type."""
    shape = shape_of(kind)
    request = replace(request, schema=shape.schema, schema_name=shape.name)
    for left in reversed(range(asks)):
        run = await _ran(agent, request, shape)
        if run.ending not in {"answered", "empty"}:
            raise _invalid(run, shape, (f"the run ended with {run.ending!r}",))
        value, faults = shape.read(run.text)
        if not faults:
            return value
        if not left:
            raise _invalid(run, shape, faults)
        request = replace(request, messages=(*run.messages, correction(faults)))
    raise ValueError("asks must be at least 1")


async def _ran(agent: "Agent", request: Request, shape: Shape) -> Run:
    try:
        async with AgentStream(agent, request) as stream:
            return await stream.result()
    except Failure as failure:
        told = explained(failure, shape)
        if told is failure:
            raise
        raise told from failure


def _invalid(run: Run, shape: Shape, faults: tuple[str, ...]) -> InvalidOutput:
    reason = f"no {shape.name} in the answer: {'; '.join(faults)}"
    target = run.response.model if run.response is not None else ""
    return InvalidOutput(reason, text=run.text, violations=faults, target=target)
