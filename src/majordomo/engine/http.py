"""The one seam to the network: a call goes out, a reply comes back in pieces.

Whatever implements `Transport` may be handed to a model as `http_client=`. It raises only
contract failures, and `Timeout` says which patience ran out.
"""

from collections.abc import Awaitable, Mapping
from typing import Literal, Protocol

from msgspec import Struct

from majordomo.catalog.provider import Timeouts


class HttpCall(Struct, frozen=True, kw_only=True):
    url: str  # encoded, ready to send
    body: bytes = b""
    headers: dict[str, str] = {}
    timeouts: Timeouts = Timeouts()
    method: Literal["GET", "POST"] = "POST"


class HttpReply(Protocol):
    """A reply whose head is there.

    One that also has a true `spent` says that its end was seen and all of it read, so that
    nobody has to wait for `finish`.
    """

    @property
    def status(self) -> int: ...

    @property
    def headers(self) -> Mapping[str, str]: ...

    async def read(self) -> bytes:
        """Give what has come since the last read, at least one byte; `b""` is the end."""
        ...

    async def finish(self) -> None:
        """All that matters was read: keep the connection if its end is near, else close it."""
        ...

    def close(self) -> None:
        """Close the connection now, whatever it is doing. Harmless afterwards."""
        ...


class Transport(Protocol):
    def send(self, call: HttpCall, /) -> Awaitable[HttpReply]:
        """Give a reply whose head is there."""
        ...

    async def aclose(self) -> None: ...


def default_transport() -> Transport:
    """Load the HTTP stack only when something is about to be sent.

    Where httptools is installed (the `serve` and `fast` extras) it is the lean client, with
    aiohttp beside it for proxies; elsewhere it is aiohttp alone.
    """
    try:
        from .either import EitherTransport  # noqa: PLC0415 -- loads httptools and ssl

        return EitherTransport()
    except ImportError:
        from .transport import AiohttpTransport  # noqa: PLC0415 -- importing aiohttp costs 100 ms

        return AiohttpTransport()
