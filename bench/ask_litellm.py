"""LiteLLM, where it is installed: it is not among our pins."""

from contextlib import AsyncExitStack
from importlib import import_module

from asking import PROMPT, Ask


async def prepare(url: str, stack: AsyncExitStack) -> tuple[Ask, Ask]:
    del stack
    acompletion = import_module("litellm").acompletion
    common = {"model": "openai/mock", "api_base": url, "api_key": "k"}
    messages = [{"role": "user", "content": PROMPT}]

    async def call() -> str:
        reply = await acompletion(messages=messages, **common)
        return str(reply.choices[0].message.content)

    async def stream() -> str:
        pieces: list[str] = []
        async for chunk in await acompletion(messages=messages, stream=True, **common):
            pieces.extend(choice.delta.content or "" for choice in chunk.choices)
        return "".join(pieces)

    return call, stream
