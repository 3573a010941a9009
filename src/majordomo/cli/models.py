"""`majordomo models`: what can be asked for by name, and how it is doing."""

import argparse
import asyncio
import os
import sys
from collections.abc import Iterable, Sequence

import msgspec
from msgspec import Struct

from majordomo.catalog.provider import Provider, Timeouts
from majordomo.config.file import Settings
from majordomo.config.gateway import Gateway
from majordomo.contract import Failure
from majordomo.dialects.json import read
from majordomo.engine.http import HttpCall, default_transport
from majordomo.engine.registry import Registry

from .listing import list_models
from .opening import add_config, open_registry, open_settings
from .terminal import Ink, Paint, paint_for


class Known(Struct, frozen=True, kw_only=True):
    """What `--json` prints."""

    providers: dict[str, str]  # name -> dialect and address
    aliases: dict[str, str]
    routes: dict[str, str]
    default: str
    targets: dict[str, str]  # name -> health, as a running gateway sees it


def run(arguments: Sequence[str]) -> int:
    given = parser().parse_args(arguments)
    settings = open_settings(given.config)
    registry = open_registry(settings)
    problems = registry.load_env()
    for problem in problems:
        sys.stderr.write(f"majordomo: {problem}\n")
    if given.provider:
        names = asyncio.run(_listed(registry, given.provider))
        _print_listing(given.provider, names, as_json=given.json)
        return 0
    known = asyncio.run(_known(settings, registry))
    if given.names:
        sys.stdout.write("".join(f"{name}\n" for name in (*known.aliases, *known.targets)))
    elif given.json:
        sys.stdout.write(msgspec.json.encode(known).decode() + "\n")
    else:
        sys.stdout.write(_page(known, paint_for(sys.stdout)))
    return 0


def parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="majordomo models",
        description="List targets, aliases, routes and providers; of one provider, its models.",
    )
    parser.add_argument("provider", nargs="?", help="ask this provider which models it has")
    parser.add_argument("--json", action="store_true", help="as one JSON object")
    parser.add_argument("--names", action="store_true", help="only the names one may give to -m")
    add_config(parser)
    return parser


async def _listed(registry: Registry, name: str) -> tuple[str, ...]:
    transport = default_transport()
    try:
        return await list_models(registry.provider(name).provider, transport, os.environ)
    except Failure as failure:
        failure.target = failure.target or name
        raise
    finally:
        await transport.aclose()


async def _known(settings: Settings, registry: Registry) -> Known:
    health = await _health(settings.gateway)
    specs = [*settings.aliases.values(), *settings.routes.values(), settings.default]
    targets: dict[str, str] = {}
    for spec in specs:
        if spec and "*" not in spec:
            targets |= {name: health.get(name, "") for name in _targets(registry, spec)}
    return Known(
        providers={name: _where(row) for name, row in _usable(registry, settings)},
        aliases=settings.names,
        routes=settings.routes,
        default=settings.default,
        targets=targets,
    )


def _targets(registry: Registry, spec: str) -> list[str]:
    try:
        return [target.name for target in registry.parse(spec).targets]
    except Failure as failure:
        sys.stderr.write(f"majordomo: {failure}\n")
        return []


def _usable(registry: Registry, settings: Settings) -> Iterable[tuple[str, Provider]]:
    """Give the providers that were written down, and the built-in ones somebody pays for."""
    for name, row in sorted(registry.providers.items()):
        key = any(os.environ.get(variable) for variable in row.key_env)
        written = name in settings.providers or not row.key_env or row.key
        if row.base_url and (key or written):
            yield name, row


def _where(provider: Provider) -> str:
    return f"{provider.dialect} {provider.base_url}"


async def _health(gateway: Gateway) -> dict[str, str]:
    """Ask the gateway of these settings, if one is running; only it knows who has been failing."""
    transport = default_transport()
    try:
        url = f"http://{gateway.host}:{gateway.port}/readyz"
        timeouts = Timeouts(connect=0.5, first_byte=1.0, idle=1.0, total=2.0)
        reply = await transport.send(HttpCall(url=url, method="GET", timeouts=timeouts))
        body = b""
        while chunk := await reply.read():
            body += chunk
        match read(body):
            case {"targets": dict(targets)}:
                return {name: str(state) for name, state in targets.items()}
            case _:
                return {}
    except (Failure, ValueError):
        return {}
    finally:
        await transport.aclose()


def _print_listing(provider: str, names: tuple[str, ...], *, as_json: bool) -> None:
    if as_json:
        sys.stdout.write(msgspec.json.encode(names).decode() + "\n")
    else:
        sys.stdout.write("".join(f"{provider}/{name}\n" for name in names))


def _page(known: Known, paint: Paint) -> str:
    sections: list[tuple[str, dict[str, str]]] = [
        ("targets", known.targets),
        ("aliases", known.aliases),
        ("routes", known.routes),
        ("default", {known.default: ""} if known.default else {}),
        ("providers", known.providers),
    ]
    lines: list[str] = []
    for title, rows in sections:
        if not rows:
            continue
        width = max(len(name) for name in rows)
        lines += [paint(title, "bold"), *_rows(rows, width, paint), ""]
    return "\n".join(lines)


def _rows(rows: dict[str, str], width: int, paint: Paint) -> Iterable[str]:
    for name, about in rows.items():
        ink: Ink = "red" if about == "benched" else "dim"
        yield f"  {name:<{width}}  {paint(about, ink)}".rstrip()
