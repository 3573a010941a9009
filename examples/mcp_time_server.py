"""A small MCP server for `mcp_tools.py`, to be started as a program."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from mcp.server.mcpserver import MCPServer

server = MCPServer("Time")


@server.tool()
def time_in(zone: str) -> str:
    """Say the time in a zone such as America/Lima."""
    noon = datetime(2026, 11, 15, 12, tzinfo=UTC)  # always the same: it is an example
    return noon.astimezone(ZoneInfo(zone)).strftime("%H:%M")


if __name__ == "__main__":
    server.run("stdio")
