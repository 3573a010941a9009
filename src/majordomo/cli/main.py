"""`majordomo <command>`: find the command, load only that, run it."""

import sys
from collections.abc import Sequence
from difflib import get_close_matches
from importlib import import_module
from typing import NamedTuple


class Command(NamedTuple):
    help: str
    module: str  # imported only when it is the one: --help must stay instant


COMMANDS = {
    "ask": Command("ask a model one thing", "majordomo.cli.ask"),
    "chat": Command("talk with a model", "majordomo.cli.chat"),
    "serve": Command("offer the five dialects over HTTP", "majordomo.cli.serve"),
    "run": Command("run claude, codex or gemini on any model", "majordomo.cli.run"),
    "demo": Command("see it work, without a key", "majordomo.cli.demo"),
    "local": Command("get and run a model on this machine", "majordomo.cli.local"),
    "models": Command("list targets, aliases and routes", "majordomo.cli.models"),
    "doctor": Command("find what is wrong, and how to fix it", "majordomo.cli.doctor"),
    "probe": Command("find out what an endpoint supports", "majordomo.cli.probe"),
    "traces": Command("see what happened to requests", "majordomo.cli.traces"),
    "init": Command("write a commented majordomo.toml", "majordomo.cli.init"),
    "key": Command("make a client key and its hash", "majordomo.cli.key"),
    "completion": Command("make your shell complete commands", "majordomo.cli.completion"),
}

USAGE_ERROR = 2
INTERRUPTED = 130


def main(arguments: Sequence[str] | None = None) -> int:
    given = list(sys.argv[1:] if arguments is None else arguments)
    if not given or given[0] in ("-h", "--help", "help"):
        sys.stdout.write(_help())
        return 0
    if given[0] in ("-V", "--version"):
        from importlib.metadata import version  # noqa: PLC0415 -- costs 20 ms, used here only

        sys.stdout.write(f"majordomo {version('pymajordomo')}\n")
        return 0
    command = COMMANDS.get(given[0])
    if command is None:
        near = get_close_matches(given[0], COMMANDS, n=1)
        hint = f" Did you mean {near[0]!r}?" if near else ""
        sys.stderr.write(f"majordomo: there is no command {given[0]!r}.{hint}\n\n{_help()}")
        return USAGE_ERROR
    return _run(command, given[1:])


def _run(command: Command, arguments: list[str]) -> int:
    from majordomo.contract import Failure  # noqa: PLC0415 -- not needed for --help

    module = import_module(command.module)
    try:
        code: int = module.run(arguments)
    except Failure as failure:
        from .advice import told  # noqa: PLC0415 -- only when something is wrong
        from .exit_code import exit_code  # noqa: PLC0415 -- not for --help

        sys.stderr.write(told(failure))
        return exit_code(failure)
    except KeyboardInterrupt:
        sys.stderr.write("\n")
        return INTERRUPTED
    except BrokenPipeError:
        sys.stderr.close()  # whoever read our output has seen enough
        return 0
    return code


def _help() -> str:
    lines = [
        "Any program, any language model.",
        "",
        "usage: majordomo <command> [options]",
        "",
        *(f"  {name:<11} {command.help}" for name, command in COMMANDS.items()),
        "",
        "majordomo <command> --help says more about one.",
    ]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    sys.exit(main())
