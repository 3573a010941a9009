"""OpenAI Chat Completions and its many compatibles, both ways.

https://platform.openai.com/docs/api-reference/chat
"""

from collections.abc import Mapping

from majordomo.contract import DialectName, Failure, JsonObject, Request
from majordomo.dialects.dialect import Ask, Call, Decoder, Encoder, Reply, Stamp, Wire

from .attribute import NAME
from .decoder import ChatDecoder
from .encoder import StreamEncoder, WholeEncoder
from .failure import decode_failure, encode_failure
from .request import decode_request, encode_request


class OpenAIChat:
    @property
    def name(self) -> DialectName:
        return NAME

    def encode_request(self, request: Request, *, model: str, stream: bool, wire: Wire) -> Call:
        return encode_request(request, model=model, stream=stream, wire=wire)

    def decoder(
        self, *, stream: bool, partial_tool_calls: bool = False, joined_text: bool = False
    ) -> Decoder:
        """Read a reply; the first byte says of which kind it is, whatever was asked."""
        del stream
        return ChatDecoder(partial_tool_calls=partial_tool_calls, joined_text=joined_text)

    def decode_failure(self, status: int, headers: Mapping[str, str], body: bytes) -> Failure:
        return decode_failure(status, headers, body)

    def decode_request(
        self, body: JsonObject, *, model: str = "", stream: bool | None = None
    ) -> Ask:
        return decode_request(body, model=model, stream=stream)

    def encoder(self, ask: Ask, stamp: Stamp) -> Encoder:
        if ask.stream:
            return StreamEncoder(stamp, usage=ask.stream_usage)
        return WholeEncoder(stamp)

    def encode_failure(self, failure: Failure, *, request_id: str = "") -> Reply:
        return encode_failure(failure, request_id=request_id)


DIALECT = OpenAIChat()

__all__ = ["DIALECT", "OpenAIChat"]
