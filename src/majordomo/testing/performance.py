"""One turn of a script played to one client."""

import asyncio
from typing import assert_never

from majordomo.contract import (
    Event,
    Failure,
    Finish,
    PartDone,
    ResponseDone,
    Start,
    TextDelta,
    ThinkingDelta,
    ToolCallDelta,
)
from majordomo.dialects.dialect import Dialect, Encoder

from .http1 import ReplyWriter
from .turn import Break, Cut, Delay, Garbage, Head, Item, NoAnswer, Reset, Stall, Status


class Performance:
    def __init__(self, dialect: Dialect, encoder: Encoder, out: ReplyWriter) -> None:
        self._dialect = dialect
        self._encoder = encoder
        self._out = out
        self._spoken = False
        self._finished = False
        out.headers["content-type"] = encoder.content_type

    async def run(self, items: list[Item]) -> bool:
        """Say every item; False when the connection must not be used again."""
        for item in items:
            match item:
                case bytes():
                    await self._write(item)
                case Failure():
                    await self._fail(item)
                    break
                case (
                    Start()
                    | TextDelta()
                    | ThinkingDelta()
                    | ToolCallDelta()
                    | PartDone()
                    | Finish()
                    | ResponseDone()
                ):
                    await self._say(item)
                case Delay() | Head() | Garbage() | Status():
                    await self._fault(item)
                case Reset() | Cut() | NoAnswer() | Stall():
                    await self._break(item)
                    return False
                case _:
                    assert_never(item)
        if self._finished:
            await self._write(b"".join(self._encoder.close()))
        await self._out.finish()
        return True

    async def _say(self, event: Event) -> None:
        self._finished = self._finished or isinstance(event, Finish)
        await self._write(b"".join(self._encoder.feed(event)))

    async def _write(self, data: bytes) -> None:
        if data:
            self._spoken = True
            await self._out.write(data)

    async def _fail(self, failure: Failure) -> None:
        """Say it with a status if that is still possible, in band if not."""
        if self._spoken or self._out.begun:
            await self._write(self._encoder.fail(failure))
            return
        reply = self._dialect.encode_failure(failure)
        self._out.status = reply.status
        self._out.headers = {"content-type": reply.content_type, **reply.headers}
        if failure.retry_after is not None:
            self._out.headers.setdefault("retry-after", f"{failure.retry_after:g}")
        await self._write(reply.body)

    async def _fault(self, fault: Delay | Head | Garbage | Status) -> None:
        match fault:
            case Delay(seconds=seconds):
                await asyncio.sleep(seconds)
            case Head():
                await self._out.begin()
            case Garbage(data=data):
                await self._write(data)
            case Status(code=code, body=body, headers=headers):
                self._out.status = code
                self._out.headers = {"content-type": "application/json", **headers}
                await self._write(body)
            case _:
                assert_never(fault)

    async def _break(self, fault: Break) -> None:
        if not isinstance(fault, NoAnswer):
            await self._out.leave_unfinished()
        match fault:
            case Stall():
                await asyncio.Event().wait()
            case Reset():
                self._out.reset()
            case Cut() | NoAnswer():
                pass  # the server closes what must not be used again
            case _:
                assert_never(fault)
