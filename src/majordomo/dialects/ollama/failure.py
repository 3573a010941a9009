"""Ollama's errors: `{"error": "text"}`, with a status or, once a stream has begun, without.

https://github.com/ollama/ollama/blob/main/docs/api/errors.mdx
"""

import re
from collections.abc import Mapping
from math import ceil

from majordomo.contract import Failure, Json, Malformed
from majordomo.dialects.dialect import Reply
from majordomo.dialects.failure import Said, failure_of, request_id, retry_after, status_of
from majordomo.dialects.json import read, write


def decode_failure(status: int, headers: Mapping[str, str], body: bytes) -> Failure:
    try:
        wire = read(body)
    except Malformed:
        wire = None
    message = _message(wire) or body.decode(errors="replace").strip() or f"HTTP {status}"
    said = Said(
        message=message,
        request_id=request_id(headers),
        retry_after=retry_after(headers),
        body=wire,
    )
    return failure_of(status, said)


def failure_in(wire: Json) -> Failure | None:
    """Give the error that a line of a stream is, or a body under status 200."""
    message = _message(wire)
    if not message:
        return None
    status = next((status for words, status in _STATUSES if words.search(message)), 500)
    return failure_of(status, Said(message=message, body=wire))


def encode_failure(failure: Failure) -> Reply:
    headers: dict[str, str] = {}
    if failure.retry_after is not None:
        headers["retry-after"] = str(ceil(failure.retry_after))
    return Reply(status=status_of(failure), body=encode_error(failure), headers=headers)


def encode_error(failure: Failure) -> bytes:
    return write({"error": failure.message})


def _message(wire: Json) -> str:
    """Read the text; the server's compatible doors and some proxies nest it."""
    match wire:
        case {"error": str(message)}:
            return message or "error without words"
        case {"error": {"message": str(message)}}:
            return message
        case {"error": dict(error)}:
            return write(error).decode()
        case _:
            return ""


# A line has no status, so the words must do.
_STATUSES: tuple[tuple[re.Pattern[str], int], ...] = (
    (re.compile(r"rate limit|too many requests|usage limit", re.IGNORECASE), 429),
    (re.compile(r"overloaded|server busy|maximum pending requests", re.IGNORECASE), 503),
    (re.compile(r"model.{0,80}not found", re.IGNORECASE), 404),
    (re.compile(r"unauthorized", re.IGNORECASE), 401),
    (re.compile(r"does not support|^invalid ", re.IGNORECASE), 400),
)
