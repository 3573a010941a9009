"""Stream events as bytes, and the pieces of them that never change.

https://platform.claude.com/docs/en/build-with-claude/streaming
"""

from typing import NamedTuple

import msgspec

from majordomo.contract import JsonObject
from majordomo.dialects.json import write
from majordomo.dialects.sse import encode_sse


class Shape(NamedTuple):
    """How a kind of block is opened, and what stands before each piece of it."""

    block: JsonObject
    delta: bytes  # `%d` is the block's index


def frame(wire: JsonObject) -> bytes:
    """Frame one event under its own type: clients drop events without an `event:` line."""
    return encode_sse(write(wire), str(wire["type"]))


def piece(prefix: bytes, text: str) -> bytes:
    """Finish a delta whose prefix is ready: a quarter of the cost of building it each time."""
    return prefix + _encode(text) + b"}}\n\n"


def _delta(kind: bytes, field: bytes) -> bytes:
    return (
        b'event: content_block_delta\ndata: {"type":"content_block_delta","index":%%d,'
        b'"delta":{"type":"%b","%b":' % (kind, field)
    )


_encode = msgspec.json.Encoder().encode
PING = frame({"type": "ping"})  # may be said at any time of a stream
STOP = frame({"type": "message_stop"})
TEXT = Shape({"type": "text", "text": ""}, _delta(b"text_delta", b"text"))
THINKING = Shape(
    {"type": "thinking", "thinking": "", "signature": ""}, _delta(b"thinking_delta", b"thinking")
)
INPUT = _delta(b"input_json_delta", b"partial_json")
