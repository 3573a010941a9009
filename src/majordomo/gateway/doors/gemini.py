"""`/{v1,v1beta}/models/{model}:{method}`, and the same without a version."""

from majordomo.contract import InvalidRequest
from majordomo.dialects.dialect import Reply
from majordomo.dialects.gemini import DIALECT
from majordomo.dialects.gemini.count import decode_count_request, encode_count
from majordomo.gateway.counting import count
from majordomo.gateway.door import Address, Door
from majordomo.gateway.endpoint import answering, reading
from majordomo.gateway.exchange import Exchange
from majordomo.gateway.service import Service
from majordomo.gateway.visit import visit

PATTERN = r"/(?:v1|v1beta|v1alpha)?/?models/(?P<captured>.+)"


class GeminiDoor(Door):
    ping = b""  # google-genai fails on comments


DOOR = GeminiDoor(DIALECT)


async def call(service: Service, exchange: Exchange, captured: str) -> None:
    """Serve every method: what to do stands behind the last colon of the path."""
    model, _, method = captured.rpartition(":")
    if method in ("generateContent", "streamGenerateContent"):
        at = Address(model=model, stream=method == "streamGenerateContent")
        await visit(service, exchange, DOOR, at)
        return

    async def work() -> Reply:
        if method != "countTokens":
            raise InvalidRequest(f"there is no method {method!r} here", status=404)
        ask = decode_count_request(await reading(service, exchange), model=model)
        return await count(service, exchange, ask, encode_count)

    await answering(service, exchange, DIALECT, work)
