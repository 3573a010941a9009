"""Upstreams that say given bytes: what a server really sent, without a socket."""

from collections.abc import Mapping

from majordomo.contract import JsonObject
from majordomo.dialects.json import object_at, read, write
from majordomo.engine.http import HttpCall, HttpReply
from majordomo.engine.registry import Registry
from majordomo.gateway.app import App
from majordomo.gateway.service import Service
from majordomo.route import Patience
from majordomo.trace import Store

from .canned import DSNS
from .gateway import Known


class Wire:
    """A `Transport` that says its bodies in order, and the last one again and again."""

    def __init__(self, *bodies: bytes) -> None:
        self.calls: list[HttpCall] = []
        self._bodies = list(bodies)

    async def send(self, call: HttpCall) -> HttpReply:
        self.calls.append(call)
        return _Said(self._bodies.pop(0) if len(self._bodies) > 1 else self._bodies[0])

    async def aclose(self) -> None:
        """There is nothing to close."""

    def sent(self, number: int = -1) -> JsonObject:
        return object_at(read(self.calls[number].body), "sent")


class _Said:
    status = 200
    headers: Mapping[str, str] = {}

    def __init__(self, body: bytes) -> None:
        self._pieces = [body, b""]

    async def read(self) -> bytes:
        return self._pieces.pop(0) if self._pieces else b""

    async def finish(self) -> None:
        """The end was read."""

    def close(self) -> None:
        self._pieces = []


def gateway(wire: Wire, *, store: Store | None = None, **providers: str) -> App:
    """Give a gateway over `chat/m`, `responses/m`, `anthropic/m`, `ollama/m` and `gemini/m`."""
    known = {name.rpartition("_")[2]: dsn for name, dsn in DSNS.items()} | providers
    patience = Patience(retries=0)
    registry = Registry(providers=known, env={}, http_client=wire, patience=patience)
    return App(Service(Known(registry), store=store))


def chat_stream(
    *deltas: JsonObject, finish: str = "stop", usage: JsonObject | None = None
) -> bytes:
    """Give a Chat stream of these deltas."""
    chunks: list[JsonObject] = [
        {"choices": [{"index": 0, "delta": delta, "finish_reason": None}]} for delta in deltas
    ]
    chunks.append({"choices": [{"index": 0, "delta": {}, "finish_reason": finish}]})
    if usage is not None:
        chunks.append({"choices": [], "usage": usage})
    head: JsonObject = {"id": "c1", "object": "chat.completion.chunk", "created": 1, "model": "m"}
    events = [b"data: " + write({**head, **chunk}) + b"\n\n" for chunk in chunks]
    return b"".join(events) + b"data: [DONE]\n\n"


def sse(body: bytes) -> list[tuple[str, JsonObject]]:
    """Read a client's stream: the event's name, where it has one, and its data."""
    found: list[tuple[str, JsonObject]] = []
    for block in body.decode().split("\n\n"):
        lines = dict(line.split(": ", 1) for line in block.splitlines() if ": " in line)
        if lines.get("data", "[DONE]") != "[DONE]":
            found.append((lines.get("event", ""), object_at(read(lines["data"]), "data")))
    return found
