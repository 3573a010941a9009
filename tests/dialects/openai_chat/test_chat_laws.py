"""Laws: what Chat can say survives the way there and back, and nothing crashes a codec."""

from contextlib import suppress

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from majordomo.contract import (
    Failure,
    Json,
    JsonObject,
    Malformed,
    Request,
    Response,
    fold,
    pump,
    unfold,
    user,
)
from majordomo.dialects.dialect import Ask, Stamp, Wire
from majordomo.dialects.json import object_at, read, write
from majordomo.dialects.openai_chat import DIALECT
from support.chat_stream import DONE, calls, chunk, fragment
from support.chat_values import json_values, requests, responses
from support.cuts import draw_pieces
from support.schemas import assert_valid

STAMP = Stamp(id="1", created=1, model="m")
BOOK = Wire()
MISTRAL = Wire(
    max_tokens_field="max_tokens", seed_field="random_seed", required_word="any", stream_usage=False
)

STREAM = (
    chunk({"role": "assistant", "content": ""})
    + chunk({"reasoning": "hm", "reasoning_details": [{"type": "reasoning.text", "text": "hm"}]})
    + chunk({"content": "hi ✓"})
    + calls(fragment('{"x":', name="f", index=0, id="a"))
    + calls(fragment("1}", index=0))
    + chunk({}, "tool_calls", usage={"prompt_tokens": 1, "completion_tokens": 1})
    + DONE
)
WHOLE = (
    b'{"id":"x","model":"m","choices":[{"index":0,"message":{"role":"assistant","content":"hi",'
    b'"tool_calls":[{"id":"a","function":{"name":"f","arguments":"{}"}}]},"finish_reason":"stop"}]}'
)


@given(request=requests(), wire=st.sampled_from([BOOK, MISTRAL]), stream=st.booleans())
def test_a_request_comes_back_as_it_went(request: Request, wire: Wire, *, stream: bool) -> None:
    call = DIALECT.encode_request(request, model="m", stream=stream, wire=wire)
    ask = DIALECT.decode_request(object_at(read(call.body), "body"))
    assert ask == Ask(
        model="m", stream=stream, request=request, stream_usage=stream and wire.stream_usage
    )


@given(request=requests())
def test_a_request_is_valid_in_the_sdks_types(request: Request) -> None:
    plain = replace(request, top_k=None)  # the compatibles' own
    body = DIALECT.encode_request(plain, model="m", stream=False, wire=BOOK).body
    assert_valid(without_marks(read(body)), "openai.chat.request")


@given(response=responses(), stream=st.booleans(), data=st.data())
def test_a_reply_comes_back_as_it_went(
    response: Response, data: st.DataObject, *, stream: bool
) -> None:
    ask = Ask(model="m", stream=stream, request=Request(messages=(user("hi"),)))
    wire = b"".join(pump(DIALECT.encoder(ask, STAMP), unfold(response)))
    for pieces in ([wire], [wire[i : i + 1] for i in range(len(wire))], draw_pieces(data, wire)):
        back = fold(pump(DIALECT.decoder(stream=stream), pieces))
        assert replace(back, raw=None) == response


@given(wire=st.sampled_from([STREAM, WHOLE]), data=st.data())
def test_no_damage_crashes_the_decoder(wire: bytes, data: st.DataObject) -> None:
    damaged = bytearray(wire)
    for _ in range(data.draw(st.integers(1, 4))):
        start = data.draw(st.integers(0, len(damaged)))
        end = data.draw(st.integers(start, min(len(damaged), start + 12)))
        damaged[start:end] = data.draw(st.binary(max_size=6) | st.sampled_from(SNIPPETS))
    with suppress(Failure, Malformed):
        _ = fold(pump(DIALECT.decoder(stream=True), draw_pieces(data, bytes(damaged))))


SNIPPETS = [b"null", b"1", b'""', b"[]", b"{}", b"\n\n", b"\r", b'"', b"data: ", b"[DONE]"]


@given(body=st.dictionaries(st.text(), json_values))
def test_no_object_crashes_the_door(body: JsonObject) -> None:
    with suppress(Malformed):
        _ = DIALECT.decode_request(body)


@given(request=requests(), data=st.data())
def test_no_wrong_value_anywhere_crashes_the_door(request: Request, data: st.DataObject) -> None:
    body = read(DIALECT.encode_request(request, model="m", stream=True, wire=BOOK).body)
    for _ in range(data.draw(st.integers(1, 3))):
        body = spoiled(body, data)
    with suppress(Malformed):
        _ = DIALECT.decode_request(object_at(body, "body"))


@given(value=json_values, status=st.integers(300, 599))
def test_no_error_body_crashes_the_reader_of_errors(value: Json, status: int) -> None:
    for body in (write(value), write({"error": value}), write({"detail": value})):
        assert DIALECT.decode_failure(status, {}, body).status == status


def spoiled(wire: Json, data: st.DataObject) -> Json:
    """Put any value in place of one somewhere inside."""
    if isinstance(wire, dict) and wire:
        name = data.draw(st.sampled_from(sorted(wire)))
        return {**wire, name: spoiled(wire[name], data)}
    if isinstance(wire, list) and wire:
        place = data.draw(st.integers(0, len(wire) - 1))
        return [*wire[:place], spoiled(wire[place], data), *wire[place + 1 :]]
    return data.draw(json_values)


def without_marks(wire: Json) -> Json:
    """Leave out what no SDK type has: cache marks and reasoning, which the compatibles take."""
    match wire:
        case dict():
            return {
                name: without_marks(value)
                for name, value in wire.items()
                if name not in ("cache_control", "reasoning_content")
            }
        case list():
            return [without_marks(value) for value in wire]
        case _:
            return wire
