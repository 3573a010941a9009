"""`majordomo run`: a coding agent over any model, with a gateway of its own for that long."""

import argparse
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Sequence

from msgspec.structs import replace

from majordomo.config.file import Settings
from majordomo.contract import InvalidRequest

from .background import gateway
from .clients import CLIENTS, Client
from .opening import add_config, add_model, open_registry, open_settings, spec_to_use


def run(arguments: Sequence[str]) -> int:
    given = parser().parse_args(arguments)
    client = CLIENTS[given.client]
    settings = open_settings(given.config)
    spec = spec_to_use(given.model, settings)
    open_registry(settings).parse(spec)  # a bad spec is said now, not by the client
    program = shutil.which(client.program)
    if program is None:
        raise InvalidRequest(
            f"{client.program} is not installed, or not on the PATH: {client.install}"
        )
    with gateway(everything_to(spec, settings)) as url:
        return _started(client, program, url, spec, given.arguments)


def parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="majordomo run",
        description="Start a gateway on a free port and a coding agent against it.",
        usage="majordomo run {claude,codex,gemini} [-m SPEC] [--config FILE] [-- ARGUMENT ...]",
        epilog='example: majordomo run claude -m ollama/qwen3 -- -p "What is in this folder?"',
    )
    parser.add_argument("client", choices=sorted(CLIENTS), help="what to run")
    add_model(parser)
    add_config(parser)
    parser.add_argument("arguments", nargs="*", help="given to it as they are, after --")
    return parser


def everything_to(spec: str, settings: Settings) -> Settings:
    """Serve this spec whatever is asked for: these clients ask for small models of their own."""
    return replace(settings, routes={"*": spec})


def _started(client: Client, program: str, url: str, spec: str, words: Sequence[str]) -> int:
    ours = () if set(words) & set(client.model_flags) else client.arguments(url, spec)
    variables = {**os.environ, **client.variables(url)}
    environment = {name: value for name, value in variables.items() if value}
    sys.stderr.write(f"majordomo: {client.program} talks to {spec} through {url}\n")
    # Ctrl-C belongs to the program in the foreground; it decides what to make of it. Ours does
    # nothing rather than ignore it: a handler is not handed down, ignoring would be.
    before = signal.signal(signal.SIGINT, _nothing)
    try:
        words = [program, *ours, *words]
        # The program the user named, with the user's own arguments.
        return subprocess.run(words, env=environment, check=False).returncode  # noqa: S603
    finally:
        signal.signal(signal.SIGINT, before)


def _nothing(_: int, __: object) -> None:
    """Leave it to the other program."""
