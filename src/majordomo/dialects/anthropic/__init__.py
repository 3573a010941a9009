"""Anthropic Messages, client and server side.

https://platform.claude.com/docs/en/api/messages
"""

from collections.abc import Mapping

from majordomo.contract import DialectName, Failure, JsonObject, Request
from majordomo.dialects.dialect import Ask, Call, Decoder, Dialect, Encoder, Reply, Stamp, Wire

from .count import (
    decode_count_request,
    decode_count_response,
    encode_count_request,
    encode_count_response,
)
from .decoder import ReplyDecoder
from .encoder import StreamEncoder
from .failure import decode_failure, encode_failure
from .frame import PING
from .part import NAME
from .request import decode_request, encode_request
from .whole import WholeEncoder

__all__ = [
    "DIALECT",
    "PING",
    "decode_count_request",
    "decode_count_response",
    "encode_count_request",
    "encode_count_response",
]


class _Anthropic:
    @property
    def name(self) -> DialectName:
        return NAME

    def encode_request(self, request: Request, *, model: str, stream: bool, wire: Wire) -> Call:
        return encode_request(request, model=model, stream=stream, wire=wire)

    def decoder(
        self, *, stream: bool, partial_tool_calls: bool = False, joined_text: bool = False
    ) -> Decoder:
        del stream  # the reply itself says which kind it is
        return ReplyDecoder(partial_tool_calls=partial_tool_calls, joined_text=joined_text)

    def decode_failure(self, status: int, headers: Mapping[str, str], body: bytes) -> Failure:
        return decode_failure(status, headers, body)

    def decode_request(
        self, body: JsonObject, *, model: str = "", stream: bool | None = None
    ) -> Ask:
        return decode_request(body, model=model, stream=stream)

    def encoder(self, ask: Ask, stamp: Stamp) -> Encoder:
        return (StreamEncoder if ask.stream else WholeEncoder)(ask.request, stamp)

    def encode_failure(self, failure: Failure, *, request_id: str = "") -> Reply:
        return encode_failure(failure, request_id=request_id)


DIALECT: Dialect = _Anthropic()
