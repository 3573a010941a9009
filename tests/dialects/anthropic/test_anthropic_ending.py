"""How replies end: stop reasons, usage, errors, and what is no ending at all."""

import pytest

from majordomo.contract import (
    Event,
    Finish,
    InvalidRequest,
    JsonObject,
    Overloaded,
    PartDone,
    Request,
    ResponseDone,
    Start,
    TextDelta,
    Tool,
    ToolCall,
    Truncated,
    Usage,
    fold,
    pump,
    user,
)
from majordomo.dialects.anthropic import DIALECT, PING
from majordomo.dialects.dialect import Ask, Stamp
from majordomo.dialects.json import object_at, read
from majordomo.dialects.sse import SseDecoder
from support.schemas import assert_valid

STAMP = Stamp(id="01", created=0, model="claude")
STOP = Finish(reason="stop", usage=Usage(input=9, cached=4, cache_write=2, output=7, reasoning=3))
CALL = ToolCall(id="toolu_1", name="f", arguments='{"a": 1}')

ENDINGS: dict[str, tuple[Finish, bool, str]] = {
    "stop": (Finish(reason="stop"), False, "end_turn"),
    "a stop sequence": (Finish(reason="stop", stop_sequence="END"), False, "stop_sequence"),
    "length": (Finish(reason="length"), False, "max_tokens"),
    "a window that is full": (
        Finish(reason="length", native="model_context_window_exceeded"),
        False,
        "model_context_window_exceeded",
    ),
    "a native word of another dialect": (
        Finish(reason="length", native="MAX"),
        False,
        "max_tokens",
    ),
    "a native word that means something else": (
        Finish(reason="length", native="end_turn"),
        False,
        "max_tokens",
    ),
    "calls": (Finish(reason="tool_calls"), True, "tool_use"),
    "a stop with a call in it": (Finish(reason="stop", native="end_turn"), True, "tool_use"),
    "a call cut short": (Finish(reason="length"), True, "max_tokens"),
    "pause": (Finish(reason="pause"), False, "pause_turn"),
    "refusal": (Finish(reason="refusal"), False, "refusal"),
    "a filter": (Finish(reason="content_filter"), False, "refusal"),
    "cancelled": (Finish(reason="cancelled"), False, "max_tokens"),
    "unknown": (Finish(reason="unknown", native="eos"), False, "end_turn"),
}


@pytest.mark.parametrize(("finish", "called", "word"), ENDINGS.values(), ids=ENDINGS.keys())
def test_every_reply_ends_in_a_word_clients_know(
    finish: Finish, word: str, *, called: bool
) -> None:
    said_before: list[Event] = [TextDelta(text="a"), *([PartDone(part=CALL)] if called else [])]
    for message in (ending([*said_before, finish]), whole([*said_before, finish])):
        assert message["stop_reason"] == word
        assert message["stop_sequence"] == finish.stop_sequence


def test_what_was_said_about_a_refusal_is_passed_on() -> None:
    details: JsonObject = {"type": "refusal", "category": "cyber", "explanation": "no"}
    finish = Finish(reason="refusal", native="refusal", raw={"stop_details": details})
    for message in (ending([finish]), whole([finish])):
        assert message["stop_details"] == details


def test_usage_is_told_in_full_and_leaves_the_cache_out_of_the_input() -> None:
    counts: JsonObject = {
        "input_tokens": 3,
        "cache_creation_input_tokens": 2,
        "cache_read_input_tokens": 4,
        "output_tokens": 7,
        "output_tokens_details": {"thinking_tokens": 3},
    }
    assert whole([STOP])["usage"] == counts
    first, *_, last, _ = streamed([Start(usage=Usage(input=9, cached=4)), STOP])
    assert object_at(first["message"], "message")["usage"] == {
        "input_tokens": 5,
        "cache_creation_input_tokens": 0,
        "cache_read_input_tokens": 4,
        "output_tokens": 0,
    }
    assert last["usage"] == counts


def test_a_prompt_of_unknown_size_is_guessed_and_never_none() -> None:
    tool = Tool(name="f", parameters={"type": "object"})
    request = Request(messages=(user("one two three four"),), tools=(tool,))
    first, *_ = streamed([Start(), STOP], request)
    usage = object_at(object_at(first["message"], "message")["usage"], "usage")
    assert isinstance(usage["input_tokens"], int)
    assert 5 < usage["input_tokens"] < 50
    # Where the truth never comes, the guess is not taken back.
    *_, last, _ = streamed([Start(), Finish(reason="stop")], request)
    assert last["usage"] == {"output_tokens": 0}


def test_an_error_in_the_middle_is_said_in_band() -> None:
    encoder = DIALECT.encoder(ask(stream=True), STAMP)
    begun = b"".join(encoder.feed(TextDelta(text="a")))
    failed = encoder.fail(Overloaded("busy", status=529, request_id="req_1"))
    assert begun.count(b"event: ") == 3
    assert failed.startswith(b"event: error\ndata: ")
    assert read(failed.partition(b"data: ")[2]) == {
        "type": "error",
        "error": {"type": "overloaded_error", "message": "busy"},
        "request_id": "req_1",
    }
    assert [*encoder.feed(TextDelta(text="b")), *encoder.close()] == []


def test_a_reply_that_ends_in_an_error_is_an_error() -> None:
    finish = Finish(reason="error", native="MALFORMED_FUNCTION_CALL")
    wire = b"".join(pump(DIALECT.encoder(ask(stream=True), STAMP), [finish]))
    assert b"event: error" in wire
    assert b"message_stop" not in wire
    with pytest.raises(Overloaded, match="MALFORMED_FUNCTION_CALL"):
        whole([finish])


@pytest.mark.parametrize("stream", [True, False])
def test_a_reply_without_a_finish_is_not_passed_off_as_one(*, stream: bool) -> None:
    encoder = DIALECT.encoder(ask(stream=stream), STAMP)
    with pytest.raises(Truncated):
        list(pump(encoder, [TextDelta(text="a")]))


def test_what_follows_the_finish_is_not_sent() -> None:
    done = ResponseDone(response=fold([TextDelta(text="a"), STOP]))
    for stream in (True, False):
        encoder = DIALECT.encoder(ask(stream=stream), STAMP)
        list(encoder.feed(STOP))
        assert [*encoder.feed(done), *encoder.feed(TextDelta(text="b")), *encoder.close()] == []


def test_a_failure_of_a_whole_reply_is_one_error_body() -> None:
    encoder = DIALECT.encoder(ask(stream=False), STAMP)
    assert encoder.content_type == "application/json"
    assert_valid(read(encoder.fail(InvalidRequest("no"))), "anthropic.error")


def test_a_ping_is_an_event_of_its_own() -> None:
    assert PING == b'event: ping\ndata: {"type":"ping"}\n\n'


def ask(*, stream: bool, request: Request | None = None) -> Ask:
    return Ask(model="m", stream=stream, request=request or Request(messages=()))


def whole(events: list[Event]) -> JsonObject:
    body = object_at(
        read(b"".join(pump(DIALECT.encoder(ask(stream=False), STAMP), events))), "body"
    )
    assert_valid(body, "anthropic.message")
    return body


def streamed(events: list[Event], request: Request | None = None) -> list[JsonObject]:
    wire = b"".join(pump(DIALECT.encoder(ask(stream=True, request=request), STAMP), events))
    found = [object_at(read(sse.data), "data") for sse in SseDecoder().feed(wire)]
    for data in found:
        assert_valid(data, "anthropic.event")
    return found


def ending(events: list[Event]) -> JsonObject:
    """Give what the last `message_delta` says; it is the last but one event."""
    return object_at(streamed(events)[-2]["delta"], "delta")
