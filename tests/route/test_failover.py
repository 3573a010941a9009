"""What the decisions add to the table: health, deadlines, racing, taking an answer up again."""

import pytest

from majordomo.contract import (
    ContentFiltered,
    Disconnected,
    InvalidRequest,
    Overloaded,
    QuotaExhausted,
    RateLimited,
    Timeout,
    Truncated,
    Unsupported,
)
from majordomo.route import Cooldown, Failover, GiveUp, HealthBook, Patience, Try, Wait

A, B, C = "a/x", "b/y", "c/z"
BUSY = Overloaded("busy", status=503)
CUT = Truncated("cut")


def benched(book: HealthBook, *targets: str, now: float = 0.0) -> HealthBook:
    for position, target in enumerate(targets):
        book.failed(target, now + position, count=3)
    return book


def fail(failover: Failover, target: str, now: float = 0.0) -> None:
    """Fail a target in a way that is not tried again."""
    assert failover.decide(now) == Try(target)
    failover.failed(target, Timeout("silence"), now)


def test_the_primary_serves_while_it_is_well() -> None:
    failover = Failover((A, B), HealthBook(), now=0.0)
    assert failover.decide(0.0) == Try(A)


def test_a_benched_target_is_passed_over() -> None:
    failover = Failover((A, B), benched(HealthBook(), A), now=1.0)
    assert failover.decide(1.0) == Try(B)


def test_after_its_cooldown_the_primary_is_probed_by_one_request_only() -> None:
    book = benched(HealthBook(), A)
    first, second = (Failover((A, B), book, now=6.0) for _ in range(2))
    assert first.decide(6.0) == Try(A)
    assert second.decide(6.0) == Try(B)


def test_a_probe_is_one_try_whatever_the_table_allows() -> None:
    failover = Failover((A, B), benched(HealthBook(), A), now=6.0)
    assert failover.decide(6.0) == Try(A)
    failover.failed(A, BUSY, 6.0)
    assert failover.decide(6.0) == Try(B)


def test_if_everything_is_benched_the_one_that_returns_soonest_is_tried_first() -> None:
    failover = Failover((A, B, C), benched(HealthBook(), C, B, A), now=3.0)
    for target in (C, B, A):
        assert failover.decide(3.0) == Try(target)
        failover.failed(target, BUSY, 3.0)  # once each: no retries at a door known to be shut
    assert failover.decide(3.0) == GiveUp(BUSY)


def test_a_chain_of_one_is_benched_too() -> None:
    book = HealthBook()
    first = Failover((A,), book, Patience(backoff=0.0), now=0.0)
    for _ in range(3):
        assert first.decide(0.0) == Try(A)
        first.failed(A, BUSY, 0.0)
    assert book.of(A).state(0.0) == "benched"
    second = Failover((A,), book, now=1.0)
    assert second.decide(1.0) == Try(A)
    second.failed(A, BUSY, 1.0)
    assert second.decide(1.0) == GiveUp(BUSY)


def test_a_long_retry_after_is_not_waited_for_and_benches_until_then() -> None:
    book = HealthBook()
    failover = Failover((A, B), book, now=0.0)
    failover.decide(0.0)
    failover.failed(A, RateLimited("slow", status=429, retry_after=60.0), 0.0)
    assert failover.decide(0.0) == Try(B)
    assert book.of(A).until == 60.0


def test_used_up_credit_takes_the_long_cooldown_at_once() -> None:
    book = HealthBook(Cooldown(long=900.0))
    failover = Failover((A, B), book, now=0.0)
    failover.decide(0.0)
    failover.failed(A, QuotaExhausted("no credit", status=429), 0.0)
    assert book.of(A).until == 900.0


def test_success_on_a_retry_leaves_no_trace() -> None:
    book = HealthBook()
    failover = Failover((A, B), book, Patience(backoff=0.0), now=0.0)
    failover.decide(0.0)
    failover.failed(A, BUSY, 0.0)
    assert failover.decide(0.0) == Try(A)
    failover.served(A)
    assert book.snapshot(0.0) == ()


def test_a_retry_is_given_up_when_others_bench_the_target_meanwhile() -> None:
    book = HealthBook()
    failover = Failover((A, B), book, now=0.0)
    failover.decide(0.0)
    failover.failed(A, BUSY, 0.0)
    assert isinstance(failover.decide(0.0), Wait)
    benched(book, A)
    assert failover.decide(1.0) == Try(B)


def test_retries_can_be_turned_off() -> None:
    failover = Failover((A, B), HealthBook(), Patience(retries=0), now=0.0)
    failover.decide(0.0)
    failover.failed(A, BUSY, 0.0)
    assert failover.decide(0.0) == Try(B)


def test_a_parameter_that_cannot_be_dropped_is_not_sent_again() -> None:
    failover = Failover((A, B), HealthBook(), now=0.0)
    failover.decide(0.0)
    failover.failed(A, Unsupported("no vision", status=400), 0.0, droppable=False)
    assert failover.decide(0.0) == Try(B)


def test_a_policy_refusal_may_be_left_to_the_next_to_judge() -> None:
    failover = Failover((A, B), HealthBook(), Patience(filtered_next=True), now=0.0)
    failover.decide(0.0)
    failover.failed(A, ContentFiltered("policy", status=400), 0.0)
    assert failover.decide(0.0) == Try(B)


def test_the_total_deadline_ends_it() -> None:
    failover = Failover((A, B), HealthBook(), Patience(total=10.0), now=0.0)
    assert failover.deadline == 10.0
    fail(failover, A)
    decision = failover.decide(10.0)
    assert isinstance(decision, GiveUp)
    assert isinstance(decision.failure, Timeout)


def test_a_wait_that_would_outlast_the_deadline_is_not_begun() -> None:
    failover = Failover((A, B), HealthBook(), Patience(total=1.0), now=0.0)
    failover.decide(0.0)
    failover.failed(A, RateLimited("slow", status=429, retry_after=2.0), 0.0)
    assert failover.decide(0.0) == Try(B)


def test_the_next_target_is_started_beside_a_slow_one() -> None:
    book = HealthBook()
    failover = Failover((A, B), book, Patience(first_token=8.0), now=0.0)
    failover.decide(0.0)
    assert failover.hedge(8.0) == Try(B)
    assert failover.hedge(8.0) is None
    failover.lost(A, 9.0)
    failover.served(B)
    assert book.of(A).failures == 1


def test_coming_second_is_no_failure() -> None:
    book = HealthBook()
    failover = Failover((A, B), book, Patience(first_token=8.0), now=0.0)
    failover.decide(0.0)
    failover.hedge(8.0)
    failover.lost(B, 9.0)
    failover.served(A)
    assert book.snapshot(9.0) == ()


@pytest.mark.parametrize(
    ("patience", "thinks", "seconds"),
    [
        (Patience(), False, 10.0),
        (Patience(), True, 60.0),
        (Patience(first_token=2.0), True, 60.0),
        (Patience(first_token=90.0), True, 90.0),
        (Patience(thinking=None), True, None),
        (Patience(thinking=None), False, 10.0),
        (Patience(first_token=None), True, None),
        (Patience(first_token=None), False, None),
    ],
)
def test_one_that_thinks_first_has_more_time_for_its_first_word(
    patience: Patience, seconds: float | None, *, thinks: bool
) -> None:
    assert patience.first_word(thinks=thinks) == seconds


def test_thinking_for_long_is_no_failure() -> None:
    book = HealthBook()
    failover = Failover((A, B), book, Patience(first_token=8.0, thinking=30.0), now=0.0)
    failover.decide(0.0)
    assert not failover.lost(A, 29.0, thinks=True)
    assert book.snapshot(29.0) == ()


def test_a_benched_target_is_not_started_beside_a_slow_one() -> None:
    failover = Failover((A, B), benched(HealthBook(), B), now=0.0)
    failover.decide(0.0)
    assert failover.hedge(1.0) is None


def test_a_probe_that_is_left_makes_room() -> None:
    book = benched(HealthBook(), A)
    failover = Failover((A, B), book, now=6.0)
    failover.decide(6.0)
    failover.left(A)
    assert book.usable(A, 6.0)


class TestTakingUpAnAnswer:
    def cut(self, *targets: str, patience: Patience | None = None) -> Failover:
        failover = Failover(targets, HealthBook(), patience or Patience(), now=0.0)
        assert failover.decide(0.0) == Try(A)
        failover.failed(A, CUT, 0.0, sent="text")
        return failover

    def test_the_next_target_is_asked_first(self) -> None:
        assert self.cut(A, B).decide(0.0) == Try(B, "splice")

    def test_the_same_target_is_asked_when_it_is_the_only_one(self) -> None:
        assert self.cut(A).decide(0.0) == Try(A, "splice")

    def test_a_target_that_says_something_else_may_be_asked_to_go_on(self) -> None:
        failover = self.cut(A, B)
        failover.decide(0.0)
        failover.mismatched(B, goes_on=True)
        assert failover.decide(0.0) == Try(B, "continue")

    def test_a_refused_continuation_never_surfaces(self) -> None:
        failover = self.cut(A, B)
        failover.decide(0.0)
        failover.mismatched(B, goes_on=True)
        failover.decide(0.0)
        failover.failed(B, InvalidRequest("no prefill", status=400), 0.0)
        assert failover.decide(0.0) == Try(A, "splice")
        failover.mismatched(A, goes_on=False)
        assert failover.decide(0.0) == GiveUp(CUT)

    def test_a_second_cut_is_taken_up_as_well(self) -> None:
        failover = self.cut(A, B)
        failover.decide(0.0)
        failover.failed(B, Disconnected("again"), 0.0, sent="text")
        assert failover.decide(0.0) == Try(A, "splice")

    def test_a_silent_completer_gets_company_from_the_one_that_broke_off(self) -> None:
        failover = self.cut(A, B)
        assert failover.decide(0.0) == Try(B, "splice")
        assert failover.can_hedge(10.0)
        assert failover.hedge(10.0) == Try(A, "splice")
        assert not failover.can_hedge(20.0)
        assert failover.hedge(20.0) is None

    def test_it_ends(self) -> None:
        failover, now = self.cut(A, patience=Patience(resumes=3)), 0.0
        tries = 0
        while not isinstance(decision := failover.decide(now), GiveUp):
            if isinstance(decision, Wait):
                now += decision.seconds
                continue
            tries += 1
            failover.failed(A, BUSY, now)
        assert tries == 3
        assert decision.failure is CUT
        assert now > 0.0  # it did not hammer

    def test_what_cannot_be_repeated_ends_it(self) -> None:
        failover = Failover((A, B), HealthBook(), now=0.0)
        failover.decide(0.0)
        failover.failed(A, CUT, 0.0, sent="more")
        assert failover.decide(0.0) == GiveUp(CUT)

    def test_a_target_that_cannot_take_the_request_is_not_asked_to_complete_it(self) -> None:
        failover = Failover((A, B), HealthBook(), now=0.0)
        failover.decide(0.0)
        failover.failed(A, Unsupported("no vision"), 0.0)
        assert failover.decide(0.0) == Try(B)
        failover.failed(B, CUT, 0.0, sent="text")
        assert failover.decide(0.0) == Try(B, "splice")

    @pytest.mark.parametrize("failure", [InvalidRequest(""), ContentFiltered("")])
    def test_a_verdict_in_the_middle_is_final(self, failure: InvalidRequest) -> None:
        failover = Failover((A, B), HealthBook(), now=0.0)
        failover.decide(0.0)
        failover.failed(A, failure, 0.0, sent="text")
        assert failover.decide(0.0) == GiveUp(failure, everyone=False)
