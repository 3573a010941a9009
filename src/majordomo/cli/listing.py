"""Which models an endpoint says it has: the listing each dialect's clients ask for."""

from collections.abc import Callable, Mapping

from msgspec import Struct

from majordomo.catalog.provider import Provider, Timeouts
from majordomo.contract import (
    DialectName,
    Json,
    Malformed,
    ModelNotFound,
    ProtocolBroken,
)
from majordomo.dialects.json import items, object_at, read, string_at
from majordomo.dialects.lookup import dialect
from majordomo.engine.http import HttpCall, Transport
from majordomo.engine.target import auth_headers
from majordomo.local.weights import WEIGHTS

_MOST_BYTES = 16 * 1024 * 1024
_TIMEOUTS = Timeouts(connect=10.0, first_byte=20.0, idle=20.0, total=40.0)


class Listing(Struct, frozen=True, kw_only=True):
    """Where a dialect lists its models, and how one reads an entry."""

    path: str  # after the provider's base URL
    field: str
    name: Callable[[str], str] = str
    id: str = "id"
    headers: dict[str, str] = {}


_OPENAI = Listing(path="/models", field="data")
_LISTINGS: dict[DialectName, Listing] = {
    "openai_chat": _OPENAI,
    "openai_responses": _OPENAI,
    "anthropic": Listing(
        path="/v1/models?limit=1000", field="data", headers={"anthropic-version": "2023-06-01"}
    ),
    "ollama": Listing(path="/api/tags", field="models", id="name"),
    "gemini": Listing(
        path="/v1beta/models?pageSize=1000",
        field="models",
        id="name",
        name=lambda name: name.removeprefix("models/"),
    ),
}


async def list_models(
    provider: Provider, transport: Transport, environ: Mapping[str, str]
) -> tuple[str, ...]:
    """Ask the endpoint for its models; failures are those of a request."""
    if provider.name == "local":
        return tuple(WEIGHTS)
    if not provider.base_url:
        raise ModelNotFound(f"provider {provider.name!r} has no address of its own: give its DSN")
    listing = _LISTINGS[provider.dialect]
    headers = {**auth_headers(provider, environ), **listing.headers, **provider.headers}
    url = provider.base_url.rstrip("/") + listing.path
    reply = await transport.send(
        HttpCall(url=url, headers=headers, timeouts=_TIMEOUTS, method="GET")
    )
    body = bytearray()
    while len(body) < _MOST_BYTES and (chunk := await reply.read()):
        body += chunk
    reply.close()
    if not 200 <= reply.status < 300:
        failure = dialect(provider.dialect).decode_failure(reply.status, reply.headers, bytes(body))
        if reply.status == 404:
            failure = ModelNotFound(f"it lists no models: nothing is at {url}", status=404)
        failure.target = provider.name
        raise failure
    try:
        return _names(read(bytes(body), "the listing"), listing)
    except Malformed as error:
        raise ProtocolBroken(f"unreadable listing: {error}", target=provider.name) from error


def _names(wire: Json, listing: Listing) -> tuple[str, ...]:
    entries = object_at(wire, "the listing").get(listing.field)
    return tuple(
        listing.name(string_at(object_at(entry, at).get(listing.id), f"{at}.{listing.id}"))
        for entry, at in items(entries, listing.field)
    )
