"""The checklist's test matrix on the wire: every door over a model that only chats."""

from collections.abc import Callable, Sequence
from itertools import product

import pytest
from msgspec import Struct

from majordomo.contract import (
    NONE,
    REQUIRED,
    Message,
    Request,
    Response,
    ToolCall,
    ToolChoice,
    ToolResult,
    assistant,
    fold,
    named,
    pump,
    tool_results,
    user,
)
from majordomo.dialects.dialect import Wire as WireOptions
from support.action_script import READ_A, TOOLS, action, events
from support.asgi import call
from support.translation import NAMES, STAMP, dialect_named
from support.wire_upstream import Wire, gateway

pytestmark = pytest.mark.anyio

ASK = user("Read a.txt and tell me what it says.")
CALL = ToolCall(id="call_7", name="Read", arguments='{"file_path":"a.txt"}')
RESULT = tool_results(ToolResult(id="call_7", name="Read", content=user("hello world").parts))
HISTORY: tuple[Message, ...] = (ASK, assistant("I'll read it.", CALL), RESULT)
BASH = action("Bash", '{"command": "ls"}')
BAD = '```json action\n{"tool": "Read", "parameters": {"file_path": }}\n```'
# What a door's dialect has no words for cannot be asked there.
NO_WORDS = {
    "ollama": {"forced tool", "tool_choice=any", "parallel_tool_calls=false"},
    "gemini": {"parallel_tool_calls=false"},
}


class Row(Struct, frozen=True):
    request: Request
    replies: Sequence[str]  # what the chat model says, ask by ask
    shows: Callable[[Response], object]
    expected: object


def asking(messages: tuple[Message, ...] = (ASK,), choice: ToolChoice | None = None) -> Request:
    plain = Request(messages=messages, tools=TOOLS, max_tokens=500)
    return plain if choice is None else plain.with_options(tool_choice=choice)


def calls(response: Response) -> object:
    return [call.name for call in response.tool_calls], response.finish_reason


def answer(response: Response) -> object:
    return response.text, calls(response)


READ = (["Read"], "tool_calls")
SAID: tuple[list[str], str] = ([], "stop")
MATRIX: dict[str, Row] = {
    "single-turn tool call": Row(
        asking(), [f"I'll read it.\n\n{READ_A}"], answer, ("I'll read it.", READ)
    ),
    "multi-turn tool result continuation": Row(
        asking(HISTORY), ["It says hello."], answer, ("It says hello.", SAID)
    ),
    "later turn without repeated tools": Row(
        Request(messages=HISTORY, max_tokens=500), [READ_A], calls, READ
    ),
    "forced tool": Row(
        asking(choice=named("Bash")), ["It is fine.", BASH], calls, (["Bash"], "tool_calls")
    ),
    "tool_choice=any": Row(asking(choice=REQUIRED), ["Let us talk.", READ_A], calls, READ),
    "tool_choice=none": Row(
        asking(choice=NONE), ["I cannot say."], answer, ("I cannot say.", SAID)
    ),
    "parallel_tool_calls=false": Row(
        asking(choice=ToolChoice(parallel=False)), [f"{READ_A}\n{BASH}"], calls, READ
    ),
    "refusal": Row(asking(), ["I don't have access to your file system.", READ_A], calls, READ),
    "invalid JSON": Row(asking(), [BAD, READ_A], calls, READ),
    "multiple action blocks": Row(
        asking(), [f"{READ_A}\n\n{BASH}"], calls, (["Read", "Bash"], "tool_calls")
    ),
    "plain-text final answer": Row(asking(), ["It is 42."], answer, ("It is 42.", SAID)),
}

CASES = [
    (case, door) for case, door in product(MATRIX, NAMES) if case not in NO_WORDS.get(door, ())
]


@pytest.mark.parametrize("stream", [False, True], ids=["whole", "streamed"])
@pytest.mark.parametrize(("case", "door"), CASES)
async def test_a_chat_model_behaves_as_if_it_had_tools(
    case: str, door: str, *, stream: bool
) -> None:
    row = MATRIX[case]
    wire = Wire(*(said(reply) for reply in row.replies))
    app = gateway(wire, plain="openai://key@chat.test/v1?tools=emulated&structured=off")
    spoken = dialect_named(door)
    out = spoken.encode_request(row.request, model="plain/m", stream=stream, wire=WireOptions())
    path, _, query = out.path.partition("?")
    got = await call(app, "POST", path, out.body, query=query, headers=out.headers)
    assert got.status == 200, got.body
    response = fold(pump(spoken.decoder(stream=stream), [got.body]))
    assert row.shows(response) == row.expected
    assert len(wire.calls) == len(row.replies)  # every retry was made, and none besides


def said(text: str) -> bytes:
    """Tell a reply as a chat server streams it."""
    chat = dialect_named("openai_chat")
    ask = chat.decode_request({"model": "m", "messages": [{"role": "user", "content": "x"}]})
    streaming = type(ask)(model="m", stream=True, request=ask.request)
    return b"".join(pump(chat.encoder(streaming, STAMP), events(text)))


async def test_a_forced_call_that_never_comes_is_an_error_in_every_door() -> None:
    for door in NAMES:
        if door == "ollama":
            continue
        wire = Wire(said("No."))
        app = gateway(wire, plain="openai://key@chat.test/v1?tools=emulated&structured=off")
        out = dialect_named(door).encode_request(
            asking(choice=REQUIRED), model="plain/m", stream=False, wire=WireOptions()
        )
        got = await call(app, "POST", out.path.partition("?")[0], out.body, headers=out.headers)
        assert got.status == 502, (door, got.body)
        assert len(wire.calls) == 3
