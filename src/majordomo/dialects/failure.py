"""Which contract error an HTTP error means, and which status a contract error gets.

Dialects read their own error bodies; what the words *mean* is decided here, once. The order
matters: a 400 that says the context is too long is not an invalid request, and a 429 that
says the credit is used up is not cured by waiting.
"""

import re
from collections.abc import Mapping
from math import isfinite

from msgspec import Struct

from majordomo.contract import (
    ContentFiltered,
    ContextTooLong,
    Disconnected,
    Exhausted,
    Failure,
    InvalidRequest,
    Json,
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


class Said(Struct, frozen=True, kw_only=True):
    """What an error body says, in any dialect."""

    message: str
    code: str = ""  # the most specific word: code, else type, else status name
    parameter: str = ""
    request_id: str = ""
    retry_after: float | None = None
    body: Json = None


class _Words:
    """A pattern compiled when it is first looked for: only failures need it.

    Compiling all of them takes longer than importing the rest of the dialects.
    """

    __slots__ = ("_pattern",)

    def __init__(self, pattern: str) -> None:
        self._pattern = pattern

    def search(self, words: str) -> re.Match[str] | None:
        return re.search(self._pattern, words, re.IGNORECASE)


_QUOTA = _Words(
    r"insufficient_quota|credit_balance|billing|spend_limit|payment_required"
    r"|exceeded your current quota|insufficient (?:credit|balance|funds)|out of credits"
    r"|credit balance is too low",
)
_CONTEXT = _Words(
    r"context_length|context length|context window|context size|exceed_context_size"
    r"|maximum context|prompt is too long|input is too long|too many tokens|input token count"
    r"|request_too_large|reduce the length|string_above_max_length.*messages\S*content",
)
_FILTER = _Words(
    r"content_filter|content_policy|content management policy|responsible ?ai|safety system"
    r"|bio_policy|misalignment_policy|prohibited_content|blocked by (?:our )?safety"
    r"|data_inspection_failed",
)
_MODEL = _Words(
    r"model_not_found|model_not_supported|not_found_error.*model|is not a valid model"
    r"|\bmodel\b[\s:]+(?:\S{1,100}\s+){0,3}?"
    r"(?:is\s+)?(?:not found|does not exist|not exist|unknown)"
    r"|\bmodel\b[\s:]+(?:\S{1,100}\s+)?is not supported"
    r"|(?:unknown|no such|invalid) model|models/\S+ is not found|server is pinned to",
)
# Said in so many words that it counts whatever the status: llama.cpp answers 500, OpenRouter 404.
_INCAPABLE = _Words(
    r"image input is not supported|is not a multimodal model|no endpoints found that support"
    r"|requires --(?:jinja|enable-auto-tool-choice)",
)
_CANNOT = _Words(
    r"unsupported_parameter|unsupported_value|unsupported parameter|unsupported value"
    r"|(?:does not|doesn't|do not|not) support|is not supported|are not supported|unsupported"
    r"|extra inputs are not permitted|extra_forbidden"
    r"|image input is not|cannot (?:accept|process) images?|unrecognized request argument",
)
_KEY = _Words(r"api.?key.{0,20}(?:invalid|not valid)|API_KEY_INVALID|invalid_api_key")

_QUOTA_STATUSES = frozenset({400, 402, 403, 429})


def failure_of(status: int, said: Said) -> Failure:
    """Sort an HTTP error by who can act on it."""
    kind = QuotaExhausted if _is_quota(status, said) else _kind(status, said)
    return kind(
        said.message,
        status=status,
        code=said.code,
        request_id=said.request_id,
        retry_after=said.retry_after,
        parameter=said.parameter,
        body=said.body,
    )


def _is_quota(status: int, said: Said) -> bool:
    """Tell whether the money is used up.

    Gemini words a limit per minute like an empty account; that it says when to come back
    is the difference.
    """
    if status == 402 or (status in _QUOTA_STATUSES and _QUOTA.search(said.code)):
        return True
    passing = status == 429 and said.retry_after is not None
    return status in _QUOTA_STATUSES and not passing and bool(_QUOTA.search(said.message))


def _kind(status: int, said: Said) -> type[Failure]:
    words = f"{said.code} {said.message}"
    if status == 413 or (400 <= status < 500 and status != 429 and _CONTEXT.search(words)):
        return ContextTooLong
    if status in _BY_STATUS:
        return _BY_STATUS[status]
    if status >= 400 and _INCAPABLE.search(words):
        return Unsupported
    if status >= 500:
        return ContextTooLong if _CONTEXT.search(words) else Overloaded
    if status >= 400:
        return _caller_kind(status, words)
    return ProtocolBroken


_BY_STATUS: dict[int, type[Failure]] = {
    401: Unauthorized,
    408: Overloaded,
    409: Overloaded,  # a lock held elsewhere: OpenAI and Anthropic say to try again
    429: RateLimited,
    499: Disconnected,
}


def _caller_kind(status: int, words: str) -> type[Failure]:
    if _FILTER.search(words):
        return ContentFiltered
    if _KEY.search(words):
        return Unauthorized
    if status == 404 or _MODEL.search(words):
        return ModelNotFound
    if status == 403:
        return Unauthorized
    if _CANNOT.search(words):
        return Unsupported
    return InvalidRequest


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds to wait, from `retry-after-ms` or `retry-after` (seconds or an HTTP date).

    A date is taken relative to the reply's own `Date`: the sender's clock, not ours.
    """
    low = {name.lower(): value for name, value in headers.items()}
    milliseconds = _number(low.get("retry-after-ms", ""))
    if milliseconds is not None:
        return max(0.0, milliseconds / 1000)
    value = low.get("retry-after", "")
    seconds = _number(value)
    if seconds is not None:
        return max(0.0, seconds)
    until, sent = _date(value), _date(low.get("date", ""))
    return max(0.0, until - sent) if until is not None and sent is not None else None


def request_id(headers: Mapping[str, str]) -> str:
    low = headers
    if not "".join(headers).islower():  # our own transports give them in lower case
        low = {name.lower(): value for name, value in headers.items()}
    for name in _IDS:
        if found := low.get(name):
            return found
    return ""


_IDS = ("x-request-id", "request-id", "x-generation-id")


def status_of(failure: Failure) -> int:
    """Which status a server answers with. What the upstream said first counts where it fits."""
    if isinstance(failure, Exhausted):
        return status_of(failure.last) if failure.last is not None else 503
    for kind, status, kept in _STATUSES:
        if isinstance(failure, kind):
            return failure.status if failure.status in kept else status
    return 500


_STATUSES: tuple[tuple[type[Failure], int, frozenset[int]], ...] = (
    (InvalidRequest, 400, frozenset({400, 404, 405, 408, 413, 415, 422, 429, 431})),
    (Unsupported, 400, frozenset({400, 422})),
    (Unauthorized, 401, frozenset({401, 403})),
    (QuotaExhausted, 402, frozenset({402, 429})),
    (ModelNotFound, 404, frozenset({404})),
    (ContextTooLong, 400, frozenset({400, 413})),
    (ContentFiltered, 400, frozenset({400, 403})),
    (ProtocolBroken, 502, frozenset({502})),
    (RateLimited, 429, frozenset({429})),
    (Overloaded, 503, frozenset({500, 502, 503, 504, 529})),
    (Timeout, 504, frozenset({504})),
    (Disconnected, 502, frozenset({502})),
    (Truncated, 502, frozenset({502})),
)


def _number(text: str) -> float | None:
    try:
        number = float(text)
    except ValueError:
        return None
    return number if isfinite(number) else None


def _date(text: str) -> float | None:
    if not text:
        return None
    from email.utils import parsedate_to_datetime  # noqa: PLC0415 -- 10 ms, for a rare header

    try:
        return parsedate_to_datetime(text).timestamp()
    except (ValueError, TypeError):
        return None
