"""A real gateway on a real port, in a thread, in front of whatever models a test gives it."""

import socket
import threading
from collections.abc import Generator
from contextlib import contextmanager

import uvicorn

from majordomo.config.gateway import Gateway
from majordomo.contract import InvalidRequest
from majordomo.engine.model import Model
from majordomo.engine.registry import Registry
from majordomo.gateway.app import App
from majordomo.gateway.service import Service
from majordomo.gateway.workers import PROTOCOL


class Shelf:
    """A registry of models by name, for tests that need no specs."""

    def __init__(self, **models: Model) -> None:
        self._models = models

    def parse(self, spec: str) -> Model:
        found = self._models.get(spec)
        if found is None:
            raise InvalidRequest(f"there is no {spec!r} on the shelf")
        return found

    def names(self) -> tuple[str, ...]:
        return tuple(self._models)

    def benched(self) -> dict[str, bool]:
        return {}

    async def aclose(self) -> None:
        pass


class Known:
    """The real registry, as `majordomo serve` has it, without a configuration behind it."""

    def __init__(self, registry: Registry) -> None:
        self._registry = registry

    def parse(self, spec: str) -> Model:
        return self._registry.parse(spec)

    def names(self) -> tuple[str, ...]:
        return tuple(self._registry.aliases)

    def benched(self) -> dict[str, bool]:
        return {report.target: report.state == "benched" for report in self._registry.health()}

    async def aclose(self) -> None:
        await self._registry.aclose()


@contextmanager
def serving(
    service: Service, *, http: str = PROTOCOL, loop: str = "auto", keep_alive: int = 75
) -> Generator[str, None, None]:
    """Give the URL of a gateway that serves until the block is left."""
    listener = socket.create_server(("127.0.0.1", 0))
    config = uvicorn.Config(
        App(service),
        http=http,
        loop=loop,
        proxy_headers=False,
        log_level="warning",
        access_log=False,
        lifespan="on",
        ws="none",
        timeout_keep_alive=keep_alive,
    )
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join(timeout=10)
        listener.close()


@contextmanager
def shelf(settings: Gateway | None = None, **models: Model) -> Generator[str, None, None]:
    with serving(Service(Shelf(**models), settings)) as url:
        yield url
