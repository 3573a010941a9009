"""`majordomo run`: a coding agent over any model, with a gateway of its own for that long."""

import argparse
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from msgspec.structs import replace

from majordomo.config.file import PatienceTable, Settings
from majordomo.contract import InvalidRequest
from majordomo.local.weights import cache_folder

from .background import gateway
from .clients import CLIENTS, Client
from .opening import add_config, add_model, open_registry, open_settings, spec_to_use
from .small_form import Chosen, choose, is_small, room_of


def run(arguments: Sequence[str]) -> int:
    ours, theirs = split(arguments)
    given = parser().parse_args(ours)
    client = CLIENTS[given.client]
    settings = open_settings(given.config)
    spec = spec_to_use(given.model, settings)
    # A bad spec is said now, not by the client.
    room = None if given.full else room_of(open_registry(settings).parse(spec).targets)
    program = shutil.which(client.program)
    if program is None:
        raise InvalidRequest(
            f"{client.program} is not installed, or not on the PATH: {client.install}"
        )
    home = cache_folder()  # Gemini CLI reads no settings from a folder everybody can write to
    home.mkdir(parents=True, exist_ok=True)
    with (
        gateway(everything_to(spec, settings)) as url,
        TemporaryDirectory(dir=home, prefix="run-") as folder,
    ):
        sys.stderr.write(f"majordomo: {client.program} talks to {spec} through {url}\n")
        small = _small(client, room, theirs, Path(folder))
        variables = {**os.environ, **small.variables, **client.variables(url, Path(folder))}
        ours = () if set(theirs) & set(client.model_flags) else client.arguments(url, spec)
        words = [program, *ours, *small.words, *theirs]
        return _started(words, {name: value for name, value in variables.items() if value})


def parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="majordomo run",
        description="Start a gateway on a free port and a coding agent against it. "
        "What comes after -- is given to the agent as it is.",
        usage="majordomo run {claude,codex,gemini} [-m SPEC] [--full] [--config FILE] "
        "[-- ARGUMENT ...]",
        epilog='example: majordomo run claude -m ollama/qwen3 -- -p "What is in this folder?"',
    )
    parser.add_argument("client", choices=sorted(CLIENTS), help="what to run")
    add_model(parser)
    parser.add_argument(
        "--full",
        action="store_true",
        help="leave the agent its own prompt and tools, also where the model has no room for them",
    )
    add_config(parser)
    return parser


def split(arguments: Sequence[str]) -> tuple[Sequence[str], Sequence[str]]:
    """Part our arguments from the client's: theirs come after `--`, whatever they look like."""
    if "--" not in arguments:
        return arguments, ()
    at = list(arguments).index("--")
    return arguments[:at], arguments[at + 1 :]


def everything_to(spec: str, settings: Settings) -> Settings:
    """Serve this spec whatever is asked for: these clients ask for small models of their own."""
    patience = settings.patience
    if patience == PatienceTable():
        # Their prompts are long, and a model at home may read one for minutes after its headers.
        patience = PatienceTable(idle=600.0, silence=1800.0)
    return replace(settings, routes={"*": spec}, patience=patience)


def _small(client: Client, room: int | None, theirs: Sequence[str], folder: Path) -> Chosen:
    """Choose the client's small form where it needs one, and say so."""
    if not is_small(room, client.prompt):
        return Chosen()
    chosen = choose(client.small, theirs, os.environ, folder)
    if chosen:
        sys.stderr.write(
            f"majordomo: the model has room for {room} tokens and {client.program} alone sends "
            f"about {client.prompt}, so it starts without {client.small.without} "
            "(--full before the -- keeps them)\n"
        )
    return chosen


def _started(words: list[str], environment: dict[str, str]) -> int:
    # Ctrl-C belongs to the program in the foreground; it decides what to make of it. Ours does
    # nothing rather than ignore it: a handler is not handed down, ignoring would be.
    before = signal.signal(signal.SIGINT, _nothing)
    try:
        # The program the user named, with the user's own arguments.
        return subprocess.run(words, env=environment, check=False).returncode  # noqa: S603 -- the user's
    finally:
        signal.signal(signal.SIGINT, before)


def _nothing(_: int, __: object) -> None:
    """Leave it to the other program."""
