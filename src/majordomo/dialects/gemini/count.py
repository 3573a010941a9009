"""`countTokens`: how long a request would be.

https://ai.google.dev/api/tokens#method:-models.counttokens
"""

from majordomo.contract import JsonObject
from majordomo.dialects.dialect import Ask
from majordomo.dialects.json import object_at, write

from .casing import camel
from .request import decode_request


def decode_count_request(body: JsonObject, *, model: str = "") -> Ask:
    """Read the contents alone, or the whole request they would be part of."""
    wire = camel(body)
    whole = wire.get("generateContentRequest")
    if whole is None:
        return decode_request(wire, model=model)
    return decode_request(object_at(whole, "generateContentRequest"), model=model)


def encode_count(tokens: int) -> bytes:
    return write({"totalTokens": tokens})
