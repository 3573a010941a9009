"""A target that keeps failing is left alone for a while, and let back in by one probe."""

from majordomo.route.health import Cooldown, Health, HealthBook

COOLDOWN = Cooldown(threshold=2, base=10.0, cap=35.0, long=500.0, longest=1000.0)
T = "a/x"


def benched(book: HealthBook, now: float) -> HealthBook:
    book.failed(T, now, count=COOLDOWN.threshold)
    return book


def test_failures_below_the_threshold_change_nothing() -> None:
    book = HealthBook(COOLDOWN)
    book.failed(T, 0.0)
    assert book.usable(T, 0.0)
    assert book.enter(T, 0.0) == 0


def test_the_threshold_benches() -> None:
    book = HealthBook(COOLDOWN)
    book.failed(T, 0.0)
    book.failed(T, 1.0)
    assert not book.usable(T, 1.0)
    assert not book.usable(T, 10.9)
    assert book.usable(T, 11.0)


def test_success_resets_the_count() -> None:
    book = HealthBook(COOLDOWN)
    book.failed(T, 0.0)
    book.succeeded(T)
    book.failed(T, 1.0)
    assert book.usable(T, 1.0)


def test_the_cooldown_doubles_up_to_its_cap_and_starts_over_after_success() -> None:
    book = HealthBook(COOLDOWN)
    now, rests = 0.0, list[float]()
    for _ in range(4):
        benched(book, now)
        rests.append(book.of(T).until - now)
        now = book.of(T).until
    assert rests == [10.0, 20.0, 35.0, 35.0]
    book.succeeded(T)
    benched(book, now)
    assert book.of(T).until == now + 10.0


def test_retry_after_lengthens_a_cooldown_and_never_shortens_it() -> None:
    assert Health().failed(0.0, COOLDOWN, count=2, retry_after=50.0).until == 50.0
    assert Health().failed(0.0, COOLDOWN, count=2, retry_after=1.0).until == 10.0
    assert Health().failed(0.0, COOLDOWN, count=2, retry_after=1e9).until == 1000.0


def test_retry_after_alone_does_not_bench() -> None:
    assert Health().failed(0.0, COOLDOWN, retry_after=50.0).usable(0.0)


def test_used_up_credit_benches_at_once_and_for_long() -> None:
    assert Health().failed(0.0, COOLDOWN, retry_after=500.0, at_once=True).until == 500.0


def test_one_outage_is_not_punished_once_per_request() -> None:
    book = benched(HealthBook(COOLDOWN), 0.0)
    for _ in range(50):
        book.failed(T, 5.0)
    assert book.of(T).until == 10.0
    book.failed(T, 5.0, retry_after=60.0)
    assert book.of(T).until == 65.0


def test_one_probe_is_let_through() -> None:
    book = benched(HealthBook(COOLDOWN), 0.0)
    ticket = book.enter(T, 10.0)
    assert ticket
    assert book.of(T).state(10.0) == "probing"
    assert not book.usable(T, 10.0)
    assert book.enter(T, 10.0) == 0


def test_a_probe_that_fails_doubles_the_cooldown_whatever_the_threshold() -> None:
    book = benched(HealthBook(COOLDOWN), 0.0)
    ticket = book.enter(T, 10.0)
    book.failed(T, 12.0)
    book.leave(T, ticket)
    assert book.of(T).state(12.0) == "benched"
    assert book.of(T).until == 32.0


def test_a_probe_without_a_verdict_leaves_its_place_to_the_next() -> None:
    book = benched(HealthBook(COOLDOWN), 0.0)
    book.leave(T, book.enter(T, 10.0))
    assert book.of(T).state(10.0) == "returning"


def test_an_old_probe_does_not_free_the_place_of_a_new_one() -> None:
    book = benched(HealthBook(COOLDOWN), 0.0)
    old = book.enter(T, 10.0)
    book.failed(T, 11.0)  # a straggler of another request benches it again
    book.leave(T, old)
    new = book.enter(T, book.of(T).until)
    book.leave(T, old)
    assert new
    assert book.of(T).probe == new


def test_health_is_per_target() -> None:
    book = benched(HealthBook(COOLDOWN), 0.0)
    assert book.usable("a/y", 0.0)


def test_a_snapshot_says_how_everyone_is() -> None:
    book = benched(HealthBook(COOLDOWN), 0.0)
    book.failed("b/y", 0.0)
    states = {report.target: report.state for report in book.snapshot(4.0, [T, "b/y", "c/z"])}
    assert states == {T: "benched", "b/y": "healthy", "c/z": "healthy"}
    assert {report.target: report.returns_in for report in book.snapshot(4.0)} == {
        T: 6.0,
        "b/y": 0.0,
    }
