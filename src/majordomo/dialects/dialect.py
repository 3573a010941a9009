"""What every dialect offers, to whichever side it stands on.

The same values cross in both directions: a client encodes requests and decodes replies, a
server decodes requests and encodes replies. All of it is pure: bytes and JSON in, values out.
"""

from collections.abc import Mapping
from typing import Literal, Protocol

from msgspec import Struct

from majordomo.contract import DialectName, Event, Failure, JsonObject, Request, Step


class Wire(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """How one provider's dialect differs from the book. Data, from its row in the catalog."""

    max_tokens_field: Literal["max_tokens", "max_completion_tokens"] = "max_completion_tokens"
    reasoning_field: Literal["", "reasoning", "reasoning_content"] = ""  # echoed in history
    system_role: Literal["system", "developer"] = "system"
    required_word: Literal["required", "any"] = "required"  # Mistral says "any"
    seed_field: Literal["seed", "random_seed"] = "seed"
    stream_usage: bool = True  # takes stream_options.include_usage
    version: str = ""  # anthropic-version, or Gemini's path version; empty: the dialect's default
    default_max_tokens: int = 8192  # Anthropic insists on one


class Call(Struct, frozen=True, kw_only=True):
    """A request as it goes out: `path` is relative to the provider's base URL."""

    path: str
    body: bytes
    headers: dict[str, str] = {}


class Ask(Struct, frozen=True, kw_only=True):
    """A request as it came in."""

    model: str
    stream: bool
    request: Request
    stream_usage: bool = True  # Chat clients must ask for usage in streams


class Stamp(Struct, frozen=True, kw_only=True):
    """What a reply is signed with. An argument, because the pure half has no clock or dice."""

    id: str  # letters and digits; each dialect adds its own prefix
    created: int  # seconds since 1970
    model: str  # as the client named it


class Reply(Struct, frozen=True, kw_only=True):
    """A whole HTTP reply: an error, mostly."""

    status: int
    body: bytes
    headers: dict[str, str] = {}
    content_type: str = "application/json"


class Decoder(Step[bytes, Event], Protocol):
    """Body bytes, cut anywhere, to events. Raises `Malformed`, `Truncated`, or what was said."""


class Encoder(Step[Event, bytes], Protocol):
    """Events to body bytes; `fail` ends a stream that has begun, in the dialect's shape."""

    @property
    def content_type(self) -> str: ...

    def fail(self, failure: Failure, /) -> bytes: ...


class Dialect(Protocol):
    @property
    def name(self) -> DialectName: ...

    # As a client.
    def encode_request(self, request: Request, *, model: str, stream: bool, wire: Wire) -> Call: ...

    def decoder(
        self, *, stream: bool, partial_tool_calls: bool = False, joined_text: bool = False
    ) -> Decoder:
        """Read a reply; `stream` is what was asked, but a reply of the other kind is read too.

        With `joined_text` the pieces of text that one read brought come as one.
        """
        ...

    def decode_failure(self, status: int, headers: Mapping[str, str], body: bytes) -> Failure: ...

    # As a server.
    def decode_request(
        self, body: JsonObject, *, model: str = "", stream: bool | None = None
    ) -> Ask:
        """Read a request; `model` and `stream` are given where the URL says them (Gemini)."""
        ...

    def encoder(self, ask: Ask, stamp: Stamp) -> Encoder: ...

    def encode_failure(self, failure: Failure, *, request_id: str = "") -> Reply: ...
