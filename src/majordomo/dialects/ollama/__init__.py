"""Ollama's native API: `/api/chat` both ways, `/api/generate` and the listings as a server.

https://github.com/ollama/ollama/blob/main/docs/api.md
"""

from collections.abc import Mapping

from majordomo.contract import DialectName, Failure, JsonObject, Request
from majordomo.dialects.dialect import Ask, Call, Decoder, Encoder, Reply, Stamp, Wire
from majordomo.dialects.join import JoinedDecoder

from .decoder import OllamaDecoder
from .encoder import OllamaEncoder
from .failure import decode_failure, encode_failure
from .generate import decode_generate_request, generate_encoder
from .listing import GREETING, encode_show, encode_tags, encode_version
from .request import decode_request, encode_request
from .shape import CHAT


class Ollama:
    @property
    def name(self) -> DialectName:
        return "ollama"

    def encode_request(self, request: Request, *, model: str, stream: bool, wire: Wire) -> Call:
        del wire  # its servers differ in nothing we send
        return encode_request(request, model=model, stream=stream)

    def decoder(
        self, *, stream: bool, partial_tool_calls: bool = False, joined_text: bool = False
    ) -> Decoder:
        """One decoder reads both kinds; calls arrive whole, so there are no fragments to give."""
        del stream, partial_tool_calls
        decoder = OllamaDecoder()
        return JoinedDecoder(decoder) if joined_text else decoder

    def decode_failure(self, status: int, headers: Mapping[str, str], body: bytes) -> Failure:
        return decode_failure(status, headers, body)

    def decode_request(
        self, body: JsonObject, *, model: str = "", stream: bool | None = None
    ) -> Ask:
        del model, stream  # the body says both
        return decode_request(body)

    def encoder(self, ask: Ask, stamp: Stamp) -> Encoder:
        return OllamaEncoder(CHAT, stamp, stream=ask.stream)

    def encode_failure(self, failure: Failure, *, request_id: str = "") -> Reply:
        del request_id  # its errors have no room for one
        return encode_failure(failure)


DIALECT = Ollama()

__all__ = [
    "DIALECT",
    "GREETING",
    "Ollama",
    "decode_generate_request",
    "encode_show",
    "encode_tags",
    "encode_version",
    "generate_encoder",
]
