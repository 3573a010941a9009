"""What all doors share: models by name, keys, limits, counts and traces. Built once, no globals."""

import logging
import secrets
import time
from collections.abc import Callable
from typing import Protocol

import msgspec

from majordomo.config.file import Settings
from majordomo.config.gateway import Gateway, Key
from majordomo.contract import (
    Attempt,
    CallerFailure,
    Capabilities,
    Failure,
    ModelNotFound,
    Note,
    RateLimited,
    Response,
)
from majordomo.engine.model import Model
from majordomo.trace import Store, Trace

from . import keys
from .exchange import Exchange
from .memory import Memory
from .metrics import Metrics
from .overdue import Overdue
from .pictures import Fetch
from .recall import Recall
from .routing import spec_for

log = logging.getLogger("majordomo.gateway")
MOST_MODELS = 512  # parsed specs kept; clients choose the names, so there must be an end


class Registry(Protocol):
    def parse(self, spec: str, /) -> Model: ...

    def names(self) -> tuple[str, ...]:
        """Aliases and providers, as a client may name them."""
        ...

    def benched(self) -> dict[str, bool]:
        """Every target known to health, and whether it is out."""
        ...

    async def aclose(self) -> None: ...


class Service:
    def __init__(
        self,
        registry: Registry,
        settings: Gateway | None = None,
        *,
        routes: dict[str, str] | None = None,
        default: str = "",
        store: Store | None = None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self.registry = registry
        self.settings = settings or Gateway()
        self.metrics = Metrics()
        self.clock = clock
        self.draining = False
        limits = self.settings.limits
        self.overdue = Overdue(limits.seconds)
        self.memory = Memory(most=limits.stored_responses, most_bytes=limits.stored_bytes)
        self.recall = Recall(most=limits.stored_responses * 4, most_bytes=limits.stored_bytes // 4)
        self._routes = routes or {}
        self._default = default
        self._store = store
        self._models: dict[str, Model] = {}
        self._resolved: dict[str, tuple[str, Model]] = {}  # as clients name them
        self._ids: list[str] = []  # made in advance: randomness costs a system call each time

    def adopt(self, registry: Registry, settings: Settings) -> Registry:
        """Go by other settings from the next request on; give the registry of those under way.

        What was opened at the start stays as it was: address, workers, TLS, traces, memory.
        """
        before, self.registry = self.registry, registry
        self.settings = settings.gateway
        self.overdue = Overdue(settings.gateway.limits.seconds)
        self._routes = settings.routes
        self._default = settings.default
        self._models.clear()
        self._resolved.clear()
        return before

    def client(self, exchange: Exchange) -> Key | None:
        """Give the key a client came with, where keys are asked for; raise if it is none."""
        if not self.settings.keys:
            return None
        return keys.check(self.settings.keys, keys.keys_from(exchange))

    def resolve(self, wanted: str, key: Key | None) -> tuple[str, Model]:
        """Give the spec and the model that serve what the client asked for."""
        found = self._resolved.get(wanted)
        if found is None:
            found = self._find(wanted)
            if len(self._resolved) >= MOST_MODELS:
                self._resolved.pop(next(iter(self._resolved)))
            self._resolved[wanted] = found
        if key is not None:
            keys.allow(key, found[0])
        return found

    def admit(self) -> None:
        """Refuse what is one too many; the caller has counted it in and will count it out."""
        if self.draining:
            raise RateLimited("the gateway is shutting down", status=503, retry_after=1.0)
        if self.metrics.in_flight > self.settings.limits.concurrency:
            raise RateLimited("too many requests at once", status=429, retry_after=1.0)

    def new_id(self) -> str:
        if not self._ids:
            drawn = secrets.token_hex(12 * 64)
            self._ids = [drawn[at : at + 24] for at in range(0, len(drawn), 24)]
        return self._ids.pop()

    @property
    def tracing(self) -> bool:
        """Whether anybody wants to know of single requests."""
        return self._store is not None or log.isEnabledFor(logging.INFO)

    def trace(self, trace: Trace) -> None:
        """Log it in one line, keep it."""
        if log.isEnabledFor(logging.INFO):
            log.info("%s", _line(trace).decode())
        if self._store is not None:
            self._store.save(trace)

    @property
    def fetch(self) -> Fetch | None:
        """The way to fetch a picture that is only named, where that is allowed."""
        if not self.settings.fetch_images:
            return None
        from .fetch import fetch  # noqa: PLC0415 -- only where it is allowed

        return fetch

    def record_small(self, exchange: Exchange, door: str, began: float) -> None:
        """Count and log a request that no model served; there is nothing in it to trace."""
        status = exchange.status or 499
        self.metrics.requests.add(door, str(status))
        if log.isEnabledFor(logging.INFO):
            path, seconds = exchange.path, self.clock() - began
            line = {"id": exchange.id, "at": began, "door": door, "path": path, "status": status}
            log.info("%s", msgspec.json.encode({**line, "seconds": seconds}).decode())

    def names(self, key: Key | None = None) -> tuple[str, ...]:
        """What a client may ask for: routes without wildcards, aliases, known targets."""
        plain = (pattern for pattern in self._routes if "*" not in pattern)
        known = dict.fromkeys((*plain, *self.registry.names()))
        return tuple(name for name in known if keys.may(key, spec_for(name, self._routes)))

    def knows(self, name: str) -> bool:
        try:
            self.resolve(name, None)
        except Failure:
            return False
        return True

    def capabilities(self, name: str) -> Capabilities:
        return self.resolve(name, None)[1].capabilities

    async def aclose(self) -> None:
        """Write what is in hand and close the connections to the targets."""
        await self.registry.aclose()
        if self._store is not None:
            self._store.close()

    def _find(self, wanted: str) -> tuple[str, Model]:
        if not wanted and not self._default:
            raise ModelNotFound("no model was named, and no default is set", status=404)
        spec = spec_for(wanted, self._routes)
        try:
            model = self._parse(spec)
        except CallerFailure as unknown:
            if not self._default:
                raise ModelNotFound(
                    str(unknown), status=404, code="model_not_found", parameter="model"
                ) from unknown
            spec = self._default
            model = self._parse(spec)
        return spec, model

    def _parse(self, spec: str) -> Model:
        model = self._models.get(spec)
        if model is None:
            model = self.registry.parse(spec)
            if len(self._models) >= MOST_MODELS:
                self._models.pop(next(iter(self._models)))
            self._models[spec] = model
        return model


class Told(Protocol):
    """What is counted of a request: a trace, or one that nobody wants to have written."""

    @property
    def door(self) -> str: ...
    @property
    def status(self) -> int: ...
    @property
    def outcome(self) -> str: ...
    @property
    def first(self) -> float | None: ...
    @property
    def seconds(self) -> float: ...
    @property
    def served(self) -> str: ...
    @property
    def attempts(self) -> tuple[Attempt, ...]: ...
    @property
    def notes(self) -> tuple[Note, ...]: ...


def count(metrics: Metrics, trace: Told, response: Response | None) -> None:
    metrics.requests.add(trace.door, str(trace.status))
    metrics.total.observe(trace.seconds)
    if trace.first is not None:
        metrics.first.observe(trace.first)
    if trace.outcome == "gone":
        metrics.gone.add()
    attempts = trace.attempts
    for attempt in attempts:
        metrics.attempts.add(attempt.target, attempt.outcome)
    if trace.served and attempts and attempts[0].target != trace.served:
        metrics.failovers.add()
    for note in trace.notes:
        if note.kind in ("emulated", "retried"):
            metrics.emulation.add(note.kind)
    if response is not None and response.usage.known:
        metrics.tokens.add("input", by=response.usage.input)
        metrics.tokens.add("output", by=response.usage.output)


def _line(trace: Trace) -> bytes:
    brief = msgspec.structs.replace(trace, request=None, response=None)
    return msgspec.json.encode(brief)
