"""`/v1/messages` and its token counter."""

from collections.abc import Awaitable

from majordomo.contract import InvalidRequest, JsonObject
from majordomo.dialects.anthropic import DIALECT, PING
from majordomo.dialects.anthropic.count import decode_count_request, encode_count_response
from majordomo.dialects.dialect import Ask, Reply
from majordomo.gateway.counting import count
from majordomo.gateway.door import NOWHERE, Address, After, Door
from majordomo.gateway.endpoint import Table, answering, plain, reading
from majordomo.gateway.exchange import Exchange
from majordomo.gateway.service import Service
from majordomo.gateway.visit import visit


class AnthropicDoor(Door):
    ping = PING

    def decode(
        self, service: Service, exchange: Exchange, body: JsonObject, at: Address
    ) -> tuple[Ask, After | None]:
        refuse_threads(body)
        betas = exchange.header(b"anthropic-beta")
        if betas:
            body = {**body, "betas": betas}  # goes on to Anthropic's own API as a header again
        return super().decode(service, exchange, body, at)


def refuse_threads(body: JsonObject) -> None:
    """Say that history is not kept here, in the words that make the SDKs send all of it again.

    Any other 400 is final to them; ignoring `thread` would answer without the history.
    """
    if body.get("thread") is None:
        return
    raise InvalidRequest(
        "thread: conversations are not kept here; send the whole history",
        status=400,
        parameter="thread",
        body={
            "details": {"error_code": "thread_unsupported_request", "unsupported": ["thread"]},
        },
    )


DOOR = AnthropicDoor(DIALECT)


def create(service: Service, exchange: Exchange, _: str) -> Awaitable[None]:
    return visit(service, exchange, DOOR, NOWHERE)


async def count_tokens(service: Service, exchange: Exchange, _: str) -> None:
    async def work() -> Reply:
        ask = decode_count_request(await reading(service, exchange))
        return await count(service, exchange, ask, encode_count_response)

    await answering(service, exchange, DIALECT, work)


async def hello(_: Service, exchange: Exchange, __: str) -> None:
    await exchange.reply(plain("ok"))


ENDPOINTS: Table = {
    ("POST", "/v1/messages"): create,
    ("POST", "/messages"): create,
    ("POST", "/v1/messages/count_tokens"): count_tokens,
    ("POST", "/messages/count_tokens"): count_tokens,
    ("GET", "/api/hello"): hello,  # Claude Code asks before it starts
    ("HEAD", "/api/hello"): hello,
}
