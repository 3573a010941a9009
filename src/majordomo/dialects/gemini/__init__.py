"""Gemini's `generateContent`, both ways, and the listings and counts as a server.

https://ai.google.dev/api/generate-content
"""

from collections.abc import Mapping

from majordomo.contract import DialectName, Failure, JsonObject, Request
from majordomo.dialects.dialect import Ask, Call, Decoder, Encoder, Reply, Stamp, Wire
from majordomo.dialects.join import JoinedDecoder

from .array import array_encoder
from .count import decode_count_request, encode_count
from .decoder import GeminiDecoder
from .encoder import GeminiEncoder
from .failure import decode_failure, encode_failure
from .listing import encode_model, encode_models
from .request import decode_request, encode_request


class Gemini:
    @property
    def name(self) -> DialectName:
        return "gemini"

    def encode_request(self, request: Request, *, model: str, stream: bool, wire: Wire) -> Call:
        return encode_request(request, model=model, stream=stream, wire=wire)

    def decoder(
        self, *, stream: bool, partial_tool_calls: bool = False, joined_text: bool = False
    ) -> Decoder:
        """One decoder reads both kinds; calls arrive whole, so there are no fragments to give."""
        del stream, partial_tool_calls
        decoder = GeminiDecoder()
        return JoinedDecoder(decoder) if joined_text else decoder

    def decode_failure(self, status: int, headers: Mapping[str, str], body: bytes) -> Failure:
        return decode_failure(status, headers, body)

    def decode_request(
        self, body: JsonObject, *, model: str = "", stream: bool | None = None
    ) -> Ask:
        return decode_request(body, model=model, stream=stream)

    def encoder(self, ask: Ask, stamp: Stamp) -> Encoder:
        return GeminiEncoder(stamp, stream=ask.stream)

    def encode_failure(self, failure: Failure, *, request_id: str = "") -> Reply:
        del request_id  # its errors have no room for one
        return encode_failure(failure)


DIALECT = Gemini()

__all__ = [
    "DIALECT",
    "Gemini",
    "array_encoder",
    "decode_count_request",
    "encode_count",
    "encode_model",
    "encode_models",
]
