"""The table of failures, row by row: same target again, penalty, next target."""

from typing import Literal

import pytest
from msgspec import Struct

from majordomo.contract import (
    ContentFiltered,
    ContextTooLong,
    Disconnected,
    Failure,
    InvalidRequest,
    ModelNotFound,
    Overloaded,
    ProtocolBroken,
    QuotaExhausted,
    RateLimited,
    Timeout,
    Truncated,
    Unauthorized,
    Unsupported,
)
from majordomo.route import (
    TABLE,
    UNUSABLE,
    Failover,
    GiveUp,
    Happening,
    HealthBook,
    Patience,
    Sent,
    Try,
    Wait,
)
from majordomo.route import happening as row_of

PATIENCE = Patience()
A, B = "a/x", "b/y"


class Row(Struct, frozen=True, kw_only=True):
    failure: Failure
    tries: int = 1  # of the first target, all failing alike
    waits: tuple[float, ...] = ()  # between them, with the jitter at its highest
    failures: int = 0  # held against it
    then: Literal["next", "stop", "resume"] = "next"
    sent: Sent = "nothing"
    droppable: bool = False


ROWS: dict[Happening, Row] = {
    "misfit": Row(failure=Unsupported("no vision")),
    "rate_limited_briefly": Row(
        failure=RateLimited("slow", status=429, retry_after=2.0), tries=2, waits=(2.0,), failures=2
    ),
    "passing": Row(failure=Overloaded("busy", status=503), tries=3, waits=(0.5, 1.0), failures=3),
    "silence": Row(failure=Timeout("no first token"), failures=1),
    "refused": Row(failure=Unauthorized("who are you?", status=401), failures=1),
    "quota": Row(failure=QuotaExhausted("no credit", status=429), failures=1),
    "too_long": Row(failure=ContextTooLong("too long", status=400)),
    "cannot": Row(failure=Unsupported("no tools", status=400), tries=2, waits=(), droppable=True),
    "invalid": Row(failure=InvalidRequest("nonsense", status=422), then="stop"),
    "filtered": Row(failure=ContentFiltered("policy", status=400), then="stop"),
    "broken_early": Row(failure=Truncated("cut"), tries=3, waits=(0.5, 1.0), failures=3),
    "broken_late": Row(failure=Truncated("cut"), failures=1, then="resume", sent="text"),
}


@pytest.mark.parametrize("happening", TABLE)
def test_row(happening: Happening) -> None:
    row, book, now = ROWS[happening], HealthBook(), 100.0
    assert row_of(row.failure, spoken=row.sent != "nothing", patience=PATIENCE) == happening
    failover = Failover((A, B), book, PATIENCE, now=now)
    tries, waits = 0, list[float]()
    while (decision := failover.decide(now)) == Try(A) or isinstance(decision, Wait):
        if isinstance(decision, Wait):
            waits.append(decision.seconds)
            now += decision.seconds
            continue
        tries += 1
        failover.failed(A, row.failure, now, jitter=1.0, sent=row.sent, droppable=row.droppable)
    assert tries == row.tries
    assert waits == pytest.approx(row.waits)
    assert book.of(A).failures == row.failures
    match row.then:
        case "next":
            assert decision == Try(B)
        case "resume":
            assert decision == Try(B, "splice")
        case "stop":
            assert decision == GiveUp(row.failure, everyone=False)


def test_every_row_has_its_test() -> None:
    assert list(ROWS) == list(TABLE)


@pytest.mark.parametrize("happening", TABLE)
def test_the_row_says_what_its_test_shows(happening: Happening) -> None:
    rule, row = TABLE[happening], ROWS[happening]
    assert rule.again == row.tries - 1
    assert rule.then == row.then
    assert (rule.penalty != "none") == (row.failures > 0)


SORTED: dict[str, tuple[Failure, Happening]] = {
    "429 alone": (RateLimited("", status=429), "passing"),
    "429 with a long Retry-After": (RateLimited("", status=429, retry_after=60.0), "passing"),
    "503 with a short Retry-After": (
        Overloaded("", status=503, retry_after=1.0),
        "rate_limited_briefly",
    ),
    "408": (Overloaded("", status=408), "passing"),
    "529": (Overloaded("", status=529), "passing"),
    "reset before headers": (Disconnected("reset"), "passing"),
    "403": (Unauthorized("", status=403), "refused"),
    "404 model": (ModelNotFound("", status=404), "refused"),
    "402": (QuotaExhausted("", status=402), "quota"),
    "413": (ContextTooLong("", status=413), "too_long"),
    "never what was wanted": (ProtocolBroken("", code=UNUSABLE), "misfit"),
    "gibberish": (ProtocolBroken("event 3 is not JSON"), "broken_early"),
}


@pytest.mark.parametrize(("failure", "happening"), SORTED.values(), ids=SORTED.keys())
def test_a_failure_is_sorted(failure: Failure, happening: Happening) -> None:
    assert row_of(failure, spoken=False, patience=PATIENCE) == happening


LATE = [Overloaded("", status=529), Timeout("stalled"), Disconnected(""), ProtocolBroken("")]


@pytest.mark.parametrize("failure", LATE, ids=lambda failure: type(failure).__name__)
def test_whatever_breaks_an_answer_that_has_begun_is_one_row(failure: Failure) -> None:
    assert row_of(failure, spoken=True, patience=PATIENCE) == "broken_late"


def test_a_policy_refusal_in_the_middle_of_an_answer_is_still_one() -> None:
    assert row_of(ContentFiltered(""), spoken=True, patience=PATIENCE) == "filtered"
