"""The scripted model: says its lines, remembers what it was asked."""

import pytest

from majordomo.contract import (
    Failure,
    Finish,
    RateLimited,
    Request,
    Response,
    ResponseDone,
    TextDelta,
    ToolCall,
    Truncated,
)
from majordomo.testing import Line, scripted

pytestmark = pytest.mark.anyio

CALL = ToolCall(id="c", name="add", arguments="{}")

LINES: dict[str, tuple[Line, str]] = {
    "a string": ("Hello", "Hello"),
    "a response": (Response(parts=(CALL,), finish_reason="tool_calls"), ""),
    "events": ([TextDelta(text="He"), TextDelta(text="y"), Finish(reason="stop")], "Hey"),
    "a callable": (lambda request: request.messages[-1].text.upper(), "HI"),
}


@pytest.mark.parametrize(("line", "text"), LINES.values(), ids=LINES.keys())
async def test_it_says_its_line(line: Line, text: str) -> None:
    model = scripted(line)
    reply = await model.generate("hi", system="be brief")
    assert reply.text == text
    assert reply.model == "scripted/model"
    assert [attempt.outcome for attempt in reply.attempts] == ["served"]
    assert model.requests == [
        Request(messages=model.requests[0].messages, system="be brief"),
    ]


async def test_lines_are_used_up_in_order_and_a_callable_stays() -> None:
    model = scripted("one", lambda _: "then always this", name="a/b")
    replies = [await model.generate("hi") for _ in range(3)]
    assert [reply.text for reply in replies] == ["one", "then always this", "then always this"]
    assert replies[0].model == "a/b"


async def test_a_failure_is_raised_with_its_attempt() -> None:
    with pytest.raises(RateLimited) as raised:
        await scripted(RateLimited("slow down")).generate("hi")
    assert raised.value.target == "scripted/model"
    assert [attempt.outcome for attempt in raised.value.attempts] == ["RateLimited"]


async def test_a_failure_may_come_after_the_first_words() -> None:
    texts = scripted([TextDelta(text="He"), Failure("cut")]).stream("hi").text()
    assert await anext(texts) == "He"
    with pytest.raises(Failure, match="cut"):
        await anext(texts)


async def test_events_without_a_finish_are_truncated() -> None:
    with pytest.raises(Truncated):
        await scripted([TextDelta(text="He")]).generate("hi")


async def test_a_stream_ends_with_the_response() -> None:
    events = [event async for event in scripted("Hello").stream("hi")]
    assert isinstance(events[-1], ResponseDone)


async def test_a_script_that_is_too_short_fails_the_test() -> None:
    with pytest.raises(AssertionError, match="no line for request 1"):
        await scripted().generate("hi")
