"""Building the application from settings: a factory, because each worker builds its own."""

import gc
import logging
import os
from functools import partial
from pathlib import Path
from urllib.parse import urlsplit

from majordomo.config.file import Settings, load
from majordomo.config.gateway import Gateway
from majordomo.contract import Failure, InvalidRequest
from majordomo.engine.chain import Chain
from majordomo.engine.registry import Registry
from majordomo.fit.pipeline import fit
from majordomo.trace import Store
from majordomo.trace.both import Both

from .app import App
from .reload import Reload, ReloadingApp
from .service import Service

CONFIG_VARIABLE = "MAJORDOMO_CONFIG"  # the file to read; set by `majordomo serve`
TRACES_VARIABLE = "MAJORDOMO_TRACES"  # where traces go, if not where the file says
LOG_VARIABLE = "MAJORDOMO_LOG"  # set: one line a request on standard error


def app() -> App:
    if os.environ.get(LOG_VARIABLE):
        logging.basicConfig(level=logging.INFO, format="%(message)s")
    path = os.environ.get(CONFIG_VARIABLE, "")
    built: App
    if path:
        built = ReloadingApp(service(load(Path(path), os.environ)), Reload(Path(path), known))
    else:
        built = App(service(Settings()))
    gc.freeze()  # what is loaded by now stays: a full collection looks through it for 9 ms
    return built


def check(settings: Gateway) -> None:
    """Say what is missing for spans before anything is started: a worker could not say it well."""
    if not settings.traces_otel:
        return
    try:
        from majordomo.trace.otel import exporters  # noqa: PLC0415 -- an extra
    except ImportError as error:
        raise InvalidRequest(
            "traces_otel needs OpenTelemetry: pip install 'pymajordomo[otel]'"
        ) from error
    exporters(os.environ)


def known(settings: Settings) -> "Known":
    registry = Registry(
        providers=settings.providers,
        aliases=settings.names,
        patience=settings.patience,
        cooldown=settings.cooldown,
        fit=partial(fit, strict=True) if settings.gateway.strict else None,
        joined_text=True,
    )
    return Known(registry, settings)


def service(settings: Settings) -> Service:
    registry = known(settings)
    return Service(
        registry,
        settings.gateway,
        routes=settings.routes,
        default=settings.default,
        store=_store(settings, registry),
    )


class Known:
    """A registry as the doors see it: what may be asked for, and who is out."""

    def __init__(self, registry: Registry, settings: Settings) -> None:
        self._registry = registry
        self._settings = settings

    def parse(self, spec: str) -> Chain:
        return self._registry.parse(spec)

    def names(self) -> tuple[str, ...]:
        """Aliases, and every target that an alias, a route or the default leads to."""
        settings = self._settings
        specs = [*settings.aliases.values(), *settings.routes.values(), settings.default]
        targets = [name for spec in specs if spec and "*" not in spec for name in self._of(spec)]
        return tuple(dict.fromkeys((*settings.aliases, *targets)))

    def benched(self) -> dict[str, bool]:
        return {report.target: report.state == "benched" for report in self._registry.health()}

    def address(self, target: str) -> tuple[str, int]:
        """Give the host and the port of a target; nothing of one that is not known any more."""
        try:
            url = urlsplit(self._registry.parse(target).targets[0].provider.base_url)
        except Failure:
            return "", 0
        return url.hostname or "", url.port or (80 if url.scheme == "http" else 443)

    async def aclose(self) -> None:
        await self._registry.aclose()

    def _of(self, spec: str) -> list[str]:
        try:
            return [target.name for target in self._registry.parse(spec).targets]
        except Failure:
            return []  # said when it is asked for; a listing shows what works


def _store(settings: Settings, registry: Known) -> Store | None:
    path = os.environ.get(TRACES_VARIABLE) or settings.gateway.traces
    kept = _file(path, settings.gateway.trace_rows) if path else None
    if not settings.gateway.traces_otel:
        return kept
    sent = _spans(registry)
    return Both(kept, sent) if kept is not None else sent


def _file(path: str, rows: int) -> Store:
    from majordomo.trace.sqlite import SqliteStore  # noqa: PLC0415 -- only where traces are kept

    return SqliteStore(path, rows=rows)


def _spans(registry: Known) -> Store:
    from majordomo.trace.otel import otel_store  # noqa: PLC0415 -- an extra

    return otel_store(os.environ, registry.address)
