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
    "serve": Command("offer the five dialects over HTTP", "majordomo.cli.serve"),
    "local": Command("get and run a model on this machine", "majordomo.cli.local"),
    "key": Command("make a client key and its hash", "majordomo.cli.key"),
}

USAGE_ERROR = 2


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
        sys.stderr.write(f"majordomo: {failure}\n")
        return 1
    except KeyboardInterrupt:
        return 130
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
        *(f"  {name:<8} {command.help}" for name, command in COMMANDS.items()),
        "",
        "majordomo <command> --help says more about one.",
    ]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    sys.exit(main())
