"""Replies of Ollama servers, as real and as broken as they come."""

import pytest
from msgspec.structs import replace

from majordomo.contract import (
    ContextTooLong,
    Failure,
    FinishReason,
    InvalidRequest,
    Malformed,
    ModelNotFound,
    Overloaded,
    RateLimited,
    Response,
    Text,
    Thinking,
    ToolCall,
    Truncated,
    Unauthorized,
    Unsupported,
    Usage,
    fold,
    parts,
    pump,
)
from majordomo.dialects.dialect import Decoder
from majordomo.dialects.json import read
from majordomo.dialects.ollama import DIALECT
from support.cuts import read_whole

CALL = ToolCall(id="call_0", name="f", arguments='{"a":1}')
LINE = b'{"model":"m","message":{"role":"assistant","content":"hi"},"done":false}\n'
DONE = b'{"model":"m","message":{"role":"assistant","content":""},"done":true,"done_reason":"stop"}'
WHOLE = b"""
{
  "model": "m",
  "message": {"role": "assistant", "content": "hi", "thinking": "hm",
    "tool_calls": [{"function": {"name": "f", "arguments": {"a": 1}}}]},
  "done": true, "done_reason": "stop", "prompt_eval_count": 3, "eval_count": 2
}
"""


FULL = Response(
    parts=(Thinking(text="hm"), Text(text="hi"), CALL),
    finish_reason="tool_calls",
    finish_native="stop",
    usage=Usage(input=3, output=2),
    model="m",
)


def said(text: str, reason: FinishReason = "stop", native: str = "stop") -> Response:
    return Response(
        parts=parts(text) if text else (), finish_reason=reason, finish_native=native, model="m"
    )


READ: dict[str, tuple[bytes, Response]] = {
    "lines": (LINE + DONE, said("hi")),
    "lines with blank ones between": (b"\n\n" + LINE + b"\r\n\n" + DONE + b"\n\n", said("hi")),
    "one object over many lines": (WHOLE, FULL),
    "one object without a newline": (b"".join(WHOLE.split(b"\n")), FULL),
    "a list of one": (b"[" + WHOLE + b"]", FULL),
    "a list of lines": (b"[" + LINE.strip() + b"," + DONE + b"]", said("hi")),
    "a list over many lines": (b"[\n" + LINE.strip() + b",\n" + DONE + b"\n]\n", said("hi")),
    "text in the last line": (LINE + DONE.replace(b'""', b'"!"'), said("hi!")),
    "what follows the end in a list is not read": (
        b"[%b,%b,%b]" % (LINE.strip(), DONE, LINE.strip()),
        said("hi"),
    ),
    "what follows the end is not read": (LINE + DONE + b"\n" + LINE, said("hi")),
    "an old server gives no reason": (
        LINE + DONE.replace(b',"done_reason":"stop"', b""),
        said("hi", "stop", ""),
    ),
    "cut off by the limit": (
        LINE + DONE.replace(b"stop", b"length"),
        said("hi", "length", "length"),
    ),
    "a reason nobody knows": (
        LINE + DONE.replace(b"stop", b"bored"),
        said("hi", "unknown", "bored"),
    ),
    "an empty reason": (LINE + DONE.replace(b'"stop"', b'""'), said("hi", "error", "")),
    "the model was only loaded": (DONE.replace(b"stop", b"load"), said("", "stop", "load")),
    "null where text could be": (
        LINE
        + b'{"message":{"content":null,"thinking":null,"tool_calls":null},"done":false}\n'
        + DONE,
        said("hi"),
    ),
    "the shape of generate": (
        b'{"model":"m","response":"h","done":false}\n{"response":"i","done":true,"done_reason":"stop"}',
        said("hi"),
    ),
}


@pytest.mark.parametrize("stream", [True, False])
@pytest.mark.parametrize(("wire", "response"), READ.values(), ids=READ.keys())
def test_reads_a_reply_of_either_kind(wire: bytes, response: Response, *, stream: bool) -> None:
    found = fold(pump(DIALECT.decoder(stream=stream), [wire]))
    assert replace(found, raw=None) == response


def test_calls_without_ids_get_different_ones() -> None:
    call = b'{"function":{"name":"f","arguments":"{\\"a\\": 1}"}}'
    calls = b'{"message":{"tool_calls":[%b,%b]},"done":false}\n' % (call, call)
    same = b'{"message":{"tool_calls":[{"id":"x","function":{"name":"g"}}]},"done":false}\n'
    reply = fold(read_whole(decoder, LINE + calls + same + same + DONE))
    assert [(c.id, c.name, c.arguments) for c in reply.tool_calls] == [
        ("call_0", "f", '{"a": 1}'),
        ("call_1", "f", '{"a": 1}'),
        ("x", "g", "{}"),
        ("call_3", "g", "{}"),
    ]


def test_a_whole_reply_is_kept_raw() -> None:
    assert fold(read_whole(decoder, WHOLE)).raw == read(WHOLE)


BROKEN: dict[str, tuple[bytes, type[Exception]]] = {
    "nothing": (b"", Truncated),
    "only blank": (b"\n \n", Truncated),
    "no last line": (LINE, Truncated),
    "cut in a line": (LINE + DONE[:30], Truncated),
    "cut in the only object": (WHOLE[:60], Truncated),
    "not JSON": (b"<html>", Malformed),
    "not JSON in the middle": (LINE + b"oops\n" + DONE, Malformed),
    "not an object": (b"7\n", Malformed),
    "message is text": (b'{"message":"hi","done":true}', Malformed),
    "content is a number": (LINE + b'{"message":{"content":1},"done":false}\n', Malformed),
    "an error first": (b'{"error":"model \'x\' not found"}', ModelNotFound),
    "an error in the middle": (LINE + b'{"error":"unexpected EOF"}\n', Overloaded),
    "an error with a nested message": (b'{"error":{"message":"rate limit"}}', RateLimited),
    "an error of unknown shape": (b'{"error":{"kind":"?"}}', Overloaded),
    "a busy server": (b'{"error":"server busy, please try again"}', Overloaded),
    "no tools": (b'{"error":"m does not support tools"}', Unsupported),
    "too long": (b'{"error":"input exceeds the context length"}', ContextTooLong),
    "no key": (b'{"error":"unauthorized"}', Unauthorized),
}


@pytest.mark.parametrize(("wire", "kind"), BROKEN.values(), ids=BROKEN.keys())
def test_a_broken_reply_is_no_success(wire: bytes, kind: type[Exception]) -> None:
    with pytest.raises(kind):
        read_whole(decoder, wire)


def test_names_the_line_that_cannot_be_read() -> None:
    with pytest.raises(Malformed, match="line 3"):
        read_whole(decoder, LINE + LINE + b"oops\n" + DONE)


STATUSES: dict[str, tuple[int, bytes, type[Failure], str]] = {
    "unknown model": (
        404,
        b'{"error":"model \'x\' not found"}',
        ModelNotFound,
        "model 'x' not found",
    ),
    "bad request": (400, b'{"error":"invalid character"}', InvalidRequest, "invalid character"),
    "queue full": (503, b'{"error":"server busy"}', Overloaded, "server busy"),
    "cloud limit": (429, b'{"error":"too many requests"}', RateLimited, "too many requests"),
    "not JSON": (502, b"bad gateway\n", Overloaded, "bad gateway"),
    "nothing": (500, b"", Overloaded, "HTTP 500"),
}


@pytest.mark.parametrize(
    ("status", "body", "kind", "message"), STATUSES.values(), ids=STATUSES.keys()
)
def test_sorts_errors(status: int, body: bytes, kind: type[Failure], message: str) -> None:
    failure = DIALECT.decode_failure(status, {"Retry-After": "2"}, body)
    assert (type(failure), failure.message, failure.status) == (kind, message, status)
    assert failure.retry_after == 2


def decoder() -> Decoder:
    return DIALECT.decoder(stream=True)
