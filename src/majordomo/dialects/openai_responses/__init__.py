"""OpenAI Responses: https://platform.openai.com/docs/api-reference/responses."""

from collections.abc import Mapping

from majordomo.contract import DialectName, Failure, JsonObject, Request
from majordomo.dialects.dialect import Ask, Call, Decoder, Dialect, Encoder, Reply, Stamp, Wire

from .decoder import ResponsesDecoder
from .encoder import ResponsesEncoder
from .failure import decode_failure, encode_failure
from .request import decode_request, encode_request


class OpenAIResponses:
    @property
    def name(self) -> DialectName:
        return "openai_responses"

    def encode_request(self, request: Request, *, model: str, stream: bool, wire: Wire) -> Call:
        del wire  # no provider of this dialect departs from the book so far
        return encode_request(request, model=model, stream=stream)

    def decoder(
        self, *, stream: bool, partial_tool_calls: bool = False, joined_text: bool = False
    ) -> Decoder:
        del stream  # the bytes say what they are
        return ResponsesDecoder(partial_tool_calls=partial_tool_calls, joined_text=joined_text)

    def decode_failure(self, status: int, headers: Mapping[str, str], body: bytes) -> Failure:
        return decode_failure(status, headers, body)

    def decode_request(
        self, body: JsonObject, *, model: str = "", stream: bool | None = None
    ) -> Ask:
        return decode_request(body, model=model, stream=stream)

    def encoder(self, ask: Ask, stamp: Stamp) -> Encoder:
        return ResponsesEncoder(ask, stamp)

    def encode_failure(self, failure: Failure, *, request_id: str = "") -> Reply:
        return encode_failure(failure, request_id=request_id)


DIALECT: Dialect = OpenAIResponses()

__all__ = ["DIALECT"]
