"""Our own: one target, no chain."""

from contextlib import AsyncExitStack

from msgspec.structs import replace

from asking import PROMPT, Ask
from majordomo.catalog import provider_named
from majordomo.contract import TextDelta
from majordomo.engine.model import Endpoint


async def prepare(url: str, stack: AsyncExitStack) -> tuple[Ask, Ask]:
    row = replace(provider_named("openai"), key="k", base_url=url)
    streaming = await stack.enter_async_context(Endpoint(row))
    # The like of a bare call: one JSON body. By default `generate` streams, see the other.
    plain = replace(row, capabilities=replace(row.capabilities, streaming=False))
    whole = await stack.enter_async_context(Endpoint(plain))
    asked, streamed = whole.model("mock"), streaming.model("mock")

    async def call() -> str:
        return (await asked.generate(PROMPT)).text

    async def stream() -> str:
        return "".join(
            [event.text async for event in streamed.stream(PROMPT) if isinstance(event, TextDelta)]
        )

    return call, stream
