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

    opening: bytes  # the event; `%d` is the block's index
    delta: bytes  # the same


def frame(wire: JsonObject) -> bytes:
    """Frame one event under its own type: clients drop events without an `event:` line."""
    return encode_sse(write(wire), str(wire["type"]))


def piece(prefix: bytes, text: str) -> bytes:
    """Finish a delta whose prefix is ready: a quarter of the cost of building it each time."""
    return prefix + _encode(text) + b"}}\n\n"


def opening(index: int, block: JsonObject) -> bytes:
    """Open a block of any shape."""
    return _opening(block) % index


def start(id: str, model: str, usage: JsonObject) -> bytes:
    """Open a message that has no content yet."""
    return _START % (_encode(id)[1:], _encode(model), _encode(usage))


def _opening(block: JsonObject) -> bytes:
    return (
        b'event: content_block_start\ndata: {"type":"content_block_start","index":%%d,'
        b'"content_block":%b}\n\n' % write(block).replace(b"%", b"%%")
    )


def _delta(kind: bytes, field: bytes) -> bytes:
    return (
        b'event: content_block_delta\ndata: {"type":"content_block_delta","index":%%d,'
        b'"delta":{"type":"%b","%b":' % (kind, field)
    )


_encode = msgspec.json.Encoder().encode
_START = (
    b'event: message_start\ndata: {"type":"message_start","message":{"id":"msg_%b,'
    b'"type":"message","role":"assistant","model":%b,"content":[],"stop_reason":null,'
    b'"stop_sequence":null,"usage":%b}}\n\n'
)
PING = frame({"type": "ping"})  # may be said at any time of a stream
STOP = frame({"type": "message_stop"})
_TEXT: JsonObject = {"type": "text", "text": ""}
_THINKING: JsonObject = {"type": "thinking", "thinking": "", "signature": ""}
TEXT = Shape(_opening(_TEXT), _delta(b"text_delta", b"text"))
THINKING = Shape(_opening(_THINKING), _delta(b"thinking_delta", b"thinking"))
BLOCK_STOP = (
    b'event: content_block_stop\ndata: {"type":"content_block_stop","index":%d}\n\n'  # its index
)
INPUT = _delta(b"input_json_delta", b"partial_json")
