"""The page about the command line, from the parsers themselves."""

import argparse
from collections.abc import Iterator, Mapping
from typing import cast

from majordomo.cli.completion import parser_of
from majordomo.cli.exit_code import MEANINGS
from majordomo.cli.main import COMMANDS

from .field import code, table


def page() -> str:
    return "\n".join(_lines()) + "\n"


def _lines() -> Iterator[str]:
    yield "# Command line"
    yield ""
    yield "<!-- Made by `make reference` from the parsers; a test compares. -->"
    yield ""
    yield "Colours are for terminals only and never against `NO_COLOR`. What a script reads goes to"
    yield "standard output, everything else to standard error. `$MAJORDOMO_MODEL` stands for `-m`,"
    yield "`$MAJORDOMO_CONFIG` for `--config`."
    yield ""
    links = [(f"[`{name}`](#{name})", command.help) for name, command in COMMANDS.items()]
    yield from table(("command", "what it does"), links)
    yield ""
    yield "## Exit codes"
    yield ""
    yield from table(("code", "meaning"), [(str(code), words) for code, words in MEANINGS.items()])
    for name in COMMANDS:
        yield ""
        yield f"## {name}"
        yield from _command(parser_of(name))


def _command(parser: argparse.ArgumentParser) -> Iterator[str]:
    yield ""
    yield parser.description or ""
    yield ""
    yield "```text"
    yield _usage(parser)
    yield "```"
    rows = list(_rows(parser))
    if rows:
        yield ""
        yield from table(("option", "what it is"), rows)
    if parser.epilog:
        yield ""
        yield parser.epilog
    for name, each in _subcommands(parser):
        yield ""
        yield f"### {parser.prog.removeprefix('majordomo ')} {name}"
        yield from _command(each)


def _subcommands(parser: argparse.ArgumentParser) -> Iterator[tuple[str, argparse.ArgumentParser]]:
    for action in parser._actions:
        choices: object = action.choices
        if isinstance(choices, Mapping):
            yield from _named(cast("Mapping[object, object]", choices))


def _named(choices: Mapping[object, object]) -> Iterator[tuple[str, argparse.ArgumentParser]]:
    for name, each in choices.items():
        if isinstance(each, argparse.ArgumentParser):
            yield str(name), each


def _usage(parser: argparse.ArgumentParser) -> str:
    """Write it in one line: how wide a terminal was must not be seen in a page."""
    words = parser.format_usage().removeprefix("usage: ")
    return " ".join(words.split())


def _rows(parser: argparse.ArgumentParser) -> Iterator[tuple[str, str]]:
    for action in parser._actions:
        if action.dest == "help" or isinstance(action.choices, Mapping):
            continue
        names = ", ".join(code(name) for name in action.option_strings) or code(
            str(action.metavar or action.dest)
        )
        value = f" {action.metavar}" if action.option_strings and action.metavar else ""
        yield f"{names}{value}", (action.help or "").replace("%%", "%")
