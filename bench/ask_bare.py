"""What one would write with the HTTP client alone and the standard library's json."""

import json
from contextlib import AsyncExitStack

import aiohttp

from asking import PROMPT, Ask


async def prepare(url: str, stack: AsyncExitStack) -> tuple[Ask, Ask]:
    session = await stack.enter_async_context(aiohttp.ClientSession())
    headers = {"Authorization": "Bearer k"}
    messages = [{"role": "user", "content": PROMPT}]

    async def call() -> str:
        body = {"model": "mock", "messages": messages}
        async with session.post(f"{url}/chat/completions", json=body, headers=headers) as reply:
            reply.raise_for_status()
            return json.loads(await reply.read())["choices"][0]["message"]["content"]

    async def stream() -> str:
        body = {"model": "mock", "messages": messages, "stream": True}
        pieces: list[str] = []
        async with session.post(f"{url}/chat/completions", json=body, headers=headers) as reply:
            reply.raise_for_status()
            async for line in reply.content:
                if line.startswith(b"data: ") and line != b"data: [DONE]\n":
                    choices = json.loads(line[6:])["choices"]
                    pieces.extend(choice["delta"].get("content") or "" for choice in choices)
        return "".join(pieces)

    return call, stream
