"""The gateway as a client of the wall of faults: OpenAI's SDK in front, two providers behind."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import openai
from openai import AsyncOpenAI

from majordomo.engine.registry import Registry
from majordomo.engine.transport import AiohttpTransport
from majordomo.gateway.service import Service
from majordomo.trace import Trace

from .fault_wall import Answer, Asking
from .gateway import Known, serving
from .library_client import cooldown, patience


class Kept:
    """A store of traces in memory."""

    def __init__(self) -> None:
        self.traces: dict[str, Trace] = {}

    def save(self, trace: Trace) -> None:
        self.traces[trace.id] = trace

    def latest(self, count: int, *, failed: bool = False) -> list[Trace]:
        found = [trace for trace in self.traces.values() if not failed or trace.status >= 400]
        return found[-count:]

    def find(self, id: str) -> Trace | None:
        return self.traces.get(id)

    def close(self) -> None:
        """There is nothing to write."""


@asynccontextmanager
async def gateway(primary: str, fallback: str, scale: float) -> AsyncGenerator[Asking]:
    """Ask through the Chat door, streaming; who really served, the trace says."""
    registry = Registry(
        providers={
            name: f"openai+http://key@{url.removeprefix('http://')}/v1"
            for name, url in (("primary", primary), ("fallback", fallback))
        },
        env={},
        http_client=AiohttpTransport(),
        patience=patience(scale),
        cooldown=cooldown(scale),
    )
    kept = Kept()
    service = Service(Known(registry), store=kept)
    with serving(service) as url:
        async with AsyncOpenAI(base_url=f"{url}/v1", api_key="k", max_retries=0) as client:

            async def ask() -> Answer:
                return await _ask(client, kept)

            yield ask


async def _ask(client: AsyncOpenAI, kept: Kept) -> Answer:
    said: list[str] = []
    finished, output = False, 0
    try:
        raw = await client.chat.completions.with_raw_response.create(
            model="primary/m,fallback/m",
            messages=[{"role": "user", "content": "Say sixty words."}],
            stream=True,
            stream_options={"include_usage": True},
        )
        async for chunk in raw.parse():
            output = chunk.usage.completion_tokens if chunk.usage else output
            for choice in chunk.choices:
                said.append(choice.delta.content or "")
                finished = finished or choice.finish_reason == "stop"
    except openai.APIError as error:
        return Answer(text="".join(said), error=error.message)
    trace = await _trace(kept, raw.headers["x-request-id"])
    return Answer(text="".join(said), finished=finished, model=trace.served, output=output)


async def _trace(kept: Kept, id: str) -> Trace:
    """Wait for it: the last byte leaves a moment before the trace is kept."""
    while (trace := kept.find(id)) is None:  # noqa: ASYNC110 -- the store tells nobody
        await asyncio.sleep(0.001)
    return trace
