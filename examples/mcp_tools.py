"""Use the tools of an MCP server: `pip install pymajordomo[mcp]`."""

import asyncio
import sys
from pathlib import Path

from example_model import example_model

from majordomo.agent import Agent, Toolbox, mcp_stdio, tool
from majordomo.contract import Response, ToolCall

SERVER = Path(__file__).with_name("mcp_time_server.py")


@tool
def home() -> str:
    """Say where the user lives."""
    return "Lima"


ASKS = Response(
    parts=(
        ToolCall(id="call_1", name="home", arguments="{}"),
        ToolCall(id="call_2", name="time_in", arguments='{"zone": "America/Lima"}'),
    ),
    finish_reason="tool_calls",
)


async def main() -> None:
    async with mcp_stdio(sys.executable, str(SERVER), timeout=30) as remote:
        print("  tools:", ", ".join(offered.name for offered in remote))
        with example_model(ASKS, "It is 07:00 where you live.") as model:
            agent = Agent(model, Toolbox(remote, home))
            run = await agent.run("What time is it where I live?")
        for message in run.messages:
            for result in message.tool_results:
                print(f"  {result.name} -> {result.text}")
        print(run.text)


if __name__ == "__main__":
    asyncio.run(main())
