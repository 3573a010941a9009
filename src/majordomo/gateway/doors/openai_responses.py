"""`/v1/responses`: stateless underneath, with a bounded memory for clients that rely on one."""

from collections.abc import Awaitable

from majordomo.contract import InvalidRequest, JsonObject
from majordomo.dialects.dialect import Ask, Encoder, Reply
from majordomo.dialects.json import write
from majordomo.dialects.openai_responses import DIALECT
from majordomo.dialects.openai_responses.encoder import ResponsesEncoder
from majordomo.gateway.counting import count
from majordomo.gateway.door import NOWHERE, Address, After, Door
from majordomo.gateway.endpoint import Table, answering, json, plain, reading
from majordomo.gateway.exchange import Exchange
from majordomo.gateway.memory import Remembered
from majordomo.gateway.service import Service
from majordomo.gateway.visit import visit


class ResponsesDoor(Door):
    def decode(
        self, service: Service, exchange: Exchange, body: JsonObject, at: Address
    ) -> tuple[Ask, After | None]:
        del exchange
        if body.get("conversation") is not None:
            raise InvalidRequest(
                "conversation: conversations are not kept here; use previous_response_id or send "
                "the whole history as input",
                status=400,
                parameter="conversation",
            )
        whole, own = service.memory.resolved(body)
        ask = self.dialect.decode_request(whole, model=at.model, stream=at.stream)
        if body.get("store") is False:
            return ask, None
        previous = body.get("previous_response_id")

        def remember(encoder: Encoder) -> None:
            if isinstance(encoder, ResponsesEncoder) and encoder.body:
                service.memory.keep(
                    encoder.id,
                    previous=previous if isinstance(previous, str) else "",
                    input=own,
                    response=encoder.body,
                )

        return ask, remember


DOOR = ResponsesDoor(DIALECT)


def create(service: Service, exchange: Exchange, _: str) -> Awaitable[None]:
    return visit(service, exchange, DOOR, NOWHERE)


async def input_tokens(service: Service, exchange: Exchange, _: str) -> None:
    async def work() -> Reply:
        whole, _ = service.memory.resolved(await reading(service, exchange))
        ask = DIALECT.decode_request(whole)
        return await count(service, exchange, ask, _counted)

    await answering(service, exchange, DIALECT, work)


async def upgrade(_: Service, exchange: Exchange, __: str) -> None:
    """Answer Codex, which tries a WebSocket first: 426 makes it use POST at once.

    404 or 405 would cost it seven tries and six seconds, 400 would end it.
    """
    await exchange.reply(plain("use POST /v1/responses", status=426))


async def retrieve(service: Service, exchange: Exchange, captured: str) -> None:
    async def work() -> Reply:
        return json(_found(service, captured).body)

    await answering(service, exchange, DIALECT, work)


async def input_items(service: Service, exchange: Exchange, captured: str) -> None:
    async def work() -> Reply:
        items = _found(service, captured).input
        return json(write({"object": "list", "data": items, "has_more": False}))

    await answering(service, exchange, DIALECT, work)


async def delete(service: Service, exchange: Exchange, captured: str) -> None:
    async def work() -> Reply:
        _found(service, captured)
        service.memory.forget(captured)
        return json(write({"id": captured, "object": "response", "deleted": True}))

    await answering(service, exchange, DIALECT, work)


def _found(service: Service, id: str) -> Remembered:
    found = service.memory.find(id)
    if found is None:
        raise InvalidRequest(f"the response {id!r} is not remembered here (any more)", status=404)
    return found


def _counted(tokens: int) -> bytes:
    return write({"object": "response.input_tokens", "input_tokens": tokens})


ENDPOINTS: Table = {
    ("POST", "/v1/responses"): create,
    ("POST", "/responses"): create,
    ("GET", "/v1/responses"): upgrade,
    ("GET", "/responses"): upgrade,
    ("POST", "/v1/responses/input_tokens"): input_tokens,
    ("POST", "/responses/input_tokens"): input_tokens,
}

PATTERNS: Table = {
    ("GET", r"(?:/v1)?/responses/(?P<captured>[^/]+)"): retrieve,
    ("GET", r"(?:/v1)?/responses/(?P<captured>[^/]+)/input_items"): input_items,
    ("DELETE", r"(?:/v1)?/responses/(?P<captured>[^/]+)"): delete,
}
