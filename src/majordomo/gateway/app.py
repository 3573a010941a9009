"""The application: finds the endpoint a request is for, and nothing else."""

import re

from majordomo.contract import InvalidRequest
from majordomo.dialects.dialect import Dialect
from majordomo.dialects.lookup import dialect

from .asgi import AsgiExchange
from .doors import anthropic, gemini, models, ollama, openai_chat, openai_responses, ours
from .endpoint import Endpoint, Table
from .exchange import Exchange, Headers, Receive, Scope, Send, line
from .refusal import refuse
from .service import Service


class App:
    def __init__(self, service: Service) -> None:
        self.service = service
        self._fixed: Table = {
            **openai_chat.ENDPOINTS,
            **openai_responses.ENDPOINTS,
            **anthropic.ENDPOINTS,
            **ollama.ENDPOINTS,
            **models.ENDPOINTS,
            **ours.ENDPOINTS,
        }
        self._patterns: list[tuple[str, re.Pattern[str], Endpoint]] = [
            ("POST", re.compile(gemini.PATTERN), gemini.call),
            ("GET", re.compile(gemini.PATTERN), models.one),
            *(
                (method, re.compile(pattern), endpoint)
                for (method, pattern), endpoint in openai_responses.PATTERNS.items()
            ),
        ]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._live(receive, send)
            return
        exchange = AsgiExchange(scope, receive, send)
        try:
            await self.answer(exchange)
        finally:
            exchange.close()

    async def answer(self, exchange: Exchange) -> None:
        service = self.service
        exchange.id = service.new_id()
        origin = self._origin(exchange) if service.settings.cors else ""
        if origin:
            exchange.always = _cors(origin)
            if exchange.method == "OPTIONS":
                await exchange.begin(204, "text/plain", b"")
                await exchange.end()
                return
        endpoint, captured = self._find(exchange.method, exchange.path)
        await endpoint(service, exchange, captured)

    def _find(self, method: str, path: str) -> tuple[Endpoint, str]:
        found = self._fixed.get((method, path))
        if found is not None:
            return found, ""
        for allowed, pattern, endpoint in self._patterns:
            if allowed == method and (match := pattern.fullmatch(path)):
                return endpoint, match["captured"]
        if path.endswith("/") and (found := self._fixed.get((method, path.rstrip("/")))):
            return found, ""
        return _nowhere, ""

    def _origin(self, exchange: Exchange) -> str:
        origin = exchange.header(b"origin")
        allowed = self.service.settings.cors
        return origin if origin in allowed or "*" in allowed else ""

    async def _live(self, receive: Receive, send: Send) -> None:
        while True:
            message = await receive()
            if message["type"] == "lifespan.startup":
                await send({"type": "lifespan.startup.complete"})
            elif message["type"] == "lifespan.shutdown":
                await self.service.aclose()
                await send({"type": "lifespan.shutdown.complete"})
                return


async def _nowhere(_: Service, exchange: Exchange, __: str) -> None:
    said = f"there is no {exchange.method} {exchange.path} here"
    failure = InvalidRequest(said, status=404, code="not_found")
    await refuse(exchange, _dialect_of(exchange), failure)


def _dialect_of(exchange: Exchange) -> Dialect:
    """Guess whose client is lost, so that it can read the answer."""
    if exchange.path.startswith("/api/"):
        return dialect("ollama")
    return models.asking_dialect(exchange)


def _cors(origin: str) -> Headers:
    return (
        line("access-control-allow-origin", origin)
        + b"access-control-allow-methods: GET, POST, OPTIONS\r\n"
        + b"access-control-allow-headers: *, authorization\r\n"
        + b"vary: origin\r\n"
    )
