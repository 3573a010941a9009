"""Claude Code, Codex and Gemini CLI through the gateway: a task of two turns and a real tool.

The upstream asks for a command that shows a file; the client really runs it; the upstream
answers with what the command printed, which it can know from nowhere else.
"""

import secrets
from pathlib import Path

import pytest
from msgspec import Struct

from majordomo.contract import DialectName, Message, Response, Text, ToolCall, Usage
from majordomo.dialects.dialect import Ask
from majordomo.dialects.json import write_text
from majordomo.testing.server import DialectServer
from support.coding_clients import CLAUDE_CODE, CODEX, GEMINI_CLI, CodingClient
from support.npm import Unavailable, installed
from support.served import majordomo_serve

TASK = "Show me what is in note.txt."
PROSE = "I will look into the note."


class Upstream(Struct, frozen=True, kw_only=True):
    dialect: DialectName
    dsn: str
    tools: bool = True  # of its own; without, it is asked and answers in plain text


UPSTREAMS = {
    "openai_chat": Upstream(dialect="openai_chat", dsn="openai+http://key@{host}/v1"),
    "openai_responses": Upstream(
        dialect="openai_responses", dsn="openai-responses+http://key@{host}/v1"
    ),
    "anthropic": Upstream(dialect="anthropic", dsn="anthropic+http://key@{host}"),
    "ollama": Upstream(dialect="ollama", dsn="ollama+http://{host}"),
    "gemini": Upstream(dialect="gemini", dsn="gemini+http://key@{host}"),
    "plain chat": Upstream(
        dialect="openai_chat", dsn="openai+http://key@{host}/v1?tools=emulated", tools=False
    ),
}
SHORT = {
    ("Claude Code", "openai_chat"),
    ("Claude Code", "plain chat"),
    ("Codex", "anthropic"),
    ("Codex", "plain chat"),
}
CASES = [
    pytest.param(
        client,
        upstream,
        id=f"{client.name} over {name}",
        marks=() if (client.name, name) in SHORT else pytest.mark.full,
    )
    for client in (CLAUDE_CODE, CODEX, GEMINI_CLI)
    for name, upstream in UPSTREAMS.items()
]


class Script:
    """Two turns: a call, then the answer. Anything else the client asks beside them gets `ok`."""

    def __init__(self, client: CodingClient, upstream: Upstream) -> None:
        self._client = client
        self._upstream = upstream
        self.turns: list[Ask] = []

    def __call__(self, ask: Ask) -> Response | str:
        if not self._about_the_task(ask):
            return "ok"
        self.turns.append(ask)
        if len(self.turns) == 1:
            return self._call()
        return f"The note says: {_last_words(ask.request.messages)}"

    def _about_the_task(self, ask: Ask) -> bool:
        """Tell the task from titles, summaries and suggestions: only it comes with the tool."""
        request = ask.request
        offered = [tool.name for tool in request.tools]
        if self._upstream.tools:
            return self._client.tool in offered
        assert not offered, "a plain chat model must see no tools"
        text = request.system + "".join(message.text for message in request.messages)
        return f"{self._client.tool}(" in text

    def _call(self) -> Response:
        client, usage = self._client, Usage(input=100, output=20)
        arguments = write_text(client.arguments)
        if self._upstream.tools:
            call = ToolCall(id="call_1", name=client.tool, arguments=arguments)
            parts = (Text(text=PROSE), call)
            return Response(parts=parts, finish_reason="tool_calls", usage=usage)
        action = f'{{"tool": "{client.tool}", "parameters": {arguments}}}'
        text = Text(text=f"{PROSE}\n\n```json action\n{action}\n```")
        return Response(parts=(text,), finish_reason="stop", usage=usage)


@pytest.mark.parametrize(("client", "upstream"), CASES)
def test_a_coding_client_runs_a_tool_and_answers_from_its_result(
    client: CodingClient, upstream: Upstream, tmp_path: Path
) -> None:
    try:
        installed(client.package)
    except Unavailable as reason:
        pytest.skip(str(reason))
    secret = f"heron-{secrets.token_hex(6)}"
    (tmp_path / "work").mkdir()
    (tmp_path / "work" / "note.txt").write_text(secret)
    script = Script(client, upstream)
    with DialectServer.in_thread(upstream.dialect, script) as server:
        dsn = upstream.dsn.format(host=server.url.removeprefix("http://"))
        with majordomo_serve({"LLM_UP": dsn}) as url:
            printed = client.run(TASK, url=url, model="up/any-model", home=tmp_path)
    assert secret in printed, "the answer came back to the client"
    assert "The note says:" in printed
    assert "json action" not in printed, "no action text leaks"
    assert len(script.turns) == 2, "one call, one answer, and no turn more"
    _assert_history(script.turns[1].request.messages, client, upstream, secret)


def _assert_history(
    messages: tuple[Message, ...], client: CodingClient, upstream: Upstream, secret: str
) -> None:
    """The second turn shows the upstream what it said, what it called, and what came of it."""
    said = next(message for message in messages if message.role == "assistant")
    assert PROSE in said.text
    assert secret in _last_words(messages)
    if upstream.tools:
        assert [call.name for call in said.tool_calls] == [client.tool]
        results = [result for message in messages for result in message.tool_results]
        assert [result.id for result in results] == [call.id for call in said.tool_calls]
    else:
        assert client.tool in said.text
        assert all(message.role in ("system", "user", "assistant") for message in messages)


def _last_words(messages: tuple[Message, ...]) -> str:
    """What the last message says, be it a result or the text of one."""
    last = messages[-1]
    return last.text + "".join(result.text for result in last.tool_results)
