"""Chat streams written by hand: chunks as short as a test can say them."""

from majordomo.contract import Json, JsonObject
from majordomo.dialects.json import write
from majordomo.dialects.sse import encode_sse

DONE = b"data: [DONE]\n\n"


def chunk(delta: JsonObject | None = None, finish: str | None = None, **fields: Json) -> bytes:
    """One event; `fields` stand beside the choices."""
    choice: JsonObject = {"index": 0, "delta": delta or {}, "finish_reason": finish}
    body: JsonObject = {
        "id": "x1",
        "object": "chat.completion.chunk",
        "created": 1,
        "model": "m",
        "choices": [choice],
        **fields,
    }
    return encode_sse(write(body))


def calls(*fragments: JsonObject) -> bytes:
    return chunk({"tool_calls": [*fragments]})


def fragment(arguments: Json = None, *, name: str | None = None, **fields: Json) -> JsonObject:
    """A piece of a call; `index` and `id` are given by keyword, or left out."""
    function: JsonObject = {}
    if name is not None:
        function["name"] = name
    if arguments is not None:
        function["arguments"] = arguments
    return {**fields, "function": function}
