"""The official SDK."""

from contextlib import AsyncExitStack

from openai import AsyncOpenAI

from asking import PROMPT, Ask


async def prepare(url: str, stack: AsyncExitStack) -> tuple[Ask, Ask]:
    client = await stack.enter_async_context(AsyncOpenAI(base_url=url, api_key="k"))

    async def call() -> str:
        reply = await client.chat.completions.create(
            model="mock", messages=[{"role": "user", "content": PROMPT}]
        )
        return reply.choices[0].message.content or ""

    async def stream() -> str:
        pieces: list[str] = []
        chunks = await client.chat.completions.create(
            model="mock", messages=[{"role": "user", "content": PROMPT}], stream=True
        )
        async for chunk in chunks:
            pieces.extend(choice.delta.content or "" for choice in chunk.choices)
        return "".join(pieces)

    return call, stream
