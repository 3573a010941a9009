"""The gateway called in process, without sockets: a request in, the whole reply out."""

import asyncio
from collections.abc import Iterable

from msgspec import Struct

from majordomo.contract import Json, JsonObject
from majordomo.dialects.json import object_at, read
from majordomo.gateway.app import App
from majordomo.gateway.exchange import Received, Scope, Sent


class Got(Struct, frozen=True, kw_only=True):
    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Json:
        return read(self.body)

    @property
    def object(self) -> JsonObject:
        return object_at(self.json, "reply")


async def call(
    app: App,
    method: str,
    path: str,
    body: bytes | Iterable[bytes] = b"",
    *,
    query: str = "",
    headers: dict[str, str] | None = None,
) -> Got:
    """Say one request to the application; the client stays until the reply is whole."""
    pieces = [body] if isinstance(body, bytes) else [*body]
    scope: Scope = {
        "type": "http",
        "method": method,
        "path": path,
        "query_string": query.encode("latin-1"),
        "headers": [(n.encode(), v.encode("latin-1")) for n, v in (headers or {}).items()],
    }
    sent: list[Sent] = []

    async def receive() -> Received:
        if not pieces:
            await asyncio.Event().wait()
        piece = pieces.pop(0)
        return {"type": "http.request", "body": piece, "more_body": bool(pieces)}

    async def send(message: Sent) -> None:
        sent.append(message)

    await app(scope, receive, send)
    return _added(sent)


def _added(sent: list[Sent]) -> Got:
    start, *rest = sent
    assert start["type"] == "http.response.start"
    assert rest, "the reply has no body message"
    assert [message.get("more_body") for message in rest] == [True] * (len(rest) - 1) + [False]
    return Got(
        status=start.get("status", 0),
        headers={n.decode(): v.decode("latin-1") for n, v in start.get("headers", [])},
        body=b"".join(message.get("body", b"") for message in rest),
    )
