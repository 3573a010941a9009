"""Counting a request's tokens, both ways.

https://platform.claude.com/docs/en/build-with-claude/token-counting
"""

from majordomo.contract import JsonObject, Request
from majordomo.dialects.dialect import Ask, Call, Wire
from majordomo.dialects.json import object_at, optional_int, read, write

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
