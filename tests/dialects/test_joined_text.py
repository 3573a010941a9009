"""Text that one read brought may come as one piece: the same reply, whatever was sent and how."""

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from majordomo.contract import (
    Event,
    Failure,
    Finish,
    Malformed,
    PartDone,
    Start,
    Text,
    TextDelta,
    ThinkingDelta,
    fold,
    pump,
)
from majordomo.dialects import anthropic, gemini, ollama, openai_chat, openai_responses
from majordomo.dialects.dialect import Decoder, Dialect
from majordomo.dialects.join import joined
from majordomo.dialects.json import object_at, read
from support.cuts import draw_pieces, read_bytewise

TESTS = Path(__file__).parents[1]
DIALECTS: dict[str, Dialect] = {
    "anthropic": anthropic.DIALECT,
    "gemini": gemini.DIALECT,
    "ollama": ollama.DIALECT,
    "openai_chat": openai_chat.DIALECT,
    "openai_responses": openai_responses.DIALECT,
}
GOLDEN = {
    "anthropic": "anthropic.stream.sse",
    "gemini": "gemini.stream.sse",
    "ollama": "ollama.stream.ndjson",
    "openai_chat": "openai.chat.stream.sse",
    "openai_responses": "openai.responses.stream.sse",
}


def recorded() -> dict[str, tuple[Dialect, bytes]]:
    """Give every reply there is on disk, real or golden, good or bad."""
    found: dict[str, tuple[Dialect, bytes]] = {}
    for name, dialect in DIALECTS.items():
        found[name] = dialect, (TESTS / "wire" / "golden" / GOLDEN[name]).read_bytes()
        for path in sorted((TESTS / "recordings" / name).glob("*.json")):
            text = object_at(read(path.read_bytes()), path.name).get("text")
            if isinstance(text, str):
                found[f"{name} {path.stem}"] = dialect, text.encode()
    return found


RECORDED = recorded()

# What stands between the pieces of a stream, or in their place: each must be met in its order.
CHAT = [
    b'data: {"id":"c","model":"m","choices":[{"index":0,"delta":{"content":"one "}}]}\n\n',
    b'data: {"id":"c","model":"m","choices":[{"index":0,"delta":{"content":"two "}}]}\n\n',
    b'data:{"choices":[{"delta":{"content":"no blank "}}]}\n\n',
    b'data: {"choices":[{"index":1,"delta":{"content":"another choice"}}]}\n\n',
    b'data: {"choices":[{"delta":{"content":"both"},"finish_reason":"stop"}]}\n\n',
    (
        b'data: {"choices":[{"delta":{"content":"counted"}}],'
        b'"usage":{"prompt_tokens":1,"completion_tokens":2}}\n\n'
    ),
    b'data: {"choices":[{"delta":{"reasoning_content":"hm"}}]}\n\n',
    b'data: {"choices":[{"delta":{"content":"x","reasoning":"hm"}}]}\n\n',
    b'data: {"choices":[{"delta":{"content":""}}]}\n\n',
    b'data: {"choices":[{"delta":{"content":null,"refusal":"no"}}]}\n\n',
    b'data: {"choices":[{"delta":{"content":[{"type":"text","text":"part"}]}}]}\n\n',
    (
        b'data: {"choices":[{"delta":{"tool_calls":[{"index":0,"id":"a","function":'
        b'{"name":"f","arguments":"{"}}]}}]}\n\n'
    ),
    b'data: {"choices":[{"delta":{"tool_calls":[{"index":0,"function":{"arguments":"}"}}]}}]}\n\n',
    b'data: {"choices":[]}\n\n',
    b'data: {"choices":[{"delta":{"content":"a"}},{"index":1,"delta":{"content":"b"}}]}\n\n',
    b'data: {"choices":[{"delta":{"content":"a"}},{"delta":{"content":"b"}}]}\n\n',
    b'data: {"choices":[{"delta":{"content":"a"}}]} {"choices":[{"delta":{"content":"b"}}]}\n\n',
    b'data: {"choices":[{"delta":{"content":"cr"}}]}\r\n\r\n',
    b'data: {"choices":[{"delta":\ndata: {"content":"lines"}}]}\n\n',
    b'data: {"choices":[{"delta":{"content":"a"}}]},{"choices":[{"delta":{"content":"b"}}]}\n\n',
    b'data: {"choices":[{"delta":{"content":"\\ud83d\\ude00 \xe2\x80\xa8"}}]}\n\n',
    b'data: {"choices":[{"delta":{"content":"\xff"}}]}\n\n',
    b'event: message\ndata: {"choices":[{"delta":{"content":"named"}}]}\n\n',
    b'event: error\ndata: {"message":"it broke"}\n\n',
    b'data: {"error":{"message":"it broke"}}\n\n',
    b": a comment\n\n",
    b'\n\ndata: {"choices":[{"delta":{"content":"after blanks"}}]}\n\n',
    b'id: 1\ndata: {"choices":[{"delta":{"content":"numbered"}}]}\n\n',
    b"data: {\n\n",
    b"data: \n\n",
    b"data: []\n\n",
    b"data: [DONE]\n\n",
]
ANTHROPIC = [
    (
        b'event: message_start\ndata: {"type":"message_start","message":{"id":"i","model":"m",'
        b'"usage":{"input_tokens":1,"output_tokens":1}}}\n\n'
    ),
    (
        b'event: content_block_start\ndata: {"type":"content_block_start","index":0,'
        b'"content_block":{"type":"text","text":""}}\n\n'
    ),
    (
        b'event: content_block_start\ndata: {"type":"content_block_start","index":1,'
        b'"content_block":{"type":"text","text":"first"}}\n\n'
    ),
    (
        b'event: content_block_start\ndata: {"type":"content_block_start","index":2,'
        b'"content_block":{"type":"tool_use","id":"t","name":"f","input":{}}}\n\n'
    ),
    (
        b'event: content_block_start\ndata: {"type":"content_block_start","index":3,'
        b'"content_block":{"type":"thinking","thinking":"","signature":""}}\n\n'
    ),
    *(
        b'event: content_block_delta\ndata: {"type":"content_block_delta","index":%d,'
        b'"delta":{"type":"text_delta","text":"%b"}}\n\n' % (index, text)
        for index in (0, 1, 2)
        for text in (b"one ", b"two ", b"")
    ),
    b'data: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"x"}}\n\n',
    (
        b'event: content_block_delta\ndata: {"type":"content_block_delta",'
        b'"delta":{"type":"text_delta","text":"nowhere"}}\n\n'
    ),
    (
        b'event: content_block_delta\ndata: {"type":"content_block_delta","index":0,'
        b'"delta":{"type":"text_delta","text":5}}\n\n'
    ),
    b'event: content_block_delta\ndata: {"type":"error","error":{"message":"it broke"}}\n\n',
    (
        b'event: content_block_delta\ndata: {"type":"content_block_delta","index":2,'
        b'"delta":{"type":"input_json_delta","partial_json":"{}"}}\n\n'
    ),
    (
        b'event: content_block_delta\ndata: {"type":"content_block_delta","index":3,'
        b'"delta":{"type":"thinking_delta","thinking":"hm"}}\n\n'
    ),
    (
        b'event: content_block_delta\ndata: {"type":"content_block_delta","index":3,'
        b'"delta":{"type":"signature_delta","signature":"s"}}\n\n'
    ),
    (
        b'event: content_block_delta\r\ndata: {"type":"content_block_delta","index":0,'
        b'"delta":{"type":"text_delta","text":"cr"}}\r\n\r\n'
    ),
    (
        b'event: content_block_delta\ndata: {"type":"content_block_delta",\ndata: "index":0,'
        b'"delta":{"type":"text_delta","text":"lines"}}\n\n'
    ),
    *(
        b'event: content_block_stop\ndata: {"type":"content_block_stop","index":%d}\n\n' % index
        for index in (0, 1, 2, 3)
    ),
    b'event: ping\ndata: {"type":"ping"}\n\n',
    b"event: content_block_delta\ndata: {\n\n",
    b": a comment\n\n",
    (
        b'event: message_delta\ndata: {"type":"message_delta","delta":{"stop_reason":"end_turn"},'
        b'"usage":{"output_tokens":3}}\n\n'
    ),
    b'event: message_stop\ndata: {"type":"message_stop"}\n\n',
    b'event: error\ndata: {"type":"error","error":{"type":"overloaded_error","message":"x"}}\n\n',
]
RESPONSES = [
    *(
        b'event: response.output_text.delta\ndata: {"type":"response.output_text.delta",'
        b'"item_id":"m","output_index":0,"content_index":0,"delta":"%b"}\n\n' % text
        for text in (b"one ", b"two ", b"")
    ),
    b'event: response.created\ndata: {"type":"response.created","response":{"id":"r"}}\n\n',
    b'data: {"type":"response.output_text.delta","delta":"unnamed"}\n\n',
    b'event: response.output_text.delta\ndata: {"delta":"of no type"}\n\n',
    b'event: response.output_text.delta\ndata: {"type":"response.output_text.delta"}\n\n',
    b'event: response.output_text.delta\ndata: {"type":"error","message":"it broke"}\n\n',
    b'event: response.output_text.delta\ndata: {"type":"response.output_text.delta","delta":5}\n\n',
    (
        b'event: response.content_part.added\ndata: {"type":"response.content_part.added",'
        b'"part":{"type":"output_text","text":""}}\n\n'
    ),
    (
        b'event: response.reasoning_text.delta\ndata: {"type":"response.reasoning_text.delta",'
        b'"delta":"hm"}\n\n'
    ),
    b"event: response.output_text.delta\ndata: {\n\n",
    b": a comment\n\n",
    b"data: [DONE]\n\n",
    (
        b'event: response.completed\ndata: {"type":"response.completed",'
        b'"response":{"status":"completed","output":[]}}\n\n'
    ),
]
FRAMES = {"openai_chat": CHAT, "anthropic": ANTHROPIC, "openai_responses": RESPONSES}

Told = list[list[Event] | str]


def told(decoder: Decoder, pieces: list[bytes], by: Callable[[list[Event]], list[Event]]) -> Told:
    """Write down what each read gave, and the failure that ended it."""
    whole: Told = []
    try:
        whole.extend(by(list(decoder.feed(piece))) for piece in pieces)
        whole.append(by(list(decoder.close())))
    except (Failure, Malformed) as failure:
        whole.append(f"{type(failure).__name__}: {failure}")
    return whole


def hold_the_law(dialect: Dialect, pieces: list[bytes]) -> None:
    """What is joined while reading is what would be joined afterwards, failures and all."""
    for partial in (False, True):
        one_by_one = dialect.decoder(stream=True, partial_tool_calls=partial)
        together = dialect.decoder(stream=True, partial_tool_calls=partial, joined_text=True)
        assert told(together, pieces, list) == told(one_by_one, pieces, joined)


@pytest.mark.parametrize(("dialect", "wire"), RECORDED.values(), ids=RECORDED.keys())
def test_a_recorded_reply_is_the_same_whole_and_byte_by_byte(dialect: Dialect, wire: bytes) -> None:
    hold_the_law(dialect, [wire])
    hold_the_law(dialect, [wire[at : at + 1] for at in range(len(wire))])


@pytest.mark.parametrize("name", DIALECTS)
@given(data=st.data())
def test_a_golden_stream_adds_up_to_the_same_however_it_is_cut(
    name: str, data: st.DataObject
) -> None:
    dialect, wire = RECORDED[name]
    expected = fold(read_bytewise(lambda: dialect.decoder(stream=True), wire))
    for together in (False, True):
        decoder = dialect.decoder(stream=True, joined_text=together)
        assert fold(pump(decoder, draw_pieces(data, wire))) == expected


@pytest.mark.parametrize("name", DIALECTS)
@given(data=st.data())
def test_any_cut_and_any_damage_is_the_same(name: str, data: st.DataObject) -> None:
    wire = bytearray(RECORDED[name][1])
    for at in data.draw(st.sets(st.integers(0, len(wire) - 1), max_size=2)):
        wire[at] = data.draw(st.integers(0, 255))
    hold_the_law(DIALECTS[name], draw_pieces(data, bytes(wire)))


@pytest.mark.parametrize("name", FRAMES)
@settings(max_examples=300)
@given(data=st.data())
def test_odd_frames_among_the_plain_ones_are_met_in_their_order(
    name: str, data: st.DataObject
) -> None:
    frames = FRAMES[name]
    plain = st.sampled_from(frames[:11] if name == "anthropic" else frames[:2])
    chosen = data.draw(st.lists(plain | st.sampled_from(frames), max_size=30))
    hold_the_law(DIALECTS[name], draw_pieces(data, b"".join(chosen)))


def test_every_odd_frame_alone_among_plain_ones_is_met() -> None:
    for name, frames in FRAMES.items():
        for odd in frames:
            for before in (b"", b"\xef\xbb\xbf", b"\n"):
                head = b"".join(frames[:2])
                for times in (3, 30):
                    hold_the_law(DIALECTS[name], [before + head * times + odd + head * times])


@pytest.mark.parametrize("name", FRAMES)
def test_many_empty_pieces_say_nothing(name: str) -> None:
    empty = next(frame for frame in FRAMES[name] if b'""}' in frame and b"delta" in frame)
    told_of = told(DIALECTS[name].decoder(stream=True, joined_text=True), [empty * 60], list)
    assert not any(isinstance(event, TextDelta) for events in told_of for event in events)
    hold_the_law(DIALECTS[name], [FRAMES[name][0] + empty * 60])


def test_a_burst_comes_as_one_piece() -> None:
    wire = CHAT[0] + CHAT[1] * 98
    decoder = openai_chat.DIALECT.decoder(stream=True, joined_text=True)
    assert list(decoder.feed(wire)) == [
        Start(model="m", id="c"),
        TextDelta(text="one " + "two " * 98),
    ]


def test_thoughts_are_joined_too_but_not_with_words() -> None:
    events: list[Event] = [
        ThinkingDelta(text="a"),
        ThinkingDelta(text="b"),
        TextDelta(text="c"),
        TextDelta(text="d"),
        PartDone(part=Text(text="cd")),
        TextDelta(text="e"),
        Finish(reason="stop"),
    ]
    assert joined(events) == [
        ThinkingDelta(text="ab"),
        TextDelta(text="cd"),
        PartDone(part=Text(text="cd")),
        TextDelta(text="e"),
        Finish(reason="stop"),
    ]
    assert fold(joined(events)) == fold(events)
