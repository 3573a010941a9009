"""`/v1/models`: what may be asked for, in the shape the asking client expects."""

from majordomo.contract import Json, ModelNotFound
from majordomo.dialects.dialect import Dialect, Reply
from majordomo.dialects.json import write
from majordomo.dialects.lookup import dialect
from majordomo.dialects.rfc3339 import rfc3339
from majordomo.gateway.endpoint import Table, answering, json
from majordomo.gateway.exchange import Exchange
from majordomo.gateway.service import Service


def asking_dialect(exchange: Exchange) -> Dialect:
    """Tell the client by what only it sends: there is one path for three shapes."""
    if exchange.header(b"anthropic-version"):
        return dialect("anthropic")
    versions = ("/v1beta", "/v1alpha")
    if exchange.header(b"x-goog-api-key") or exchange.path.startswith(versions):
        return dialect("gemini")
    return dialect("openai_chat")


async def listing(service: Service, exchange: Exchange, _: str) -> None:
    asking = asking_dialect(exchange)

    async def work() -> Reply:
        names = service.names(service.client(exchange))
        entries: list[Json] = [_entry(name, asking, service) for name in names]
        match asking.name:
            case "anthropic":
                first, last = (names[0], names[-1]) if names else (None, None)
                return json(
                    write({"data": entries, "has_more": False, "first_id": first, "last_id": last})
                )
            case "gemini":
                return json(write({"models": entries}))
            case _:
                return json(write({"object": "list", "data": entries}))

    await answering(service, exchange, asking, work)


async def one(service: Service, exchange: Exchange, name: str) -> None:
    asking = asking_dialect(exchange)

    async def work() -> Reply:
        if not service.knows(name):
            raise ModelNotFound(f"the model {name!r} is not known here", status=404)
        return json(write(_entry(name, asking, service)))

    await answering(service, exchange, asking, work)


def _entry(name: str, asking: Dialect, service: Service) -> Json:
    created = int(service.clock())
    match asking.name:
        case "anthropic":
            return {
                "type": "model",
                "id": name,
                "display_name": name,
                "created_at": rfc3339(created),
            }
        case "gemini":
            return {
                "name": f"models/{name}",
                "displayName": name,
                "supportedGenerationMethods": ["generateContent", "countTokens"],
            }
        case _:
            return {"id": name, "object": "model", "created": created, "owned_by": "majordomo"}


ENDPOINTS: Table = {
    ("GET", path): listing
    for path in ("/v1/models", "/models", "/v1beta/models", "/v1alpha/models")
}
