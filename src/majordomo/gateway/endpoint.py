"""The small endpoints: no model runs, but keys are checked and errors come in the right shape."""

from collections.abc import Awaitable, Callable
from typing import TypeAlias

from majordomo.contract import Failure, InvalidRequest, JsonObject, Malformed
from majordomo.dialects.dialect import Dialect, Reply
from majordomo.dialects.json import object_at, read

from .body import unpacked
from .exchange import Exchange
from .service import Service

# The last argument is what the path's pattern captured; empty for a fixed path.
Endpoint: TypeAlias = Callable[[Service, Exchange, str], Awaitable[None]]
Table: TypeAlias = dict[tuple[str, str], Endpoint]  # (method, path)


async def reading(service: Service, exchange: Exchange) -> JsonObject:
    """Read a body that is a JSON object, within the limits."""
    limits = service.settings.limits
    body = await exchange.body(limits.body_bytes, limits.body_seconds)
    body = unpacked(body, exchange.headers.get("content-encoding", ""), limits.body_bytes)
    return object_at(read(body, "the body"), "the body")


async def answering(
    service: Service, exchange: Exchange, dialect: Dialect, work: Callable[[], Awaitable[Reply]]
) -> None:
    """Do a small piece of work behind the key check; say failures in the dialect."""
    try:
        service.key(exchange.headers, exchange.scope["query_string"].decode("latin-1"))
        reply = await work()
    except Malformed as error:
        failure: Failure = InvalidRequest(str(error), status=400, parameter=error.where)
        reply = dialect.encode_failure(failure, request_id=exchange.id)
    except Failure as failure:
        reply = dialect.encode_failure(failure, request_id=exchange.id)
    await exchange.reply(reply)


def plain(text: str, status: int = 200) -> Reply:
    return Reply(status=status, body=text.encode(), content_type="text/plain; charset=utf-8")


def json(body: bytes, headers: dict[str, str] | None = None) -> Reply:
    return Reply(status=200, body=body, headers=headers or {})
