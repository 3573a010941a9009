"""`majordomo completion`: a script that makes the shell complete commands, options and models."""

import argparse
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Literal, TypeAlias

from msgspec import Struct

from .main import COMMANDS

SHELLS = ("bash", "zsh", "fish")


Value: TypeAlias = Literal["none", "file", "model", "other"]

# What an option wants after it, by the word its help has for it.
_VALUES: dict[str, Value] = {"FILE": "file", "PATH": "file", "SPEC": "model"}


class Option(Struct, frozen=True, kw_only=True):
    help: str
    value: Value = "none"


class Words(Struct, frozen=True, kw_only=True):
    """What may follow a command."""

    help: str
    options: dict[str, Option]  # by flag
    choices: tuple[str, ...] = ()


def run(arguments: Sequence[str]) -> int:
    given = parser().parse_args(arguments)
    scripts = {"bash": _bash, "zsh": _zsh, "fish": _fish}
    sys.stdout.write(scripts[given.shell](vocabulary()))
    return 0


def parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="majordomo completion",
        description="Print a completion script.",
        epilog='bash: eval "$(majordomo completion bash)"  '
        'zsh: eval "$(majordomo completion zsh)"  '
        "fish: majordomo completion fish | source",
    )
    parser.add_argument("shell", choices=SHELLS)
    return parser


def vocabulary() -> dict[str, Words]:
    """Ask every command's own parser, so that nothing here can be out of date."""
    return {name: _words(command.help, parser_of(name)) for name, command in COMMANDS.items()}


def parser_of(command: str) -> argparse.ArgumentParser:
    module = import_module(COMMANDS[command].module)
    make = getattr(module, "parser", None) or module._parser  # noqa: SLF001 -- one name or the other
    made: argparse.ArgumentParser = make()
    return made


def _words(help: str, parser: argparse.ArgumentParser) -> Words:
    options: dict[str, Option] = {}
    choices: list[str] = []
    for action in parser._actions:  # noqa: SLF001 -- argparse has no other way to list them
        value: Value = "none" if action.nargs == 0 else _VALUES.get(str(action.metavar), "other")
        for flag in action.option_strings:
            options[flag] = Option(help=_plain(action.help or ""), value=value)
        if not action.option_strings and action.choices is not None:
            choices += [str(choice) for choice in action.choices]
    return Words(help=help, options=options, choices=tuple(choices))


_NAMES = "majordomo models --names 2>/dev/null"

_BASH = """\
_majordomo() {{
  local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}}
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "{commands}" -- "$word"))
    return
  fi
  case $before in
    {models}) COMPREPLY=($(compgen -W "$({names})" -- "$word")); return ;;
    {files}) COMPREPLY=($(compgen -f -- "$word")); return ;;
  esac
  case ${{COMP_WORDS[1]}} in
{cases}
  esac
}}
complete -o default -F _majordomo majordomo
"""


def _bash(words: dict[str, Words]) -> str:
    cases = "\n".join(
        f'    {name}) COMPREPLY=($(compgen -W "{" ".join((*each.choices, *each.options))}"'
        ' -- "$word")) ;;'
        for name, each in words.items()
    )
    return _BASH.format(
        commands=" ".join(words),
        names=_NAMES,
        models=_flags(words, "model"),
        files=_flags(words, "file"),
        cases=cases,
    )


_ZSH = """\
#compdef majordomo
_majordomo() {{
  local -a commands options
  commands=(
{commands}
  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  case $words[CURRENT-1] in
    {models}) compadd -- ${{(f)"$({names})"}}; return ;;
    {files}) _files; return ;;
  esac
  case $words[2] in
{cases}
  esac
  _describe option options
  _files
}}
compdef _majordomo majordomo
"""


def _zsh(words: dict[str, Words]) -> str:
    commands = "\n".join(f"    {_quoted(f'{n}:{each.help}')}" for n, each in words.items())
    cases = "\n".join(
        f"    {name}) options=("
        + " ".join(
            [_quoted(choice) for choice in each.choices]
            + [_quoted(f"{flag}:{option.help}") for flag, option in each.options.items()]
        )
        + ") ;;"
        for name, each in words.items()
    )
    return _ZSH.format(
        commands=commands,
        names=_NAMES,
        models=_flags(words, "model"),
        files=_flags(words, "file"),
        cases=cases,
    )


# Nothing is a file unless said so, and an option that wants a word must say that too.
_FISH_VALUES: dict[Value, str] = {
    "none": "",
    "file": " -r -F",
    "model": f" -x -a '({_NAMES})'",
    "other": " -x",
}


def _fish(words: dict[str, Words]) -> str:
    lines = ["complete -c majordomo -f"]
    for name, each in words.items():
        lines.append(
            f"complete -c majordomo -n __fish_use_subcommand -a {name} -d {_quoted(each.help)}"
        )
        seen = f"-n '__fish_seen_subcommand_from {name}'"
        if each.choices:
            lines.append(f"complete -c majordomo {seen} -a {_quoted(' '.join(each.choices))}")
        for flag, option in each.options.items():
            switch = f"-l {flag[2:]}" if flag.startswith("--") else f"-s {flag[1:]}"
            value = _FISH_VALUES[option.value]
            lines.append(f"complete -c majordomo {seen} {switch}{value} -d {_quoted(option.help)}")
    return "\n".join(lines) + "\n"


def _flags(words: dict[str, Words], value: Value) -> str:
    """Give the flags of any command that want such a value, as a shell's pattern."""
    options = [option for each in words.values() for option in each.options.items()]
    return "|".join(dict.fromkeys(flag for flag, option in options if option.value == value))


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "'"


def _plain(help: str) -> str:
    return help.replace(":", ",").replace("%", "")
