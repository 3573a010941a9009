"""One request and its reply, as a line that people can read and a program can replay."""

import hashlib

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from majordomo import contract
from majordomo.contract import (
    Attempt,
    Document,
    Exhausted,
    Failure,
    Image,
    InvalidOutput,
    Json,
    JsonObject,
    Malformed,
    Message,
    Part,
    Request,
    Response,
    ToolResult,
)


class Told(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A failure as data."""

    kind: str
    message: str
    target: str = ""
    status: int | None = None
    code: str = ""
    retry_after: float | None = None
    text: str = ""  # of an answer that would not do
    violations: tuple[str, ...] = ()
    attempts: tuple[Attempt, ...] = ()
    last: "Told | None" = None  # why the last target of a chain failed


class Exchange(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """`reply` is what was said, `failure` how it ended if it did not end well."""

    model: str
    request: JsonObject
    reply: Response | None = None
    failure: Told | None = None


def readable(request: Request) -> JsonObject:
    """Say a request without what does not matter and what nobody can read.

    Handlers are code; of pictures and documents only the fingerprint is kept.
    """
    plain = replace(
        request,
        tools=tuple(replace(tool, handler=None) for tool in request.tools),
        messages=tuple(_light(message) for message in request.messages),
    )
    told: JsonObject = msgspec.json.decode(msgspec.json.encode(plain))
    return told


def told(failure: Failure) -> Told:
    last = failure.last if isinstance(failure, Exhausted) else None
    return Told(
        kind=type(failure).__name__,
        message=failure.message,
        target=failure.target,
        status=failure.status,
        code=failure.code,
        retry_after=failure.retry_after,
        text=failure.body if isinstance(failure.body, str) else "",
        violations=failure.violations if isinstance(failure, InvalidOutput) else (),
        attempts=timeless(failure.attempts),
        last=None if last is None else told(last),
    )


def failure_of(told: Told) -> Failure:
    """Make it again, as what it was."""
    failure = _again(told)
    failure.target = told.target
    failure.attempts = told.attempts
    return failure


def timeless(attempts: tuple[Attempt, ...]) -> tuple[Attempt, ...]:
    """Leave out when it was: the same recording must be the same file."""
    return tuple(replace(attempt, started=0.0, first_byte=None, ended=None) for attempt in attempts)


def write(exchange: Exchange) -> str:
    return msgspec.json.encode(exchange).decode()


def read(line: str, where: str) -> Exchange:
    try:
        return _decoder.decode(line)
    except msgspec.DecodeError as error:
        raise Malformed(where, f"is no recorded exchange: {error}") from error


_decoder = msgspec.json.Decoder(Exchange)


def _again(told: Told) -> Failure:
    kind: object = getattr(contract, told.kind, None)
    if kind is Exhausted:
        last = None if told.last is None else failure_of(told.last)
        return Exhausted(told.attempts, last=last)
    if kind is InvalidOutput:
        return InvalidOutput(told.message, text=told.text, violations=told.violations)
    known = kind if isinstance(kind, type) and issubclass(kind, Failure) else Failure
    return known(
        told.message,
        status=told.status,
        code=told.code,
        retry_after=told.retry_after,
        body=told.text or None,
    )


def _light(message: Message) -> Message:
    return replace(message, parts=tuple(map(_light_part, message.parts)))


def _light_part(part: Part) -> Part:
    match part:
        case Image() | Document():
            return replace(part, data=_fingerprint(part.data))
        case ToolResult():
            return replace(part, content=tuple(map(_light_part, part.content)))
        case _:
            return part


def _fingerprint(data: bytes) -> bytes:
    return hashlib.sha256(data).digest()


def pretty(value: Json) -> list[str]:
    """Spell JSON out line by line, for a diff."""
    return msgspec.json.format(msgspec.json.encode(value), indent=2).decode().splitlines()
