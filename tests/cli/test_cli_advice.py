"""A failure as it is told: who was tried, how often, and what to do."""

import pytest

from majordomo.cli.advice import advice, told
from majordomo.contract import (
    Attempt,
    ContextTooLong,
    Disconnected,
    Exhausted,
    Failure,
    InvalidRequest,
    ModelNotFound,
    Overloaded,
    ProtocolBroken,
    QuotaExhausted,
    RateLimited,
    Timeout,
    Unauthorized,
)


def attempt(target: str, outcome: str, reason: str) -> Attempt:
    return Attempt(target=target, started=0.0, outcome=outcome, reason=reason)


def test_everybody_who_was_tried_is_listed_once() -> None:
    attempts = (
        attempt("a/x", "Disconnected", "cannot connect"),
        attempt("a/x", "Disconnected", "cannot connect"),
        attempt("b/y", "Unauthorized", "bad key"),
    )
    last = Unauthorized("bad key", target="b/y", status=401)
    assert told(Exhausted(attempts, last=last)).splitlines() == [
        "majordomo: no target served the request",
        "  a/x  Disconnected: cannot connect, 2 times",
        "  b/y  Unauthorized: bad key",
        "  → check the key of b: its usual variable, or the part before the @ in LLM_B",
    ]


def test_one_target_alone_is_told_in_one_line() -> None:
    attempts = (attempt("a/x", "Overloaded", "busy"),) * 3
    last = Overloaded("busy", target="a/x", status=503)
    first, todo = told(Exhausted(attempts, last=last)).splitlines()
    assert first == "majordomo: a/x: busy (503), 3 times"
    assert todo == "  → try again, or add another target: a/x,other/x"


def test_nobody_to_try_is_said() -> None:
    assert told(Exhausted(())) == "majordomo: there is no target to try\n"


def test_a_request_a_target_refuses_is_the_callers() -> None:
    failure = InvalidRequest("max_tokens is too large", target="a/x", status=400)
    assert told(failure) == "majordomo: a/x refuses: max_tokens is too large\n"


KINDS: dict[str, tuple[Failure, str]] = {
    "money": (QuotaExhausted("no", target="my-box/m"), "top up the account of my-box"),
    "model": (ModelNotFound("no", target="my-box/m"), "`majordomo models my-box`"),
    "length": (ContextTooLong("no", target="my-box/m"), "a longer context: my-box/m,other/x"),
    "rate": (RateLimited("no", target="my-box/m"), "wait, or add another target"),
    "silence": (Timeout("no", target="my-box/m"), "`timeout=` in LLM_MY_BOX"),
    "network": (Disconnected("no", target="my-box/m"), "`majordomo doctor my-box/m`"),
    "protocol": (ProtocolBroken("no", target="my-box/m"), "`majordomo probe my-box/m`"),
    "a message that says it": (ModelNotFound("run `majordomo local pull`", target="a/b"), ""),
}


@pytest.mark.parametrize(("failure", "words"), KINDS.values(), ids=KINDS.keys())
def test_advice_names_what_to_do_and_where(failure: Failure, words: str) -> None:
    said = advice(failure)
    assert words in said if words else said == ""
