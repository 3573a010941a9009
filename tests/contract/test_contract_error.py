"""Errors are sorted by who can act, and say everything an actor needs."""

import pytest

from majordomo import contract
from majordomo.contract import (
    Attempt,
    CallerFailure,
    Exhausted,
    Failure,
    Malformed,
    PassingFailure,
    RateLimited,
    TargetFailure,
)

SORTS = (CallerFailure, TargetFailure, PassingFailure, Exhausted)


def test_every_failure_has_one_who_can_act() -> None:
    failures = [
        value
        for name in contract.__all__
        if isinstance(value := getattr(contract, name), type) and issubclass(value, Failure)
    ]
    assert len(failures) > 15
    for failure in failures:
        assert failure is Failure or sum(issubclass(failure, sort) for sort in SORTS) == 1


def test_a_failure_says_where_and_what() -> None:
    failure = RateLimited("slow down", target="up/m", status=429, retry_after=2.0, request_id="r")
    assert str(failure) == "up/m: slow down"
    assert (failure.status, failure.retry_after, failure.request_id) == (429, 2.0, "r")


def test_exhausted_names_every_attempt() -> None:
    attempts = (
        Attempt(target="a/x", started=0.0, outcome="RateLimited", reason="busy"),
        Attempt(target="b/y", started=1.0, outcome="Timeout", reason="no first token in 5 s"),
    )
    failure = Exhausted(attempts, last=RateLimited("busy", status=429, retry_after=3.0))
    assert "a/x: RateLimited (busy); b/y: Timeout (no first token in 5 s)" in str(failure)
    assert (failure.attempts, failure.status, failure.retry_after) == (attempts, 429, 3.0)


def test_malformed_names_the_place() -> None:
    with pytest.raises(Malformed, match=r"^messages\[3\]\.content is not a list$"):
        raise Malformed("messages[3].content", "is not a list")
