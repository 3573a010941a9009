"""Tools of a real MCP server, over stdio and over HTTP."""

import asyncio
import socket
import sys
from collections.abc import AsyncGenerator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path

import pytest
import uvicorn

from majordomo.agent import Agent, McpToolbox, Toolbox, mcp_http, mcp_stdio
from majordomo.contract import Document, Image, Text, ToolCall, ToolResult
from majordomo.testing import scripted
from support.agent_turns import calls, echo
from support.mcp_server import PIXEL, server

pytestmark = pytest.mark.anyio

SCRIPT = str(Path(__file__).parents[1] / "support" / "mcp_server.py")


def over_stdio(prefix: str = "", timeout: float | None = None) -> McpToolbox:
    return mcp_stdio(sys.executable, SCRIPT, prefix=prefix, timeout=timeout)


@asynccontextmanager
async def over_http() -> AsyncGenerator[McpToolbox]:
    with socket.create_server(("127.0.0.1", 0)) as door:
        config = uvicorn.Config(server.streamable_http_app(), log_level="error", ws="none")
        served = uvicorn.Server(config)
        task = asyncio.create_task(served.serve(sockets=[door]))
        try:
            async with mcp_http(f"http://127.0.0.1:{door.getsockname()[1]}/mcp") as toolbox:
                yield toolbox
        finally:
            served.should_exit = True
            await task


def call(name: str, arguments: str = "{}") -> ToolCall:
    return ToolCall(id="c1", name=name, arguments=arguments)


DOORS: dict[str, Callable[[], AbstractAsyncContextManager[McpToolbox]]] = {
    "stdio": over_stdio,
    "http": over_http,
}


@pytest.mark.parametrize("opened", DOORS.values(), ids=DOORS)
async def test_its_tools_are_tools(
    opened: Callable[[], AbstractAsyncContextManager[McpToolbox]],
) -> None:
    async with opened() as toolbox:
        offered = {tool.name: tool for tool in toolbox.tools}
        results = await toolbox.execute_all(
            [
                call("add", '{"a": "40", "b": 2}'),
                call("picture"),
                call("fail", '{"why": "no luck"}'),
                call("add", '{"b": 2}'),
                call("name", '{"name": "Ann"}'),
                call("nothing"),
            ]
        )
    assert sorted(offered) == ["add", "fail", "name", "parts", "picture"]
    assert offered["add"].description == "Add two numbers."
    assert "what to add" in str(offered["add"].parameters)
    added, picture, failed, invalid, named, unknown = results
    assert added == ToolResult(id="c1", name="add", content=(Text(text="42"),))
    assert picture.content == (Image(data=PIXEL, mime="image/png"),)
    assert failed.is_error
    assert "no luck" in failed.text
    assert '"a" is a required property' in invalid.text
    assert named.text == "I am Ann"
    assert "no tool named 'nothing'" in unknown.text


async def test_every_kind_of_content_is_carried_or_named() -> None:
    async with over_stdio() as toolbox:
        result = await toolbox.execute(call("parts"))
    assert result.content == (
        Text(text="words"),
        Text(text="[sound: 8 bytes of audio/wav]"),
        Text(text="log <file:///log>: the log"),
        Text(text="inside"),
        Document(data=b"%PDF-1.7", mime="application/pdf", name="file:///b"),
        Image(data=PIXEL, mime="image/png"),
    )


async def test_an_agent_uses_them_beside_its_own() -> None:
    async with over_stdio(prefix="remote_") as remote:
        model = scripted(calls(("remote_add", '{"a": 1}'), ("echo", '{"text": "here"}')), "Done.")
        run = await Agent(model, Toolbox(remote, echo)).run("Go.")
    assert [result.text for result in run.messages[2].tool_results] == ["2", "here"]


async def test_a_server_that_is_gone_is_a_failed_call() -> None:
    async with over_stdio(timeout=5) as toolbox:
        pass
    result = await toolbox.execute(call("add", '{"a": 1}'))
    assert result.is_error
    assert "The tool failed" in result.text


async def test_a_server_that_cannot_be_started_is_raised() -> None:
    with pytest.raises(FileNotFoundError):
        async with mcp_stdio("/there/is/no/such/program"):
            pass


def test_the_synchronous_face() -> None:
    with over_stdio() as toolbox:
        assert toolbox.sync.execute(call("add", '{"a": 1}')).text == "2"
        model = scripted(calls(("add", '{"a": 1}')), "2.")
        assert Agent(model, toolbox).sync.run("1 + 1?").text == "2."
