"""A model that takes its time."""

import asyncio
from collections.abc import Sequence
from typing import Unpack

from majordomo.contract import Event, Finish, Options, Prompt, Start, TextDelta
from majordomo.engine.model import Model
from majordomo.engine.stream import Served, Stream


class Late(Model):
    def __init__(self, seconds: float) -> None:
        self.seconds = seconds

    @property
    def name(self) -> str:
        return "late/model"

    def stream(
        self, prompt: Prompt, *, partial_tool_calls: bool = False, **options: Unpack[Options]
    ) -> Stream:
        del prompt, partial_tool_calls, options
        return Stream(_Words(self.seconds))


class _Words:
    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._left: list[Event] = [Finish(reason="stop"), TextDelta(text="late"), Start(model="m")]

    async def pull(self) -> Sequence[Event]:
        if not self._left:
            return ()
        if len(self._left) == 2:
            await asyncio.sleep(self._seconds)
        return (self._left.pop(),)

    def close(self) -> None:
        pass

    def served(self) -> Served:
        return Served(model="late/model")
