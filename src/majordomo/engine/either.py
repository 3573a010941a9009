"""The transport nobody chose: lean where the way is direct, aiohttp where a proxy stands in it."""

from collections.abc import Awaitable
from urllib.parse import urlsplit

from .http import HttpCall, HttpReply, Transport
from .lean import LeanTransport
from .proxy import proxy_for

_MOST_ORIGINS = 1024


class EitherTransport:
    """Aiohttp is loaded when the first proxy is met, which for most is never."""

    def __init__(self) -> None:
        self._lean = LeanTransport()
        self._proxied: Transport | None = None
        self._direct: dict[str, bool] = {}  # by address: looking up costs more than a small reply

    def send(self, call: HttpCall) -> Awaitable[HttpReply]:
        direct = self._direct.get(call.url)
        if direct is None:
            direct = self._look_up(call.url)
        return (self._lean if direct else self._beside()).send(call)

    async def aclose(self) -> None:
        await self._lean.aclose()
        if self._proxied is not None:
            await self._proxied.aclose()

    def _look_up(self, url: str) -> bool:
        try:
            split = urlsplit(url)
            direct = proxy_for(split.scheme, split.hostname or "") is None
        except ValueError:
            direct = True  # no URL at all; the lean client says so
        if len(self._direct) >= _MOST_ORIGINS:
            self._direct.clear()
        self._direct[url] = direct
        return direct

    def _beside(self) -> Transport:
        if self._proxied is None:
            from .transport import AiohttpTransport  # noqa: PLC0415 -- importing it takes 100 ms

            self._proxied = AiohttpTransport()
        return self._proxied
