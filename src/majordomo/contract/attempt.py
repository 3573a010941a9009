"""One try of one target, as data: a trace is the attempts of one request."""

from msgspec import Struct

from .note import Note
from .usage import UNKNOWN, Usage


class Attempt(Struct, frozen=True, kw_only=True, omit_defaults=True):
    target: str
    started: float  # seconds on the engine's clock
    first_byte: float | None = None  # first event, not first header
    ended: float | None = None
    outcome: str = ""  # "served", or the name of the failure: "RateLimited"
    reason: str = ""  # the failure in words
    status: int | None = None
    request_id: str = ""
    notes: tuple[Note, ...] = ()
    usage: Usage = UNKNOWN
