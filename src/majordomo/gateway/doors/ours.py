"""What only we have: health, readiness, metrics, traces."""

from majordomo.contract import JsonObject, Unauthorized
from majordomo.dialects.dialect import Reply
from majordomo.dialects.json import write
from majordomo.dialects.lookup import dialect
from majordomo.gateway.endpoint import Table, answering, json
from majordomo.gateway.exchange import Exchange
from majordomo.gateway.service import Service


async def alive(_: Service, exchange: Exchange, __: str) -> None:
    await exchange.reply(json(b'{"status":"ok"}'))


async def ready(service: Service, exchange: Exchange, _: str) -> None:
    """Say whether it is worth sending requests here, and which targets are benched."""
    benched = service.registry.benched()
    serving = not service.draining and (not benched or not all(benched.values()))
    said: JsonObject = {"status": "ready" if serving else "not ready"}
    said["draining"] = service.draining
    if _may_know(service, exchange):
        said["targets"] = {name: "benched" if out else "ok" for name, out in benched.items()}
    body = write(said)
    await exchange.reply(Reply(status=200 if serving else 503, body=body))


def _may_know(service: Service, exchange: Exchange) -> bool:
    """Tell strangers whether we are well, but not whom we ask."""
    try:
        service.client(exchange)
    except Unauthorized:
        return False
    return True


async def metrics(service: Service, exchange: Exchange, _: str) -> None:
    async def work() -> Reply:
        return Reply(
            status=200,
            body=service.metrics.render(service.registry.benched()),
            content_type="text/plain; version=0.0.4; charset=utf-8",
        )

    await answering(service, exchange, dialect("openai_chat"), work)


ENDPOINTS: Table = {
    ("GET", "/healthz"): alive,
    ("GET", "/readyz"): ready,
    ("GET", "/metrics"): metrics,
}
