"""any-llm, where it is installed: it is not among our pins."""

from contextlib import AsyncExitStack
from importlib import import_module

from asking import PROMPT, Ask


async def prepare(url: str, stack: AsyncExitStack) -> tuple[Ask, Ask]:
    del stack
    made = import_module("any_llm").AnyLLM.create("openai", api_key="k", api_base=url)
    messages = [{"role": "user", "content": PROMPT}]

    async def call() -> str:
        reply = await made.acompletion(model="mock", messages=messages)
        return str(reply.choices[0].message.content)

    async def stream() -> str:
        pieces: list[str] = []
        async for chunk in await made.acompletion(model="mock", messages=messages, stream=True):
            pieces.extend(choice.delta.content or "" for choice in chunk.choices)
        return "".join(pieces)

    return call, stream
