"""What an operator may set for the gateway."""

from msgspec import Struct


class Key(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """A client's key: never kept as it is, only its SHA-256 in hexadecimal."""

    name: str
    sha256: str
    allow: tuple[str, ...] = ("*",)  # patterns of the specs it may ask for


class Limits(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    body_bytes: int = 64 * 1024 * 1024
    concurrency: int = 4096  # requests in flight
    body_seconds: float = 60.0  # for the client to send its body
    seconds: float = 3600.0  # for a request in all
    stored_responses: int = 1000  # behind previous_response_id and item_reference
    stored_bytes: int = 64 * 1024 * 1024


class Gateway(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    host: str = "127.0.0.1"
    port: int = 8484
    unix_socket: str = ""
    workers: int = 1
    tls_certificate: str = ""
    tls_key: str = ""
    keys: tuple[Key, ...] = ()
    limits: Limits = Limits()
    keep_alive: float = 10.0  # seconds of silence before a stream says it is alive
    cors: tuple[str, ...] = ()  # allowed origins; none: no CORS headers at all
    traces: str = ""  # path of the SQLite file; empty: no traces are kept
    trace_rows: int = 100_000
    trace_contents: bool = False  # also record what was said
    traces_otel: bool = False  # send each request as OpenTelemetry spans, as OTEL_… variables say
    strict: bool = False  # refuse what would be dropped or changed
    fetch_images: bool = False  # fetch pictures that clients name by URL, from public addresses
