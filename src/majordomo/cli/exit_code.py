"""What a command's exit code means, so that a script can tell what to do about it."""

from majordomo.contract import (
    CallerFailure,
    Exhausted,
    Failure,
    PassingFailure,
    QuotaExhausted,
    TargetFailure,
    Unauthorized,
)

DONE = 0
FOUND = 1
USAGE = 2
KEY = 3
TARGET = 4
LATER = 5
INTERRUPTED = 130

MEANINGS = {
    DONE: "done",
    FOUND: "`doctor` found something wrong, or a command failed in a way of its own",
    USAGE: "what was written is wrong: the command line, a spec, a DSN, the configuration",
    KEY: "a key is missing or refused, or its money is used up",
    TARGET: "the target cannot: no such model, too long, refused by policy, not its dialect",
    LATER: "not now: rate limited, overloaded, silent or unreachable; later it may work",
    INTERRUPTED: "interrupted with Ctrl-C",
}

_BY_KIND: tuple[tuple[type[Failure], int], ...] = (
    (CallerFailure, USAGE),
    (Unauthorized, KEY),
    (QuotaExhausted, KEY),
    (TargetFailure, TARGET),
    (PassingFailure, LATER),
)


def exit_code(failure: Failure) -> int:
    """Sort a failure; of a chain in which everybody failed, the last one counts."""
    if isinstance(failure, Exhausted):
        return LATER if failure.last is None else exit_code(failure.last)
    return next((code for kind, code in _BY_KIND if isinstance(failure, kind)), FOUND)
