"""A configuration that changes while the gateway runs: taken over when good, refused when bad."""

import asyncio
import logging
import os
import signal
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path

from majordomo.config.file import Settings, load
from majordomo.contract import Failure

from .app import App
from .exchange import Receive, Send
from .service import Registry, Service

log = logging.getLogger("majordomo.gateway")
_PAUSE = 1.0  # seconds between two looks at the file


class Reload:
    """One file, and what a service does when it changes."""

    def __init__(
        self,
        path: Path,
        build: Callable[[Settings], Registry],
        environ: Mapping[str, str] = os.environ,
        *,
        pause: float = _PAUSE,
    ) -> None:
        self._path = path
        self._build = build
        self._environ = environ
        self._pause = pause
        self._seen = self._look()
        self._asked = asyncio.Event()  # SIGHUP
        self._closing: set[asyncio.Task[None]] = set()

    async def watch(self, service: Service) -> None:
        """Look at the file now and then, and at once when SIGHUP says so; for ever."""
        with suppress(RuntimeError, ValueError, AttributeError):
            # Windows has no SIGHUP, and only a main thread may listen for one.
            asyncio.get_running_loop().add_signal_handler(signal.SIGHUP, self._asked.set)
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout(self._pause):
                    await self._asked.wait()
            seen = self._look()
            if self._asked.is_set() or seen != self._seen:
                self._asked.clear()
                self._seen = seen
                self.reload(service)

    def reload(self, service: Service) -> bool:
        """Read the file again; when it is wrong, say so and go on as before."""
        try:
            settings = load(self._path, self._environ)
            registry = self._build(settings)
        except Failure as problem:
            log.warning("the configuration was not reloaded, the old one goes on: %s", problem)
            return False
        if service.settings.keys and not settings.gateway.keys:
            log.warning(
                "the configuration was not reloaded, the old one goes on: it has no keys any "
                "more; restart to serve without any"
            )
            return False
        before = service.adopt(registry, settings)
        task = asyncio.ensure_future(_close_when_idle(before, service))
        self._closing.add(task)
        task.add_done_callback(self._closing.discard)
        log.warning("the configuration was reloaded from %s", self._path)
        return True

    def _look(self) -> tuple[int, int, int]:
        """Tell one state of the file from another; editors replace it, so its number counts too."""
        try:
            found = self._path.stat()
        except OSError:
            return (0, 0, 0)
        return (found.st_mtime_ns, found.st_size, found.st_ino)


class ReloadingApp(App):
    def __init__(self, service: Service, reload: Reload) -> None:
        super().__init__(service)
        self._reload = reload

    async def _live(self, receive: Receive, send: Send) -> None:
        watching = asyncio.create_task(self._reload.watch(self.service))
        try:
            await super()._live(receive, send)
        finally:
            watching.cancel()


async def _close_when_idle(registry: Registry, service: Service) -> None:
    """Let requests under way keep their connections; no request may last longer than the limit."""
    with suppress(TimeoutError):
        async with asyncio.timeout(service.settings.limits.seconds):
            while service.metrics.in_flight:  # noqa: ASYNC110 -- counted on the hot path, which tells nobody
                await asyncio.sleep(_PAUSE)
    await registry.aclose()
