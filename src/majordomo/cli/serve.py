"""`majordomo serve`: offer the five dialects over HTTP, whatever stands behind."""

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from msgspec.structs import replace

from majordomo.config.env import load_env
from majordomo.config.file import Settings, load
from majordomo.config.gateway import Gateway
from majordomo.gateway.create import CONFIG_VARIABLE, LOG_VARIABLE, TRACES_VARIABLE, check
from majordomo.gateway.open_files import allow_many
from majordomo.gateway.server import run as run_server

from .opening import config_path


def run(arguments: Sequence[str]) -> int:
    given = _parser().parse_args(arguments)
    path = config_path(given.config)
    settings = load(path, os.environ) if path is not None else Settings()
    for problem in load_env(os.environ).problems:
        sys.stderr.write(f"majordomo: {problem}\n")
    if path is not None:  # the workers read them themselves
        os.environ[CONFIG_VARIABLE] = str(path)
    if given.traces:
        os.environ[TRACES_VARIABLE] = given.traces
    if given.log:
        os.environ[LOG_VARIABLE] = "1"
    check(settings.gateway)
    allow_many()
    run_server(_overridden(settings.gateway, given))
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="majordomo serve",
        description="Offer the OpenAI, Anthropic, Gemini and Ollama APIs over any chain of models.",
        epilog="Providers come from LLM_<NAME> variables, from majordomo.toml, and are built in. "
        "The model a client asks for is any spec: up/any-id, or a/x,b/y, or an alias.",
    )
    parser.add_argument("--host", help="address to listen on (127.0.0.1)")
    parser.add_argument("--port", type=int, help="port to listen on (8484; 0: any free one)")
    parser.add_argument("--unix-socket", metavar="PATH", help="listen on a socket file instead")
    parser.add_argument("--workers", type=int, metavar="N", help="processes (1)")
    parser.add_argument("--tls-certificate", metavar="FILE", help="serve HTTPS with this chain")
    parser.add_argument("--tls-key", metavar="FILE", help="and this key, both in PEM")
    parser.add_argument("--config", type=Path, metavar="FILE", help="majordomo.toml to use")
    parser.add_argument("--traces", metavar="FILE", help="keep traces in this SQLite file")
    parser.add_argument("--log", action="store_true", help="one line of JSON a request on stderr")
    return parser


def _overridden(gateway: Gateway, given: argparse.Namespace) -> Gateway:
    names = ("host", "port", "unix_socket", "workers", "tls_certificate", "tls_key")
    changes = {name: value for name in names if (value := getattr(given, name)) is not None}
    return replace(gateway, **changes)
