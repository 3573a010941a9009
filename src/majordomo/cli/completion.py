"""`majordomo completion`: a script that makes the shell complete commands, options and models."""

import argparse
import sys
from collections.abc import Sequence
from importlib import import_module

from msgspec import Struct

from .main import COMMANDS

SHELLS = ("bash", "zsh", "fish")


class Words(Struct, frozen=True, kw_only=True):
    """What may follow a command."""

    help: str
    options: dict[str, str]  # flag -> help
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
    options: dict[str, str] = {}
    choices: list[str] = []
    for action in parser._actions:  # noqa: SLF001 -- argparse has no other way to list them
        for flag in action.option_strings:
            options[flag] = action.help or ""
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
    -m|--model) COMPREPLY=($(compgen -W "$({names})" -- "$word")); return ;;
    --config|--image|--file|--schema|--tools|--traces)
      COMPREPLY=($(compgen -f -- "$word")); return ;;
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
    return _BASH.format(commands=" ".join(words), names=_NAMES, cases=cases)


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
    -m|--model) compadd -- ${{(f)"$({names})"}}; return ;;
    --config|--image|--file|--schema|--tools|--traces) _files; return ;;
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
            + [_quoted(f"{flag}:{_plain(help)}") for flag, help in each.options.items()]
        )
        + ") ;;"
        for name, each in words.items()
    )
    return _ZSH.format(commands=commands, names=_NAMES, cases=cases)


def _fish(words: dict[str, Words]) -> str:
    lines = ["complete -c majordomo -f"]
    for name, each in words.items():
        lines.append(
            f"complete -c majordomo -n __fish_use_subcommand -a {name} -d {_quoted(each.help)}"
        )
        seen = f"-n '__fish_seen_subcommand_from {name}'"
        if each.choices:
            lines.append(f"complete -c majordomo {seen} -a {_quoted(' '.join(each.choices))}")
        for flag, help in each.options.items():
            switch = f"-l {flag[2:]}" if flag.startswith("--") else f"-s {flag[1:]}"
            lines.append(f"complete -c majordomo {seen} {switch} -d {_quoted(_plain(help))}")
    lines.append(f"complete -c majordomo -s m -l model -x -a '({_NAMES})'")
    return "\n".join(lines) + "\n"


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "'"


def _plain(help: str) -> str:
    return help.replace(":", ",").replace("%", "")
