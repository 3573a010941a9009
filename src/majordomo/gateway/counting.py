"""Counting a request's tokens without running it."""

from collections.abc import Callable

from majordomo.dialects.dialect import Ask, Reply
from majordomo.dialects.estimate import estimate

from .endpoint import json
from .exchange import Exchange
from .service import Service


async def count(
    service: Service, exchange: Exchange, ask: Ask, encode: Callable[[int], bytes]
) -> Reply:
    """Give the upstream's own count where it has one, else an estimate that says it is one."""
    wanted = exchange.header(b"x-majordomo-model") or ask.model
    _, model = service.resolve(wanted, service.client(exchange))
    exact = await model.count(ask.request)
    if exact is not None:
        return json(encode(exact))
    return json(encode(estimate(ask.request)), {"x-majordomo-estimate": "true"})
