"""`majordomo traces`: what happened to requests, as the gateway recorded it."""

import argparse
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from majordomo.contract import InvalidRequest
from majordomo.trace import Trace
from majordomo.trace.sqlite import SqliteStore

from .opening import add_config, open_settings
from .terminal import Ink, Paint, paint_for


def run(arguments: Sequence[str]) -> int:
    given = parser().parse_args(arguments)
    store = SqliteStore(_file(given))
    try:
        if given.id:
            trace = store.find(given.id)
            if trace is None:
                raise InvalidRequest(f"there is no trace {given.id!r} in this file")
            traces = [trace]
        else:
            traces = store.latest(given.count, failed=given.failed)
    finally:
        store.close()
    if given.json:
        lines = [msgspec.json.encode(trace).decode() for trace in traces]
    elif given.id:
        lines = list(_whole(traces[0], paint_for(sys.stdout)))
    else:
        lines = [_line(trace, paint_for(sys.stdout)) for trace in traces]
    sys.stdout.write("".join(f"{line}\n" for line in lines))
    return 0


def parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="majordomo traces",
        description="List the latest requests, or show one with all its attempts and notes.",
        epilog="The id of a request is in its x-request-id header.",
    )
    parser.add_argument("id", nargs="?", help="show this one")
    parser.add_argument("-n", "--count", type=int, default=20, metavar="N", help="how many (20)")
    parser.add_argument("--failed", action="store_true", help="only those that were not served")
    parser.add_argument("--json", action="store_true", help="one JSON object a line")
    parser.add_argument("--file", type=Path, metavar="FILE", help="the SQLite file of the gateway")
    add_config(parser)
    return parser


def _file(given: argparse.Namespace) -> Path:
    named = given.file or open_settings(given.config).gateway.traces
    if not named:
        raise InvalidRequest(
            "no traces are kept: set `traces` under [gateway], or start the gateway with "
            "`majordomo serve --traces FILE`, and name that file with --file"
        )
    path = Path(named).expanduser()
    if not path.is_file():
        raise InvalidRequest(f"{path}: no gateway has written traces there yet")
    return path


def _line(trace: Trace, paint: Paint) -> str:
    at = time.strftime("%m-%d %H:%M:%S", time.localtime(trace.at))
    status = paint(str(trace.status), "red" if trace.status >= 400 else "green")
    tries = f" after {len(trace.attempts)} tries" if len(trace.attempts) > 1 else ""
    served = trace.served or trace.outcome
    return (
        f"{at}  {trace.id}  {status}  {trace.seconds:6.2f} s  "
        f"{trace.door:<16}  {trace.asked} → {served}{tries}"
    )


def _whole(trace: Trace, paint: Paint) -> Iterator[str]:
    yield _line(trace, paint)
    if trace.reason:
        yield f"  {paint(trace.outcome, 'red')}: {trace.reason}"
    facts = {
        "spec": trace.spec,
        "key": trace.key,
        "first byte": "" if trace.first is None else f"{trace.first:.3f} s",
        "tokens": f"{trace.usage.input} in, {trace.usage.output} out" if trace.usage.known else "",
    }
    yield from (f"  {name:<11} {fact}" for name, fact in facts.items() if fact)
    for attempt in trace.attempts:
        took = f"{attempt.ended - attempt.started:.3f} s" if attempt.ended is not None else "open"
        ink: Ink = "green" if attempt.outcome == "served" else "yellow"
        reason = f": {attempt.reason}" if attempt.reason else ""
        yield f"  attempt     {attempt.target} {took} {paint(attempt.outcome, ink)}{reason}"
    for note in trace.notes:
        yield f"  note        {note.kind} {note.what}: {note.why}"
