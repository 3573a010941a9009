"""A server that says the same bytes to everything, HTTP or not."""

import asyncio
import contextlib
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager


@asynccontextmanager
async def saying(answer: bytes) -> AsyncGenerator[str]:
    """Give its address."""

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            await reader.read(1)
            writer.write(answer)
            with contextlib.suppress(ConnectionError, asyncio.CancelledError):
                await reader.read()
        finally:
            writer.transport.abort()

    server = await asyncio.start_server(talk, "127.0.0.1", 0)
    async with server:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
