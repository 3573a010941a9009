"""What can go wrong, sorted by who can do something about it.

    Failure
    ├── CallerFailure        the request is wrong: tell the caller
    │   ├── InvalidRequest   nobody would take it
    │   └── Unsupported      this target cannot take it as it is; another may
    ├── TargetFailure        this target cannot serve it: try the next one
    │   ├── Unauthorized     401, 403: the key
    │   ├── QuotaExhausted   402, or a 429 that waiting will not cure: the money
    │   ├── ModelNotFound
    │   ├── ContextTooLong   also 413
    │   ├── ContentFiltered  refused by policy
    │   └── ProtocolBroken   it does not speak its dialect
    │       └── InvalidOutput  its answer never took the shape that was asked for
    ├── PassingFailure       this target cannot serve it *now*: wait or move on
    │   ├── RateLimited
    │   ├── Overloaded       5xx, 529
    │   ├── Timeout          silence
    │   ├── Disconnected     the connection failed or was cut
    │   └── Truncated        the stream ended without its terminator
    └── Exhausted            every target failed; carries each attempt

A codec does not know which side it stands on, so it blames nobody: it raises `Malformed`,
which the gateway turns into `InvalidRequest` and the engine into `ProtocolBroken`.
"""

from typing import TYPE_CHECKING

from .json import Json

if TYPE_CHECKING:
    from .attempt import Attempt


class Malformed(ValueError):
    """A value of the wrong shape, and where: `messages[3].content[0].source is not an object`."""

    def __init__(self, where: str, problem: str) -> None:
        super().__init__(f"{where} {problem}" if where else problem)
        self.where = where
        self.problem = problem


class Failure(Exception):
    """Base of every error this library raises on purpose."""

    def __init__(  # noqa: PLR0913 -- every one is a fact a caller may act on
        self,
        message: str,
        *,
        target: str = "",
        status: int | None = None,
        code: str = "",
        request_id: str = "",
        retry_after: float | None = None,
        parameter: str = "",
        body: Json = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.target = target
        self.status = status
        self.code = code  # the provider's own word: `insufficient_quota`
        self.request_id = request_id
        self.retry_after = retry_after  # seconds
        self.parameter = parameter  # the field it is about, where that is known
        self.body = body
        self.attempts: tuple[Attempt, ...] = ()

    def __str__(self) -> str:
        return f"{self.target}: {self.message}" if self.target else self.message


class CallerFailure(Failure): ...


class InvalidRequest(CallerFailure): ...


class Unsupported(CallerFailure): ...


class TargetFailure(Failure): ...


class Unauthorized(TargetFailure): ...


class QuotaExhausted(TargetFailure): ...


class ModelNotFound(TargetFailure): ...


class ContextTooLong(TargetFailure): ...


class ContentFiltered(TargetFailure): ...


class ProtocolBroken(TargetFailure): ...


class InvalidOutput(ProtocolBroken):
    """`text` is the last answer, word for word; `violations` say what is wrong with it."""

    def __init__(
        self, message: str, *, text: str, violations: tuple[str, ...], target: str = ""
    ) -> None:
        super().__init__(message, target=target, body=text)
        self.text = text
        self.violations = violations


class PassingFailure(Failure): ...


class RateLimited(PassingFailure): ...


class Overloaded(PassingFailure): ...


class Timeout(PassingFailure): ...


class Disconnected(PassingFailure): ...


class Truncated(PassingFailure): ...


class Exhausted(Failure):
    """Nobody in the chain served; `attempts` says what each one did."""

    def __init__(self, attempts: "tuple[Attempt, ...]", *, last: Failure | None = None) -> None:
        tried = "; ".join(f"{a.target}: {a.outcome} ({a.reason})" for a in attempts)
        super().__init__(
            f"no target served the request: {tried}" if tried else "no target to try",
            status=last.status if last else None,
            retry_after=last.retry_after if last else None,
        )
        self.attempts = attempts
        self.last = last
