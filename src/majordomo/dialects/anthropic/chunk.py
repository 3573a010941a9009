"""One stream event as it lies on the wire: every type in one shape, what it lacks is None.

https://platform.claude.com/docs/en/build-with-claude/streaming
"""

import msgspec
from msgspec import Struct

from majordomo.contract import Json, JsonObject, Malformed
from majordomo.dialects.json import object_at, read


class Delta(Struct, gc=False):
    """Of a block (`text_delta`, ...) or, without a type, of the message itself."""

    type: str = ""
    text: str | None = None
    thinking: str | None = None
    partial_json: str | None = None
    signature: str | None = None
    citation: Json = None
    stop_reason: str | None = None
    stop_sequence: str | None = None
    stop_details: Json = None


class Chunk(Struct, gc=False):
    type: str = ""
    index: int | None = None
    delta: Delta | None = None
    content_block: JsonObject | None = None
    message: JsonObject | None = None
    usage: JsonObject | None = None
    error: Json = None


def decode_chunk(data: bytes, number: int) -> Chunk | None:
    """Read one event; None for one of a type we do not know, whatever its shape."""
    try:
        return _decode(data)
    except NOT_CHUNKS as error:
        if data.startswith(b"[DONE]"):
            return None  # another dialect's goodbye, added by proxies
        where = f"event {number}"
        wire = object_at(read(data, where), where)
        if wire.get("type") in _KNOWN:
            raise Malformed(where, f"is not a {wire['type']}: {error}") from error
        return None


# Typed, because a plain dict of the same event costs three times as much to read.
_decoder = msgspec.json.Decoder(Chunk)
_decode = _decoder.decode
decode_chunks = _decoder.decode_lines  # one a line
NOT_CHUNKS = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)
_KNOWN = (  # a tuple: the wire may hold what no set can
    "message_start",
    "content_block_start",
    "content_block_delta",
    "content_block_stop",
    "message_delta",
    "message_stop",
    "error",
)
