"""The wall of sixteen faults: what the upstreams do, and what a caller must see all the same.

Both sides are real: two scripted servers, and any client that can ask them through a chain. The
library is one such client, the gateway another. `scale` shortens every wait alike.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from typing import Literal, TypeAlias

from msgspec import Struct

from majordomo.dialects.dialect import Ask
from majordomo.testing import DialectServer, Turn

Verdict: TypeAlias = Literal["pass", "partial", "safe", "fail"]


class Answer(Struct, frozen=True, kw_only=True):
    """What one request came to, as the caller saw it."""

    text: str = ""
    finished: bool = False  # said to be complete
    model: str = ""  # who served: `primary` or `fallback` is somewhere in it
    output: int = 0  # tokens, as reported
    error: str = ""  # the failure in words, where there was one
    began: float = 0.0  # seconds since the wall began
    ended: float = 0.0

    @property
    def seconds(self) -> float:
        return self.ended - self.began


Asking: TypeAlias = Callable[[], Awaitable[Answer]]
# From the two servers' URLs and the scale to a way of asking.
Client: TypeAlias = Callable[[str, str, float], AbstractAsyncContextManager[Asking]]
Play: TypeAlias = Callable[["Stage"], Turn]


class Stage(Struct, kw_only=True):
    """What an upstream sees when it is asked."""

    ask: Ask
    count: int  # of requests it got, this one included
    now: float  # unscaled seconds since the wall began
    scale: float


class Run(Struct, kw_only=True):
    """Everything that happened, in unscaled seconds."""

    answers: list[Answer]
    primary: list[float]  # when each try came
    fallback: list[float]

    @property
    def answer(self) -> Answer:
        return self.answers[-1]


class Fault(Struct, frozen=True, kw_only=True):
    """One row of the wall. `holds` lists what must be true beside the answer itself."""

    what: str
    primary: Play
    fallback: Play
    holds: dict[str, Callable[[Run], bool]] = {}
    served: Literal["primary", "fallback", "either", "nobody"] = "fallback"
    requests: int = 1
    every: float = 0.0


class Score(Struct, frozen=True, kw_only=True):
    verdict: Verdict
    why: str
    run: Run


async def play(fault: Fault, client: Client, text: str, *, scale: float) -> Score:
    """Set the stage, ask as often as the row says, and judge."""
    begin = time.monotonic()

    def clock() -> float:
        return (time.monotonic() - begin) / scale

    tries: tuple[list[float], list[float]] = ([], [])
    async with AsyncExitStack() as stack:
        servers = [
            await stack.enter_async_context(
                DialectServer("openai_chat", _script(*each, clock, scale))
            )
            for each in zip((fault.primary, fault.fallback), tries, strict=True)
        ]
        ask = await stack.enter_async_context(client(servers[0].url, servers[1].url, scale))
        begin = time.monotonic()
        answers = await _ask(fault, ask, clock, scale)
    run = Run(answers=answers, primary=tries[0], fallback=tries[1])
    return _judge(fault, run, text)


def _script(
    play: Play, tries: list[float], clock: Callable[[], float], scale: float
) -> Callable[[Ask], Turn]:
    def turn(ask: Ask) -> Turn:
        tries.append(clock())
        return play(Stage(ask=ask, count=len(tries), now=tries[-1], scale=scale))

    return turn


async def _ask(fault: Fault, ask: Asking, clock: Callable[[], float], scale: float) -> list[Answer]:
    async def one(at: float) -> Answer:
        await asyncio.sleep(max(0.0, at - clock()) * scale)
        began = clock()
        answer = await ask()
        return _timed(answer, began, clock())

    if not fault.every:
        return [await one(0.0) for _ in range(fault.requests)]
    due = [number * fault.every for number in range(fault.requests)]
    return list(await asyncio.gather(*(one(at) for at in due)))


def _timed(answer: Answer, began: float, ended: float) -> Answer:
    return Answer(
        text=answer.text,
        finished=answer.finished,
        model=answer.model,
        output=answer.output,
        error=answer.error,
        began=began,
        ended=ended,
    )


def _judge(fault: Fault, run: Run, text: str) -> Score:
    def score(verdict: Verdict, why: str) -> Score:
        return Score(verdict=verdict, why=why, run=run)

    wrong = [answer for answer in run.answers if answer.finished and answer.text != text]
    if wrong:
        return score("fail", f"said to be complete: {wrong[0].text[:60]!r}…")
    failed = [answer for answer in run.answers if not answer.finished]
    if fault.served == "nobody":
        if len(failed) < len(run.answers):
            return score("fail", "served what was to be refused")
    elif failed:
        return score("safe", f"{len(failed)} of {len(run.answers)}: {failed[0].error}")
    elif fault.served != "either" and fault.served not in run.answer.model:
        return score("partial", f"served by {run.answer.model}")
    broken = [name for name, holds in fault.holds.items() if not holds(run)]
    return score("partial", f"not so: {', '.join(broken)}") if broken else score("pass", "")


def within(times: Sequence[float], seconds: float) -> int:
    """Count the most tries in any stretch of that many seconds."""
    return max((sum(a <= b < a + seconds for b in times) for a in times), default=0)
