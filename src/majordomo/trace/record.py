"""The trace of one request: who asked for what, who tried, who served, what was changed."""

from msgspec import Struct

from majordomo.contract import UNKNOWN, Attempt, Json, Note, Usage


class Trace(Struct, frozen=True, kw_only=True, omit_defaults=True):
    id: str
    at: float  # seconds since 1970
    door: str = ""
    key: str = ""  # the name of the client's key, never the key
    asked: str = ""  # the model as the client named it
    spec: str = ""
    served: str = ""  # the target that answered
    stream: bool = False
    status: int = 0
    outcome: str = ""  # "served", "gone", or the name of the failure
    reason: str = ""
    first: float | None = None  # seconds to the first byte out
    seconds: float = 0.0
    parent: str = ""  # the client's `traceparent`, where it is traced itself
    usage: Usage = UNKNOWN
    attempts: tuple[Attempt, ...] = ()
    notes: tuple[Note, ...] = ()
    request: Json = None  # only when contents are recorded
    response: Json = None
