"""One request and its reply, as a line that people can read and a program can replay."""

import hashlib

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from majordomo import contract
from majordomo.contract import (
    Attempt,
    Document,
    Failure,
    Image,
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
    attempts: tuple[Attempt, ...] = ()


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
    last = getattr(failure, "last", None)
    inner = last if isinstance(last, Failure) else failure
    return Told(
        kind=type(failure).__name__,
        message=failure.message,
        target=failure.target,
        status=inner.status,
        code=failure.code,
        retry_after=failure.retry_after,
        attempts=timeless(failure.attempts),
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
    match kind:
        case contract.Exhausted:
            last = Failure(told.message, status=told.status, retry_after=told.retry_after)
            return contract.Exhausted(told.attempts, last=last)
        case contract.InvalidOutput:
            return contract.InvalidOutput(told.message, text="", violations=())
        case type() if issubclass(kind, Failure):
            return kind(
                told.message, status=told.status, code=told.code, retry_after=told.retry_after
            )
        case _:
            return Failure(told.message, status=told.status, code=told.code)


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
