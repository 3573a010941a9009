"""One target asked through real sockets: what comes back, and what it is called when it fails."""

from collections.abc import Callable

import pytest
from msgspec.structs import replace

from majordomo.catalog import Provider
from majordomo.contract import (
    Capabilities,
    DialectName,
    Failure,
    Finish,
    Image,
    InvalidRequest,
    ModelNotFound,
    Overloaded,
    ProtocolBroken,
    RateLimited,
    Response,
    ResponseDone,
    Start,
    TextDelta,
    ToolCall,
    Truncated,
    Unauthorized,
    Unsupported,
    Usage,
    parts,
    user,
)
from majordomo.dialects.dialect import Ask
from majordomo.engine.model import Endpoint, provider
from majordomo.engine.outside import Outside
from majordomo.testing import DialectServer, Garbage, Status, Turn
from support.asking import DIALECTS, model_at, provider_at

pytestmark = pytest.mark.anyio

DONE = Finish(reason="stop", usage=Usage(input=3, output=2))
HELLO = [TextDelta(text="Hel"), TextDelta(text="lo"), DONE]


@pytest.mark.parametrize("dialect", DIALECTS)
async def test_generate_is_the_stream_added_up(dialect: DialectName) -> None:
    async with DialectServer(dialect, [HELLO]) as server:
        reply = await model_at(server, dialect).generate("hi", max_tokens=20)
    assert (reply.text, reply.finish_reason, reply.usage) == ("Hello", "stop", DONE.usage)
    assert reply.model == "test/m"
    assert [(a.target, a.outcome, a.usage) for a in reply.attempts] == [
        ("test/m", "served", DONE.usage)
    ]
    ask = server.requests[0].ask
    assert ask is not None
    assert (ask.model, ask.stream, ask.request.max_tokens) == ("m", True, 20)


@pytest.mark.parametrize("dialect", DIALECTS)
async def test_a_stream_gives_events_and_ends_with_the_response(dialect: DialectName) -> None:
    async with DialectServer(dialect, [HELLO]) as server:
        events = [event async for event in model_at(server, dialect).stream("hi")]
    assert isinstance(events[0], Start)
    assert [event.text for event in events if isinstance(event, TextDelta)] == ["Hel", "lo"]
    assert isinstance(events[-2], Finish)
    assert isinstance(events[-1], ResponseDone)
    assert events[-1].response.text == "Hello"


@pytest.mark.parametrize("dialect", DIALECTS)
async def test_a_target_that_cannot_stream_is_asked_for_a_whole_reply(
    dialect: DialectName,
) -> None:
    async with DialectServer(dialect, [HELLO]) as server:
        model = model_at(server, dialect, capabilities=Capabilities(streaming=False))
        events = [event async for event in model.stream("hi")]
    ask = server.requests[0].ask
    assert ask is not None
    assert not ask.stream
    assert isinstance(events[-1], ResponseDone)
    assert events[-1].response.text == "Hello"


@pytest.mark.parametrize("dialect", DIALECTS)
async def test_tool_calls_come_whole(dialect: DialectName) -> None:
    call = ToolCall(id="call_1", name="add", arguments='{"a":1}')
    turn = Response(parts=(call,), finish_reason="tool_calls")
    async with DialectServer(dialect, [turn]) as server:
        reply = await model_at(server, dialect).generate("add")
    assert [(c.name, c.arguments) for c in reply.tool_calls] == [("add", '{"a":1}')]
    assert reply.finish_reason == "tool_calls"


async def test_a_stream_can_be_read_as_text_and_still_gives_its_response() -> None:
    async with DialectServer("ollama", [HELLO]) as server:
        stream = model_at(server).stream("hi")
        assert [text async for text in stream.text()] == ["Hel", "lo"]
        assert (await stream.response()).text == "Hello"


async def test_a_stream_can_be_read_batch_by_batch_from_where_one_is() -> None:
    async with DialectServer("ollama", [HELLO]) as server:
        stream = model_at(server).stream("hi")
        first = await anext(stream)
        rest = [event async for batch in stream.batches() for event in batch]
    assert isinstance(first, Start)
    assert "".join(event.text for event in rest if isinstance(event, TextDelta)) == "Hello"
    assert isinstance(rest[-1], ResponseDone)


async def test_a_response_needs_no_iteration_and_may_be_asked_for_twice() -> None:
    async with DialectServer("ollama", [HELLO]) as server:
        async with model_at(server).stream("hi") as stream:
            assert (await stream.response()).text == "Hello"
        assert (await stream.response()).text == "Hello"
        assert [event async for event in stream] == []


async def test_a_stream_that_was_left_has_no_response() -> None:
    async with DialectServer("ollama", [HELLO]) as server:
        stream = model_at(server).stream("hi")
        await stream.aclose()
        with pytest.raises(Truncated, match="left before its end"):
            await stream.response()
    assert server.requests == []  # nothing is sent before somebody listens


async def test_history_is_taken_as_messages() -> None:
    async with DialectServer("ollama", ["ok"]) as server:
        await model_at(server).generate([user("one"), user("two")], system="be brief")
    ask = server.requests[0].ask
    assert ask is not None
    assert ask.request.system == "be brief"
    assert [message.text for message in ask.request.messages] == ["one", "two"]


FAILURES: dict[str, tuple[Turn, type[Failure], str]] = {
    "a status in the dialect's words": (RateLimited("slow down"), RateLimited, "slow down"),
    "a status in nobody's words": (Status(code=502, body=b"<html>"), Overloaded, ""),
    "no such model": (ModelNotFound("model 'm' not found"), ModelNotFound, "not found"),
    "an error inside a stream": (
        [TextDelta(text="x"), Overloaded("out of memory")],
        Overloaded,
        "out of memory",
    ),
    "an unreadable event": ([TextDelta(text="x"), Garbage()], ProtocolBroken, "line 2"),
    "an end without a terminator": ([TextDelta(text="x")], Truncated, ""),
    "an empty body": (b"", Truncated, ""),
    "a redirect": (
        Status(code=307, headers={"location": "http://127.0.0.1:9/"}),
        ProtocolBroken,
        "",
    ),
}


@pytest.mark.parametrize(("turn", "kind", "words"), FAILURES.values(), ids=FAILURES.keys())
async def test_what_goes_wrong_is_said_in_the_contracts_words(
    turn: Turn, kind: type[Failure], words: str
) -> None:
    async with DialectServer("ollama", [turn]) as server:
        with pytest.raises(kind) as raised:
            await model_at(server).generate("hi")
    failure = raised.value
    assert type(failure) is kind
    assert words in failure.message
    assert failure.target == "test/m"
    assert [(a.target, a.outcome, a.reason) for a in failure.attempts] == [
        ("test/m", kind.__name__, failure.message)
    ]


async def test_a_refusal_carries_status_request_id_and_when_to_come_back() -> None:
    headers = {"retry-after-ms": "1500", "x-request-id": "req_1"}
    async with DialectServer("ollama", [Status(code=429, body=b"{}", headers=headers)]) as server:
        with pytest.raises(RateLimited) as raised:
            await model_at(server).generate("hi")
    failure = raised.value
    assert (failure.status, failure.request_id, failure.retry_after) == (429, "req_1", 1.5)
    assert (failure.attempts[0].status, failure.attempts[0].request_id) == (429, "req_1")


async def test_a_huge_error_body_is_not_read_to_its_end() -> None:
    async with DialectServer("ollama", [Status(code=500, body=b"x" * 20_000_000)]) as server:
        with pytest.raises(Overloaded):
            await model_at(server).generate("hi")


async def test_attempts_are_timed_by_the_given_clock() -> None:
    times = iter([10.0, 11.0, 12.0])
    async with DialectServer("ollama", ["ok"]) as server:
        outside = Outside(clock=lambda: next(times))
        reply = await Endpoint(provider_at(server.url), outside).model("m").generate("hi")
    attempt = reply.attempts[0]
    assert (attempt.started, attempt.first_byte, attempt.ended) == (10.0, 11.0, 12.0)


REFUSED: dict[str, tuple[Capabilities, Callable[[], Image] | None]] = {
    "an image it cannot see": (
        Capabilities(images=None),
        lambda: Image(data=b"x", mime="image/png"),
    ),
    "a request too large": (Capabilities(max_request_bytes=10), None),
}


@pytest.mark.parametrize(("capabilities", "image"), REFUSED.values(), ids=REFUSED.keys())
async def test_what_a_target_cannot_take_is_not_sent(
    capabilities: Capabilities, image: Callable[[], Image] | None
) -> None:
    async with DialectServer("ollama", []) as server:
        model = model_at(server, capabilities=capabilities)
        with pytest.raises(Unsupported) as raised:
            await model.generate(user("look", *parts(*([image()] if image else []))))
    assert raised.value.target == "test/m"
    assert raised.value.attempts[0].outcome == "Unsupported"
    assert server.requests == []


async def test_the_provider_function_finds_rows_and_takes_them_elsewhere() -> None:
    def echo(ask: Ask) -> Turn:
        return f"{ask.model} heard {ask.request.messages[-1].text}"

    async with (
        DialectServer("ollama", echo) as server,
        provider("ollama", base_url=server.url + "/") as ollama,
    ):
        reply = await ollama.model("library/llama3:8b").generate("hi")
    assert reply.text == "library/llama3:8b heard hi"
    assert reply.model == "ollama/library/llama3:8b"


def test_a_provider_without_an_address_says_so() -> None:
    with pytest.raises(InvalidRequest, match="'azure' has no address"):
        provider("azure").model("gpt-4o")


KEYS: dict[str, tuple[Provider, dict[str, str], dict[str, str]]] = {
    "bearer": (
        Provider(name="p", dialect="ollama", base_url="", key="k"),
        {},
        {"authorization": "Bearer k"},
    ),
    "from the environment, first that is set, stripped": (
        Provider(
            name="p", dialect="ollama", base_url="", key_env=("A", "B"), auth="x-goog-api-key"
        ),
        {"A": " ", "B": "k\n"},
        {"x-goog-api-key": "k"},
    ),
    "optional and absent": (
        Provider(name="p", dialect="ollama", base_url="", key_env=("A",), key_required=False),
        {},
        {},
    ),
    "none wanted": (
        Provider(name="p", dialect="ollama", base_url="", key="k", auth="none"),
        {},
        {},
    ),
}


@pytest.mark.parametrize(("row", "environ", "expected"), KEYS.values(), ids=KEYS.keys())
async def test_the_key_goes_where_the_provider_wants_it(
    row: Provider, environ: dict[str, str], expected: dict[str, str]
) -> None:
    async with DialectServer("ollama", ["ok"]) as server:
        outside = Outside(environ=environ)
        await Endpoint(replace(row, base_url=server.url), outside).model("m").generate("hi")
    sent = server.requests[0].headers
    assert {k: v for k, v in sent.items() if "key" in k or k == "authorization"} == expected


@pytest.mark.parametrize("key", ["", "snow☃man", "two\nlines"])
async def test_a_key_that_is_missing_or_cannot_be_sent_is_unauthorized(key: str) -> None:
    row = Provider(
        name="p", dialect="ollama", base_url="http://127.0.0.1:9", key=key, key_env=("P_KEY",)
    )
    with pytest.raises(Unauthorized) as raised:
        await Endpoint(row, Outside(environ={})).model("m").generate("hi")
    assert raised.value.target == "p/m"
    assert key == "" or key not in raised.value.message
