"""A real MCP server: text, images, structured results, errors; for stdio as a program."""

import base64
from typing import Annotated

from mcp.server.mcpserver import Image, MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.types import (
    AudioContent,
    BlobResourceContents,
    ContentBlock,
    EmbeddedResource,
    ResourceLink,
    TextContent,
    TextResourceContents,
)
from pydantic import Field

PIXEL = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)
server = MCPServer("Tests")


@server.tool()
def add(a: int, b: Annotated[int, Field(description="what to add")] = 1) -> str:
    """Add two numbers."""
    return str(a + b)


@server.tool()
def picture() -> Image:
    """Give a picture."""
    return Image(data=PIXEL, format="png")


@server.tool()
def fail(why: str) -> str:
    """Fail."""
    raise ToolError(why)


@server.tool()
def name(name: str) -> str:
    """Say a name, under an argument that is called as the call's own is."""
    return f"I am {name}"


@server.tool(structured_output=False)
def parts() -> list[ContentBlock]:
    """Give one of each."""
    blob = base64.b64encode(b"%PDF-1.7").decode()
    png = base64.b64encode(PIXEL).decode()
    return [
        TextContent(text="words"),
        AudioContent(data=blob, mime_type="audio/wav"),
        ResourceLink(name="log", uri="file:///log", description="the log"),
        EmbeddedResource(resource=TextResourceContents(uri="file:///a", text="inside")),
        EmbeddedResource(
            resource=BlobResourceContents(uri="file:///b", blob=blob, mime_type="application/pdf")
        ),
        EmbeddedResource(
            resource=BlobResourceContents(uri="file:///c", blob=png, mime_type="image/png")
        ),
    ]


if __name__ == "__main__":
    server.run("stdio")
