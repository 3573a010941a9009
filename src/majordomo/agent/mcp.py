"""The tools of an MCP server as a toolbox, through the official `mcp` package.

https://modelcontextprotocol.io/specification/2025-11-25/server/tools
"""

import asyncio
from base64 import b64decode
from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Self

from majordomo.contract import Document, Image, Part, Text, Tool, ToolResult
from majordomo.engine.sync import portal

from .encode import content_of
from .toolbox import PARALLEL, Toolbox

if TYPE_CHECKING:
    import mcp
    from mcp import types

_MOST_PAGES = 100  # of a list of tools that never ends


class McpToolbox(Toolbox):
    """Open while its `async with` (or `with …sync`) lasts; its tools are listed when it opens.

    async with mcp_stdio("uvx", "mcp-server-time") as toolbox:
        run = await Agent(model, toolbox).run("What time is it in Lima?")
    """

    def __init__(
        self,
        server: "mcp.StdioServerParameters | str",
        *,
        prefix: str = "",
        timeout: float | None = None,
        parallel: int = PARALLEL,
    ) -> None:
        """`server` is how to start one, or the address of one; `prefix` goes before the names."""
        super().__init__(timeout=timeout, parallel=parallel)
        self._server = server
        self._prefix = prefix
        self._leave: asyncio.Event | None = None
        self._session: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        """Connect in a task of its own: a session must end in the task it began in."""
        opened: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._leave = asyncio.Event()
        self._session = asyncio.create_task(self._connected(opened, self._leave))
        try:
            await opened
        except BaseException:
            await self.aclose()
            raise
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """End the session, and the server if it was started here."""
        if self._leave is not None and self._session is not None:
            self._leave.set()
            session, self._session = self._session, None
            await asyncio.gather(session, return_exceptions=True)

    def __enter__(self) -> Self:
        return portal().run(self.__aenter__())

    def __exit__(self, *_: object) -> None:
        portal().run(self.aclose())

    async def _connected(self, opened: asyncio.Future[None], leave: asyncio.Event) -> None:
        from mcp import Client  # noqa: PLC0415 -- an extra: only those who use it have it

        try:
            async with Client(self._server) as client:
                for tool in await _listed(client):
                    self.add(_offered(client, tool, self._prefix))
                opened.set_result(None)
                await leave.wait()
        except BaseException as error:
            if opened.done():
                raise
            opened.set_exception(error)


def mcp_stdio(
    command: str,
    *args: str,
    env: Mapping[str, str] | None = None,
    cwd: str | None = None,
    prefix: str = "",
    timeout: float | None = None,
) -> McpToolbox:
    """Start a server as a program and talk over its standard input and output."""
    from mcp import StdioServerParameters  # noqa: PLC0415 -- an extra

    server = StdioServerParameters(
        command=command, args=list(args), env=dict(env) if env else None, cwd=cwd
    )
    return McpToolbox(server, prefix=prefix, timeout=timeout)


def mcp_http(url: str, *, prefix: str = "", timeout: float | None = None) -> McpToolbox:
    """Talk to a server over streamable HTTP."""
    return McpToolbox(url, prefix=prefix, timeout=timeout)


async def _listed(client: "mcp.Client") -> "Sequence[types.Tool]":
    found: list[types.Tool] = []
    cursor: str | None = None
    for _ in range(_MOST_PAGES):
        page = await client.list_tools(cursor=cursor)
        found += page.tools
        cursor = page.next_cursor
        if cursor is None:
            break
    return found


def _offered(client: "mcp.Client", tool: "types.Tool", prefix: str) -> Tool:
    return Tool(
        name=prefix + tool.name,
        description=tool.description or tool.title or "",
        parameters=tool.input_schema,
        handler=partial(_call, client, tool.name),
    )


async def _call(client: "mcp.Client", name: str, /, **arguments: object) -> ToolResult:
    result = await client.call_tool(name, arguments)
    parts = tuple(_part(block) for block in result.content)
    if not parts and result.structured_content is not None:
        parts = content_of(result.structured_content)
    return ToolResult(id="", content=parts, is_error=result.is_error)


def _part(block: "types.ContentBlock") -> Part:
    if block.type == "text":
        return Text(text=block.text)
    if block.type == "image":
        return Image(data=b64decode(block.data), mime=block.mime_type)
    if block.type == "audio":
        return _binary(block.data, block.mime_type, "sound")
    if block.type == "resource_link":
        words = f": {block.description}" if block.description else ""
        return Text(text=f"{block.name} <{block.uri}>{words}")
    return _resource(block.resource)


def _resource(resource: "types.TextResourceContents | types.BlobResourceContents") -> Part:
    from mcp.types import TextResourceContents  # noqa: PLC0415 -- an extra

    if isinstance(resource, TextResourceContents):
        return Text(text=resource.text)
    return _binary(resource.blob, resource.mime_type or "", str(resource.uri))


def _binary(data: str, mime: str, name: str) -> Part:
    """Carry what the contract has a part for; of the rest the model learns at least that it is."""
    raw = b64decode(data)
    if mime.startswith("image/"):
        return Image(data=raw, mime=mime)
    if mime == "application/pdf":
        return Document(data=raw, mime=mime, name=name)
    return Text(text=f"[{name}: {len(raw)} bytes of {mime or 'an unknown kind'}]")
