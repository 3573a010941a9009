"""Ollama's native API: `/api/chat`, `/api/generate` and what its clients ask around them."""

from collections.abc import Awaitable

from majordomo.contract import JsonObject, Malformed
from majordomo.dialects.dialect import Ask, Encoder, Reply, Stamp
from majordomo.dialects.json import optional_string
from majordomo.dialects.ollama import (
    DIALECT,
    GREETING,
    Ollama,
    decode_generate_request,
    encode_show,
    encode_tags,
    encode_version,
    generate_encoder,
)
from majordomo.gateway.door import NOWHERE, Door
from majordomo.gateway.endpoint import Table, answering, json, plain, reading
from majordomo.gateway.exchange import Exchange
from majordomo.gateway.service import Service
from majordomo.gateway.visit import visit

VERSION = "0.12.0"  # of the Ollama API we offer; clients refuse to talk to old servers


class Generate(Ollama):
    """The same dialect, asked with one prompt instead of messages."""

    def decode_request(
        self, body: JsonObject, *, model: str = "", stream: bool | None = None
    ) -> Ask:
        del model, stream
        return decode_generate_request(body)

    def encoder(self, ask: Ask, stamp: Stamp) -> Encoder:
        return generate_encoder(ask, stamp)


class OllamaDoor(Door):
    ping = b""  # ollama-python fails on a blank line, and NDJSON has no comments
    echoes_ids = False  # ollama-python has no field for them


CHAT, GENERATE = OllamaDoor(DIALECT), OllamaDoor(Generate())


def chat(service: Service, exchange: Exchange, _: str) -> Awaitable[None]:
    return visit(service, exchange, CHAT, NOWHERE)


def generate(service: Service, exchange: Exchange, _: str) -> Awaitable[None]:
    return visit(service, exchange, GENERATE, NOWHERE)


async def tags(service: Service, exchange: Exchange, _: str) -> None:
    async def work() -> Reply:
        return json(
            encode_tags(service.names(service.client(exchange)), created=int(service.clock()))
        )

    await answering(service, exchange, DIALECT, work)


async def show(service: Service, exchange: Exchange, _: str) -> None:
    async def work() -> Reply:
        body = await reading(service, exchange)
        name = optional_string(body, "model") or optional_string(body, "name")
        if not name:
            raise Malformed("model", "is missing")
        return json(encode_show(service.capabilities(name), created=int(service.clock())))

    await answering(service, exchange, DIALECT, work)


async def running(service: Service, exchange: Exchange, _: str) -> None:
    async def work() -> Reply:
        return json(b'{"models":[]}')

    await answering(service, exchange, DIALECT, work)


async def version(_: Service, exchange: Exchange, __: str) -> None:
    await exchange.reply(json(encode_version(VERSION)))


async def greeting(_: Service, exchange: Exchange, __: str) -> None:
    await exchange.reply(plain(GREETING))


ENDPOINTS: Table = {
    ("POST", "/api/chat"): chat,
    ("POST", "/api/generate"): generate,
    ("GET", "/api/tags"): tags,
    ("POST", "/api/show"): show,
    ("GET", "/api/ps"): running,
    ("GET", "/api/version"): version,
    ("GET", "/"): greeting,
    ("HEAD", "/"): greeting,
}
