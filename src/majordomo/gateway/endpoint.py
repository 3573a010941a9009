"""The small endpoints: no model runs, but keys are checked and errors come in the right shape."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import TypeAlias

from majordomo.contract import Failure, JsonObject, Malformed, Overloaded
from majordomo.dialects.dialect import Dialect, Reply
from majordomo.dialects.json import object_at, read

from .body import unpacked
from .exchange import Exchange
from .refusal import invalid, refuse
from .service import Service

# The last argument is what the path's pattern captured; empty for a fixed path.
Endpoint: TypeAlias = Callable[[Service, Exchange, str], Awaitable[None]]
Table: TypeAlias = dict[tuple[str, str], Endpoint]  # (method, path)

log = logging.getLogger("majordomo.gateway")


async def reading(service: Service, exchange: Exchange) -> JsonObject:
    """Read a body that is a JSON object, within the limits."""
    limits = service.settings.limits
    body = await exchange.body(limits.body_bytes, limits.body_seconds)
    body = unpacked(body, exchange.header(b"content-encoding"), limits.body_bytes)
    return object_at(read(body, "the body"), "the body")


async def answering(
    service: Service, exchange: Exchange, dialect: Dialect, work: Callable[[], Awaitable[Reply]]
) -> None:
    """Do a small piece of work behind the key check; say failures in the dialect."""
    began = service.clock()
    try:
        service.client(exchange)
        await exchange.reply(await work())
    except Malformed as error:
        await refuse(exchange, dialect, invalid(error))
    except Failure as failure:
        await refuse(exchange, dialect, failure)
    except asyncio.CancelledError:
        if not exchange.gone:
            raise
    except Exception:
        log.exception("request %s failed inside the gateway", exchange.id)
        broken = Overloaded("something went wrong inside the gateway", status=500)
        await refuse(exchange, dialect, broken)
    finally:
        service.record_small(exchange, dialect.name, began)


def plain(text: str, status: int = 200) -> Reply:
    return Reply(status=status, body=text.encode(), content_type="text/plain; charset=utf-8")


def json(body: bytes, headers: dict[str, str] | None = None) -> Reply:
    return Reply(status=200, body=body, headers=headers or {})
