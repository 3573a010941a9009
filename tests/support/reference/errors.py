"""The page about errors: the tree from its docstring, and what the eight common ones say."""

import inspect
import textwrap
from collections.abc import Iterator

from majordomo import contract
from majordomo.cli.exit_code import exit_code
from majordomo.contract import Exhausted, Failure
from majordomo.contract import error as error_module
from support.mistakes import MISTAKES

from .field import code, table


def page() -> str:
    return "\n".join(_lines()) + "\n"


def _lines() -> Iterator[str]:
    yield "# Errors"
    yield ""
    yield "<!-- Made by `make reference` from the source and the tests; a test compares. -->"
    yield ""
    yield "Every failure is sorted by who can do something about it."
    yield ""
    yield "```text"
    yield from _tree()
    yield "```"
    yield ""
    yield "Each carries `target`, `status`, `code` (the provider's own word), `request_id`,"
    yield "`retry_after` in seconds, `parameter`, `body` and `attempts`."
    yield ""
    yield "## In the terminal"
    yield ""
    kinds = [
        kind
        for name in contract.__all__
        if isinstance(kind := getattr(contract, name), type) and issubclass(kind, Failure)
    ]
    lines = [
        (code(kind.__name__), str(exit_code(kind.__new__(kind))))
        for kind in sorted(kinds, key=lambda kind: kind.__name__)
        if kind is not Exhausted
    ]
    lines.append((code("Exhausted"), "that of the last target's failure"))
    yield from table(("failure", "exit code"), lines)
    yield ""
    yield "## What people meet"
    yield ""
    yield "Each of these is planted by the tests: the command says it, and `majordomo doctor` finds"
    yield "it and says the fix."
    yield ""
    yield from table(
        ("mistake", "what is said, in part", "exit code", "what `doctor` advises"),
        [
            (name, " … ".join(mistake.said), str(mistake.code), mistake.fix)
            for name, mistake in MISTAKES.items()
        ],
    )


def _tree() -> Iterator[str]:
    text = inspect.getdoc(error_module) or ""
    lines = text.splitlines()
    tree = [line for line in lines if line.strip().startswith(("Failure", "├", "│", "└"))]
    yield from textwrap.dedent("\n".join(tree)).splitlines()
