"""Counting a request's tokens, both ways, and a guess for where nobody can count.

https://platform.claude.com/docs/en/build-with-claude/token-counting
"""

from collections.abc import Iterable
from typing import assert_never

from majordomo.contract import (
    Document,
    Image,
    JsonObject,
    Opaque,
    Part,
    Request,
    Text,
    Thinking,
    ToolCall,
    ToolResult,
)
from majordomo.dialects.dialect import Ask, Call, Wire
from majordomo.dialects.json import object_at, optional_int, read, write

from .part import encode_part
from .request import PATH, decode_request, encode_request


def decode_count_request(body: JsonObject) -> Ask:
    return decode_request(body, stream=False)


def encode_count_request(request: Request, *, model: str, wire: Wire) -> Call:
    call = encode_request(request, model=model, stream=False, wire=wire)
    body = object_at(read(call.body), "body")
    counted = {key: value for key, value in body.items() if key in _COUNTED}
    return Call(path=f"{PATH}/count_tokens", body=write(counted), headers=call.headers)


def decode_count_response(body: bytes) -> int:
    return optional_int(object_at(read(body), "body"), "input_tokens") or 0


def encode_count_response(tokens: int) -> bytes:
    return write({"input_tokens": tokens})


def guess_tokens(request: Request) -> int:
    """Guess the tokens of a request, everything in it counted: text, calls, results, schemas.

    Clients decide from this number when to compact their history, so nothing may count as
    nothing (a result that did would fill the context unseen).
    """
    size = len(request.system)
    size += sum(len(tool.name) + len(tool.description) for tool in request.tools)
    size += sum(len(write(tool.parameters)) for tool in request.tools)
    tokens = _MESSAGE_TOKENS * len(request.messages)
    for message in request.messages:
        tokens += _guess_parts(message.parts)
    return tokens + size // _CHARACTERS_PER_TOKEN + 1


def _guess_parts(parts: Iterable[Part]) -> int:
    return sum(_guess_part(part) for part in parts)


def _guess_part(part: Part) -> int:
    match part:
        case Text(text=text) | Thinking(text=text):
            return len(text) // _CHARACTERS_PER_TOKEN + 1
        case ToolCall(name=name, arguments=arguments):
            return (len(name) + len(arguments)) // _CHARACTERS_PER_TOKEN + _MESSAGE_TOKENS
        case ToolResult(content=content):
            return _guess_parts(content) + _MESSAGE_TOKENS
        case Image():
            return _IMAGE_TOKENS
        case Document(data=data):
            return len(data) // _CHARACTERS_PER_TOKEN + 1
        case Opaque():
            block = encode_part(part)
            return len(write(block)) // _CHARACTERS_PER_TOKEN if block is not None else 0
        case _:
            assert_never(part)


_CHARACTERS_PER_TOKEN = 4
_MESSAGE_TOKENS = 4  # what a turn or a call costs beside its words
_IMAGE_TOKENS = 1568  # of an image as large as it is read at: 1568 px, 28 px a patch
_COUNTED = frozenset(
    {
        "model",
        "messages",
        "system",
        "tools",
        "tool_choice",
        "thinking",
        "output_config",
        "cache_control",
        "context_management",
        "mcp_servers",
        "speed",
    }
)
