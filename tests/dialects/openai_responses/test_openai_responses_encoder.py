"""What a client of ours gets: every event sequence becomes a valid stream and a valid object."""

import pytest

from majordomo.contract import (
    Artefact,
    Document,
    Event,
    Finish,
    Image,
    JsonObject,
    Opaque,
    PartDone,
    Response,
    Start,
    Text,
    TextDelta,
    Thinking,
    ThinkingDelta,
    ToolCall,
    ToolCallDelta,
    Usage,
    fold,
    pump,
)
from majordomo.dialects.artefact import seal
from majordomo.dialects.dialect import Ask, Stamp
from majordomo.dialects.json import object_at, read
from majordomo.dialects.openai_responses import DIALECT
from majordomo.dialects.openai_responses.encoder import ResponsesEncoder
from support.responses_stream import assert_grammar, published
from support.schemas import assert_valid

STAMP = Stamp(id="s1", created=1700000000, model="any")
BODY: JsonObject = {
    "model": "any",
    "input": "hi",
    "instructions": "be kind",
    "temperature": 0.5,
    "metadata": {"team": "a"},
    "previous_response_id": "resp_0",
    "prompt_cache_key": "k",
    "parallel_tool_calls": False,
    "reasoning": {"effort": "low", "summary": "auto"},
    "tool_choice": {"type": "function", "name": "now"},
    "tools": [
        {"type": "function", "name": "now", "parameters": {"type": "object", "properties": {}}},
        {"type": "custom", "name": "apply_patch", "format": {"type": "text"}},
        {
            "type": "namespace",
            "name": "crm",
            "description": "customers",
            "tools": [{"type": "function", "name": "find", "parameters": {"type": "object"}}],
        },
        {"type": "web_search", "external_web_access": True},
    ],
}
ANTHROPIC = Artefact(dialect="anthropic", value={"signature": "EuYB"})
REASONING: JsonObject = {
    "id": "rs_9",
    "type": "reasoning",
    "summary": [{"type": "summary_text", "text": "Hm."}],
    "encrypted_content": "gAAA",
}
OWN = Artefact(dialect="openai_responses", value=REASONING)
REFUSAL = Artefact(dialect="openai_responses", value={"part": {"type": "refusal"}})
SEARCH: JsonObject = {
    "id": "ws_1",
    "type": "web_search_call",
    "status": "completed",
    "action": {"type": "search", "query": "x"},
}
STOP = Finish(reason="stop", usage=Usage(input=3, cached=1, output=2, reasoning=1))
CALL = ToolCall(id="call_1", name="now", arguments='{"zone":"utc"}')

SEQUENCES: dict[str, list[Event]] = {
    "nothing": [STOP],
    "nothing after a start": [Start(model="m", id="x"), STOP],
    "deltas only": [TextDelta(text="He"), TextDelta(text="llo"), STOP],
    "deltas and their part": [TextDelta(text="Hello"), PartDone(part=Text(text="Hello")), STOP],
    "a part that says more": [TextDelta(text="He"), PartDone(part=Text(text="Hello")), STOP],
    "two texts": [PartDone(part=Text(text="a")), PartDone(part=Text(text="b")), STOP],
    "empty deltas": [TextDelta(text=""), ThinkingDelta(text=""), STOP],
    "thinking after text": [
        TextDelta(text="a"),
        ThinkingDelta(text="b"),
        TextDelta(text="c"),
        STOP,
    ],
    "two thoughts": [
        ThinkingDelta(text="a"),
        PartDone(part=Thinking(text="a", artefact=ANTHROPIC)),
        ThinkingDelta(text="b"),
        PartDone(part=Thinking(text="b")),
        STOP,
    ],
    "a thought that is only a signature": [
        PartDone(part=Thinking(text="", artefact=ANTHROPIC)),
        STOP,
    ],
    "our own reasoning, streamed": [
        ThinkingDelta(text="Hm."),
        PartDone(part=Thinking(text="Hm.", artefact=OWN)),
        STOP,
    ],
    "our own reasoning, whole": [PartDone(part=Thinking(text="Hm.", artefact=OWN)), STOP],
    "a call": [PartDone(part=CALL), STOP],
    "a call without arguments": [PartDone(part=ToolCall(id="c", name="now", arguments="")), STOP],
    "a call in fragments": [
        ToolCallDelta(id="call_1", name="now", arguments='{"zone":'),
        ToolCallDelta(id="call_1", name="now", arguments='"utc"}'),
        PartDone(part=CALL),
        STOP,
    ],
    "a call that fragments told in part": [
        ToolCallDelta(id="call_1", name="now", arguments='{"zone"'),
        PartDone(part=CALL),
        STOP,
    ],
    "fragments of two calls mixed with text": [
        TextDelta(text="I will"),
        ToolCallDelta(id="call_1", name="now", arguments='{"zone"'),
        ToolCallDelta(id="call_2", name="now", arguments="{"),
        TextDelta(text="both"),
        ToolCallDelta(id="call_1", name="now", arguments=':"utc"}'),
        PartDone(part=CALL),
        ToolCallDelta(id="call_2", name="now", arguments="}"),
        PartDone(part=ToolCall(id="call_2", name="now", arguments="{}")),
        STOP,
    ],
    "a call nobody closed": [
        ToolCallDelta(id="call_1", name="now", arguments="{"),
        TextDelta(text="late"),
        Finish(reason="length"),
    ],
    "a call of a custom tool": [
        ToolCallDelta(id="call_3", name="apply_patch", arguments='{"inp'),
        PartDone(part=ToolCall(id="call_3", name="apply_patch", arguments='{"input":"*** Go"}')),
        STOP,
    ],
    "a call into a namespace": [
        PartDone(part=ToolCall(id="call_4", name="crm__find", arguments="{}")),
        STOP,
    ],
    "a refusal": [
        PartDone(part=Text(text="No.", artefact=REFUSAL)),
        Finish(reason="refusal", usage=STOP.usage),
    ],
    "a refusal that came as text and says so": [
        TextDelta(text="No."),
        PartDone(part=Text(text="No.", artefact=REFUSAL)),
        Finish(reason="refusal"),
    ],
    "a part that says something else": [
        TextDelta(text="Ho"),
        ThinkingDelta(text="hm"),
        PartDone(part=Thinking(text="oh")),
        STOP,
    ],
    "an empty text and a document": [
        PartDone(part=Text(text="")),
        PartDone(part=Document(data=b"pdf", mime="application/pdf")),
        STOP,
    ],
    "a refusal that came as text": [TextDelta(text="No."), Finish(reason="refusal")],
    "an item of our own": [PartDone(part=Opaque(dialect="openai_responses", value=SEARCH)), STOP],
    "an item of another": [PartDone(part=Opaque(dialect="gemini", value={"x": 1})), STOP],
    "a picture": [PartDone(part=Image(data=b"png", mime="image/png")), STOP],
    "cut by length": [TextDelta(text="He"), Finish(reason="length")],
    "filtered": [Finish(reason="content_filter")],
    "native word": [Finish(reason="length", native="max_messages")],
    "a foreign native word": [Finish(reason="length", native="MAX_TOKENS")],
    "paused": [Finish(reason="pause", native="pause_turn")],
    "cancelled": [Finish(reason="cancelled")],
    "unknown": [Finish(reason="unknown")],
    "line separators": [TextDelta(text="a\u2028b\n\nc"), STOP],
}


def ask(*, stream: bool) -> Ask:
    return DIALECT.decode_request({**BODY, "stream": stream})


def encode(events: list[Event], *, stream: bool) -> bytes:
    return b"".join(pump(DIALECT.encoder(ask(stream=stream), STAMP), events))


def decode(wire: bytes) -> Response:
    return fold(pump(DIALECT.decoder(stream=True), [wire]))


@pytest.mark.parametrize("events", SEQUENCES.values(), ids=SEQUENCES.keys())
def test_any_sequence_is_a_valid_stream_and_the_same_whole_object(events: list[Event]) -> None:
    streamed = assert_grammar(encode(events, stream=True))
    whole = object_at(read(encode(events, stream=False)), "body")
    assert_valid(published(whole), "openai.responses.response")
    assert streamed[-1]["response"] == whole


def test_the_response_repeats_what_was_asked() -> None:
    response = object_at(read(encode([STOP], stream=False)), "body")
    echoed = {k: response[k] for k in BODY if k not in {"input", "tools", "model"}}
    asked = {k: BODY[k] for k in echoed}
    assert echoed == asked
    assert response["id"] == "resp_s1"
    assert response["created_at"] == 1700000000
    assert response["usage"] == {
        "input_tokens": 3,
        "input_tokens_details": {"cached_tokens": 1, "cache_write_tokens": 0},
        "output_tokens": 2,
        "output_tokens_details": {"reasoning_tokens": 1},
        "total_tokens": 5,
    }
    assert response["tools"] == BODY["tools"]
    for required in ("error", "incomplete_details", "top_p"):
        assert response[required] is None


ITEMS: dict[str, tuple[str, JsonObject]] = {
    "a plain call": (
        "a call",
        {
            "type": "function_call",
            "id": "fc_s1_0",
            "call_id": "call_1",
            "name": "now",
            "arguments": '{"zone":"utc"}',
            "status": "completed",
        },
    ),
    "a custom call is free text again": (
        "a call of a custom tool",
        {
            "type": "custom_tool_call",
            "id": "ctc_s1_0",
            "call_id": "call_3",
            "name": "apply_patch",
            "input": "*** Go",
        },
    ),
    "a namespaced call says its namespace": (
        "a call into a namespace",
        {
            "type": "function_call",
            "id": "fc_s1_0",
            "call_id": "call_4",
            "name": "find",
            "namespace": "crm",
            "arguments": "{}",
            "status": "completed",
        },
    ),
    "a foreign signature travels sealed": (
        "a thought that is only a signature",
        {
            "type": "reasoning",
            "id": "rs_mjd_s1_0",
            "summary": [],
            "encrypted_content": seal(ANTHROPIC),
        },
    ),
    "whole reasoning is the service's own item": ("our own reasoning, whole", REASONING),
    "streamed reasoning has our id and carries that item sealed": (
        "our own reasoning, streamed",
        {
            "type": "reasoning",
            "id": "rs_mjd_s1_0",
            "summary": REASONING["summary"],
            "encrypted_content": seal(OWN),
        },
    ),
    "a refusal is a refusal part": (
        "a refusal",
        {
            "type": "message",
            "id": "msg_s1_0",
            "role": "assistant",
            "status": "completed",
            "content": [{"type": "refusal", "refusal": "No."}],
        },
    ),
    "an item of our own is left alone": ("an item of our own", SEARCH),
}


@pytest.mark.parametrize(("name", "item"), ITEMS.values(), ids=ITEMS.keys())
def test_an_item_looks_like_the_service_s(name: str, item: JsonObject) -> None:
    final = object_at(assert_grammar(encode(SEQUENCES[name], stream=True))[-1]["response"], "r")
    assert final["output"] == [item]


ENDINGS: dict[str, tuple[str, str, str, str | None]] = {
    "length": ("cut by length", "response.incomplete", "incomplete", "max_output_tokens"),
    "filter": ("filtered", "response.incomplete", "incomplete", "content_filter"),
    "native": ("native word", "response.incomplete", "incomplete", "max_messages"),
    "foreign": ("a foreign native word", "response.incomplete", "incomplete", "max_output_tokens"),
    "pause": ("paused", "response.completed", "completed", None),
    "stop": ("deltas only", "response.completed", "completed", None),
}


@pytest.mark.parametrize(("name", "kind", "status", "reason"), ENDINGS.values(), ids=ENDINGS.keys())
def test_the_ending_says_why(name: str, kind: str, status: str, reason: str | None) -> None:
    last = assert_grammar(encode(SEQUENCES[name], stream=True))[-1]
    response = object_at(last["response"], "response")
    assert last["type"] == kind
    assert response["status"] == status
    assert response["incomplete_details"] == (None if reason is None else {"reason": reason})


def test_a_refusal_that_came_as_text_is_still_a_refusal() -> None:
    response = decode(encode(SEQUENCES["a refusal that came as text"], stream=True))
    assert (response.text, response.finish_reason) == ("No.", "refusal")


def test_phase_goes_out_with_the_finished_message() -> None:
    artefact = Artefact(dialect="openai_responses", value={"item": {"phase": "commentary"}})
    events: list[Event] = [PartDone(part=Text(text="a", artefact=artefact)), STOP]
    final = object_at(assert_grammar(encode(events, stream=True))[-1]["response"], "response")
    assert isinstance(final["output"], list)
    assert object_at(final["output"][0], "item")["phase"] == "commentary"


def test_nothing_follows_the_finish() -> None:
    encoder = DIALECT.encoder(ask(stream=True), STAMP)
    list(encoder.feed(STOP))
    assert list(encoder.feed(TextDelta(text="more"))) == []
    assert list(encoder.close()) == []


@pytest.mark.parametrize("stream", [True, False])
def test_the_response_object_can_be_kept(*, stream: bool) -> None:
    encoder = ResponsesEncoder(ask(stream=stream), STAMP)
    assert encoder.body == b""
    list(encoder.feed(STOP))
    assert object_at(read(encoder.body), "body")["id"] == encoder.id == "resp_s1"


def test_the_content_type_follows_what_was_asked() -> None:
    assert DIALECT.encoder(ask(stream=True), STAMP).content_type == "text/event-stream"
    assert DIALECT.encoder(ask(stream=False), STAMP).content_type == "application/json"
