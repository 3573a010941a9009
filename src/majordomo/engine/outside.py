"""What the engine needs of the world: a way to send, a clock, the environment."""

import os
import time
from collections.abc import Awaitable, Callable, Mapping

from msgspec.structs import replace

from .http import HttpCall, HttpReply, Transport, default_transport


class Outside:
    """Built once and shared by the models that use one pool of connections."""

    __slots__ = ("_owned", "_transport", "clock", "environ")

    def __init__(
        self,
        *,
        http_client: Transport | None = None,
        clock: Callable[[], float] = time.time,
        environ: Mapping[str, str] = os.environ,
    ) -> None:
        self._transport = http_client
        self._owned = http_client is None
        self.clock = clock
        self.environ = environ

    def send(self, call: HttpCall) -> Awaitable[HttpReply]:
        # Not itself a coroutine: a frame here would only wait for the next.
        transport = self._transport
        if transport is None:
            self._transport = transport = default_transport()
        if call.url.startswith("local:"):
            return _send_to_our_own(call, transport)
        return transport.send(call)

    async def aclose(self) -> None:
        """Close the pool, unless it was handed in: then it is its owner's to close."""
        if self._owned and self._transport is not None:
            await self._transport.aclose()


async def _send_to_our_own(call: HttpCall, transport: Transport) -> HttpReply:
    """Send it to a model server of our own, which is started if it is not running."""
    from majordomo.local.running import open_local  # noqa: PLC0415 -- few ever need it

    address = await open_local(call.url)
    headers = {**call.headers, "authorization": f"Bearer {address.key}"}
    return await transport.send(replace(call, url=address.url, headers=headers))
