"""`/v1/chat/completions`."""

from collections.abc import Awaitable

from majordomo.dialects.openai_chat import DIALECT
from majordomo.gateway.door import NOWHERE, Door
from majordomo.gateway.endpoint import Table
from majordomo.gateway.exchange import Exchange
from majordomo.gateway.service import Service
from majordomo.gateway.visit import visit

DOOR = Door(DIALECT)


def complete(service: Service, exchange: Exchange, _: str) -> Awaitable[None]:
    return visit(service, exchange, DOOR, NOWHERE)


ENDPOINTS: Table = {
    ("POST", "/v1/chat/completions"): complete,
    ("POST", "/chat/completions"): complete,
}
