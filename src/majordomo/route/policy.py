"""What to do about each kind of failure: the table, and the sorting of failures into its rows."""

from typing import Literal, TypeAlias

from msgspec import Struct

from majordomo.contract import (
    ContentFiltered,
    ContextTooLong,
    Failure,
    InvalidOutput,
    InvalidRequest,
    ModelNotFound,
    ProtocolBroken,
    QuotaExhausted,
    Timeout,
    Truncated,
    Unauthorized,
    Unsupported,
)

Happening: TypeAlias = Literal[
    "misfit",
    "rate_limited_briefly",
    "passing",
    "silence",
    "refused",
    "quota",
    "too_long",
    "cannot",
    "invalid",
    "filtered",
    "broken_early",
    "broken_late",
]


class Rule(Struct, frozen=True, kw_only=True):
    """One row: `again` more tries of the same target, then a penalty, then who is next."""

    what: str
    again: int = 0
    wait: Literal["none", "retry_after", "backoff"] = "none"
    penalty: Literal["none", "failure", "long"] = "none"
    then: Literal["next", "stop", "resume"] = "next"


class Patience(Struct, frozen=True, kw_only=True):
    """How long and how often one request is tried. Seconds; None means no limit."""

    retries: int = 2  # of the same target; the table may allow fewer
    retry_after: float = 3.0  # a stated wait up to this is waited out, a longer one is not
    backoff: float = 0.5  # before the first retry; doubles
    backoff_cap: float = 4.0
    first_token: float | None = 10.0  # then the next target is started beside the slow one
    thinking: float | None = 60.0  # the same for a target that thinks first, if it is longer
    silence: float | None = 300.0  # a local model may read a long prompt for minutes
    idle: float | None = 30.0  # a reply that has begun and stops for this long has stalled
    total: float | None = None  # for the whole request, all targets together
    resumes: int = 3  # tries to complete an answer that was cut
    filtered_next: bool = False  # let the next target judge what one refused by policy

    def first_word(self, *, thinks: bool) -> float | None:
        """Say how long a target may be silent before the next one is started beside it."""
        if not thinks or self.first_token is None:
            return self.first_token
        return None if self.thinking is None else max(self.first_token, self.thinking)

    def wait(self, retries: int, jitter: float) -> float:
        """Back off before a retry; `jitter` in [0, 1) spreads clients over half the wait."""
        return min(self.backoff * 2.0**retries, self.backoff_cap) * (0.5 + jitter / 2)


DEFAULT_PATIENCE = Patience()

# The code of a failure that says: asked as often as makes sense, it never gave what was wanted.
UNUSABLE = "unusable_answer"

TABLE: dict[Happening, Rule] = {
    "misfit": Rule(what="cannot fit (no vision, image cannot be made small enough, …)"),
    "rate_limited_briefly": Rule(
        what="429 or 5xx with Retry-After within patience (default 3 s)",
        again=1,
        wait="retry_after",
        penalty="failure",
    ),
    "passing": Rule(
        what="429 otherwise, 408, 5xx, 529, reset before headers",
        again=2,
        wait="backoff",
        penalty="failure",
    ),
    "silence": Rule(what="silence (no headers, no first token in time)", penalty="failure"),
    "refused": Rule(what="401, 403, 404 model", penalty="failure"),
    "quota": Rule(what="402, quota or credit used up (also when it comes as 429)", penalty="long"),
    "too_long": Rule(what="context too long, 413"),
    "cannot": Rule(
        what="400 that says this model cannot (parameter, value, vision, tools)", again=1
    ),
    "invalid": Rule(what="invalid request (400, 422)", then="stop"),
    "filtered": Rule(what="content filter, refusal by policy", then="stop"),
    "broken_early": Rule(
        what="stream cut, stalled or malformed before anything was sent",
        again=2,
        wait="backoff",
        penalty="failure",
    ),
    "broken_late": Rule(
        what="stream cut, stalled or malformed after something was sent",
        penalty="failure",
        then="resume",
    ),
}

# Rows that would end the same way if the same target were asked the same again.
REPEATS: frozenset[Happening] = frozenset(
    {"misfit", "refused", "quota", "too_long", "cannot", "invalid", "filtered"}
)

_BY_KIND: tuple[tuple[type[Failure], Happening], ...] = (
    (InvalidRequest, "invalid"),
    (ContentFiltered, "filtered"),
    (QuotaExhausted, "quota"),
    (Unauthorized, "refused"),
    (ModelNotFound, "refused"),
    (ContextTooLong, "too_long"),
    (Timeout, "silence"),
    (Truncated, "broken_early"),
    (ProtocolBroken, "broken_early"),
)


def happening(failure: Failure, *, spoken: bool, patience: Patience) -> Happening:
    """Sort one failure into its row; `spoken` says whether anything of it was sent on."""
    if isinstance(failure, InvalidOutput) and spoken:
        return "invalid"  # the answer was whole; nobody can go on from it
    row = _row(failure)
    if spoken:
        return row if row in {"invalid", "filtered"} else "broken_late"
    if row == "passing" and failure.retry_after is not None:
        return "rate_limited_briefly" if failure.retry_after <= patience.retry_after else row
    return row


def _row(failure: Failure) -> Happening:
    if failure.code == UNUSABLE:
        return "misfit"
    if isinstance(failure, Unsupported):  # by fit, before anything was sent, or by the target
        return "misfit" if failure.status is None else "cannot"
    for kind, row in _BY_KIND:
        if isinstance(failure, kind):
            return row
    return "passing"
