"""`majordomo local`: a real model on this machine, without a key."""

import argparse
import sys
from collections.abc import Sequence

from majordomo.local.download import pull
from majordomo.local.server import LocalServer, check_installed
from majordomo.local.settings import Address, ServerSettings
from majordomo.local.weights import SMOLLM2, WEIGHTS, cached, find_weights, longest_answer

_MB = 1_000_000
_BAR = 30


def run(arguments: Sequence[str]) -> int:
    given = _parser().parse_args(arguments)
    match given.action:
        case "pull":
            return _pull(given.model)
        case "path":
            sys.stdout.write(f"{find_weights(given.model)}\n")
            return 0
        case _:
            return _serve(given)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="majordomo local",
        description="Run a model on this machine. Once pulled it is `local/smollm2` in any spec, "
        "and local/<path.gguf> is any other; the first request starts it.",
    )
    actions = parser.add_subparsers(dest="action", required=True, metavar="pull|path|serve")
    pulling = actions.add_parser("pull", help="download the weights into your cache")
    pulling.add_argument("model", nargs="?", default=SMOLLM2.name, choices=sorted(WEIGHTS))
    path = actions.add_parser("path", help="say where the weights are")
    path.add_argument("model", nargs="?", default=SMOLLM2.name)
    serving = actions.add_parser("serve", help="run llama.cpp's own server until Ctrl-C")
    serving.add_argument("model", nargs="?", default=SMOLLM2.name, help="a name, or a .gguf")
    serving.add_argument("--port", type=int, default=8080, help="8080; 0: any free one")
    serving.add_argument("--threads", type=int, default=1, metavar="N", help="1")
    serving.add_argument("--context", type=int, default=8192, metavar="TOKENS", help="8192")
    serving.add_argument("--slots", type=int, default=2, metavar="N", help="requests at once (2)")
    serving.add_argument("--key", default="", help="ask clients for this key")
    return parser


def _pull(model: str) -> int:
    weights = WEIGHTS[model]
    before = cached(weights).is_file()
    path = pull(weights, progress=_bar if sys.stderr.isatty() else _nothing)
    sys.stderr.write("\r" if sys.stderr.isatty() else "")
    sys.stderr.write(f"{model} {'was already here' if before else 'is here'}\n")
    sys.stdout.write(f"{path}\n")
    return 0


def _serve(given: argparse.Namespace) -> int:
    check_installed()
    settings = ServerSettings(
        path=str(find_weights(given.model)),
        alias=given.model,
        port=given.port,
        threads=given.threads,
        context=given.context,
        answer=longest_answer(given.model),
        slots=given.slots,
        key=given.key,
    )
    sys.stderr.write(f"loading {given.model} ...\n")
    with LocalServer(settings) as server:
        address = server.start()
        sys.stderr.write(_greeting(address, given.model))
        server.wait()  # Ctrl-C and SIGTERM end us, and the server with us
    sys.stderr.write("majordomo: llama.cpp has stopped\n")
    return 1


def _greeting(address: Address, model: str) -> str:
    host = address.url.removeprefix("http://")
    key = "KEY@" if address.key else ""
    return (
        f"llama.cpp serves {model} on {address.url}\n"
        f"  as a provider           LLM_HERE='openai+http://{key}{host}/v1?tools=emulated'\n"
        f"  then                    majordomo serve, and ask for here/{model}\n"
    )


def _bar(done: int, total: int) -> None:
    filled = _BAR * done // total
    bar = "#" * filled + "." * (_BAR - filled)
    sys.stderr.write(f"\r[{bar}] {done // _MB} of {total // _MB} MB ")
    sys.stderr.flush()


def _nothing(done: int, total: int) -> None:
    """Draw nothing: nobody is watching."""
