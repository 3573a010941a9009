"""`majordomo probe`: finds out by small calls what an endpoint really supports."""

import argparse
import asyncio
import sys
from collections.abc import Sequence

import msgspec

from majordomo.config.env import variable_of
from majordomo.contract import InvalidRequest
from majordomo.engine.outside import Outside
from majordomo.engine.target import Target

from .opening import add_config, open_registry, open_settings
from .probing import Answer, bare, dsn, has_dsn, options, probe
from .terminal import Ink, Paint, paint_for

_INKS: dict[str, Ink] = {"yes": "green", "no": "red", "unclear": "yellow"}


def run(arguments: Sequence[str]) -> int:
    given = parser().parse_args(arguments)
    targets = open_registry(open_settings(given.config)).parse(given.target).targets
    if len(targets) != 1:
        raise InvalidRequest("one target at a time: name it as provider/model-id")
    if sys.stderr.isatty():
        sys.stderr.write(f"asking {targets[0].name} about twenty small things ...\n")
    target, answers = asyncio.run(_probed(targets[0]))
    # Against what is set now, and against what a DSN without options would mean.
    news = options(answers, target, targets[0])
    changed = options(answers, *bare(target)) if news else {}
    if given.json:
        found = {"target": target.name, "answers": answers, "options": changed}
        sys.stdout.write(msgspec.json.encode(found).decode() + "\n")
    else:
        sys.stdout.write(_page(target, answers, changed, paint_for(sys.stdout)))
    return 0


def parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="majordomo probe",
        description="Find out what an endpoint supports, and the DSN options that say so.",
        epilog="It makes some twenty calls of a few tokens each.",
    )
    parser.add_argument("target", help="provider/model-id")
    parser.add_argument("--json", action="store_true", help="the findings as one JSON object")
    add_config(parser)
    return parser


async def _probed(target: Target) -> tuple[Target, tuple[Answer, ...]]:
    outside = Outside()
    try:
        return await probe(target, outside)
    finally:
        await outside.aclose()


def _page(
    target: Target, answers: tuple[Answer, ...], changed: dict[str, str], paint: Paint
) -> str:
    lines = [paint(target.name, "bold")]
    lines += [
        f"  {answer.name:<22} {paint(f'{answer.verdict:<8}', _INKS[answer.verdict])} {answer.said}"
        for answer in answers
    ]
    if changed and not has_dsn(target):
        lines += ["", f"It has no DSN to set this in: {changed}"]
    elif changed:
        lines += [
            "",
            "It is taken for something else. Paste this, with any other options you have set:",
            "",
        ]
        lines.append(f"  {variable_of(target.provider.name)}='{dsn(target, changed)}'")
    else:
        lines += ["", "All of that is what majordomo assumes already: nothing to set."]
    return "\n".join(lines) + "\n"
