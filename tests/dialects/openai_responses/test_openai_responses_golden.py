"""The stream of the book, event by event, however it is cut."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from majordomo.contract import (
    Artefact,
    Event,
    Finish,
    JsonObject,
    PartDone,
    Start,
    Text,
    TextDelta,
    Thinking,
    ThinkingDelta,
    ToolCall,
    ToolCallDelta,
    Usage,
    pump,
)
from majordomo.dialects.json import write
from majordomo.dialects.openai_responses import DIALECT
from majordomo.dialects.sse import encode_sse
from support.cuts import draw_pieces

GOLDEN = (
    Path(__file__).parents[2] / "wire" / "golden" / "openai.responses.stream.sse"
).read_bytes()


def own(value: JsonObject) -> Artefact:
    return Artefact(dialect="openai_responses", value=value)


def events_of(wire: bytes, *, partial: bool = False) -> list[Event]:
    return list(pump(DIALECT.decoder(stream=True, partial_tool_calls=partial), [wire]))


def text_delta(text: str) -> JsonObject:
    return {"type": "response.output_text.delta", "delta": text}


GOLDEN_EVENTS: list[Event] = [
    Start(model="m", id="resp_1"),
    ThinkingDelta(text="Need weather."),
    PartDone(
        part=Thinking(
            text="Need weather.",
            artefact=own(
                {
                    "id": "rs_1",
                    "type": "reasoning",
                    "summary": [{"type": "summary_text", "text": "Need weather."}],
                    "encrypted_content": "gAAA",
                }
            ),
        )
    ),
    TextDelta(text="Let me "),
    TextDelta(text="check."),
    PartDone(
        part=Text(
            text="Let me check.",
            artefact=own({"item": {"id": "msg_1", "status": "completed"}}),
        )
    ),
    PartDone(
        part=ToolCall(
            id="call_0",
            name="get_weather",
            arguments='{"city":"Paris"}',
            artefact=own({"item": {"id": "fc_0", "status": "completed"}}),
        )
    ),
    PartDone(
        part=ToolCall(
            id="call_1",
            name="now",
            arguments="{}",
            artefact=own({"item": {"id": "fc_1", "status": "completed"}}),
        )
    ),
]


@given(data=st.data())
def test_the_golden_stream_is_read_however_it_is_cut(data: st.DataObject) -> None:
    pieces = draw_pieces(data, GOLDEN)
    *events, finish = pump(DIALECT.decoder(stream=True), pieces)
    assert events == GOLDEN_EVENTS
    assert isinstance(finish, Finish)
    assert (finish.reason, finish.native) == ("tool_calls", "completed")
    assert finish.usage == Usage(input=11, cached=4, output=7, reasoning=2)


@pytest.mark.parametrize("framed", [True, False])
def test_deltas_that_come_one_by_one_are_read_too(*, framed: bool) -> None:
    deltas = [text_delta(word) for word in ("a", "", "b\u2028\n", "c")]
    chunks = [encode_sse(write(d), str(d["type"]) if framed else "") for d in deltas]
    late = encode_sse(write(text_delta("late")), "response.output_text.delta")
    events = list(
        pump(
            DIALECT.decoder(stream=True),
            [*chunks, encode_sse(b'{"type":"response.completed","response":{}}'), late],
        )
    )
    said = [TextDelta(text="a"), TextDelta(text="b\u2028\n"), TextDelta(text="c")]
    assert [event for event in events if isinstance(event, TextDelta)] == said
    assert isinstance(events[-1], Finish)


def test_fragments_of_calls_come_only_when_asked_for() -> None:
    fragments = [e for e in events_of(GOLDEN, partial=True) if isinstance(e, ToolCallDelta)]
    assert fragments == [
        ToolCallDelta(id="call_0", name="get_weather", arguments='{"city":"Paris"}'),
        ToolCallDelta(id="call_1", name="now", arguments="{}"),
    ]
    assert not any(isinstance(e, ToolCallDelta) for e in events_of(GOLDEN))
