"""Fetching a picture for a client, without being sent to places it could not reach itself.

Every address a name resolves to must be public, the connection goes to that very address, and
each redirect is checked anew: a name that resolves differently the second time gains nothing.
https://owasp.org/www-community/attacks/Server_Side_Request_Forgery
"""

import asyncio
import socket
from ipaddress import IPv6Address, ip_address
from urllib.parse import urljoin, urlsplit

import aiohttp
from aiohttp.abc import AbstractResolver, ResolveResult
from aiohttp.resolver import ThreadedResolver

from majordomo.contract import InvalidRequest, Unsupported

MOST_BYTES = 20 * 1024 * 1024
MOST_REDIRECTS = 3
SECONDS = 15.0


async def fetch(url: str) -> tuple[bytes, str]:
    """Give the picture at a public URL and its MIME type."""
    try:
        async with (
            asyncio.timeout(SECONDS),
            aiohttp.ClientSession(
                connector=aiohttp.TCPConnector(resolver=PublicResolver(), use_dns_cache=False),
                cookie_jar=aiohttp.DummyCookieJar(),
            ) as session,
        ):
            return await _follow(session, url)
    except (aiohttp.ClientError, OSError, TimeoutError) as error:
        raise InvalidRequest(
            f"the picture could not be fetched: {type(error).__name__}", status=400
        ) from error


def is_public(address: str) -> bool:
    """Tell an address of the internet from one of this machine or its network."""
    try:
        found = ip_address(address.partition("%")[0])
    except ValueError:
        return False
    if isinstance(found, IPv6Address):
        inner = found.ipv4_mapped or found.sixtofour or (found.teredo or (None, None))[1]
        if inner is not None:
            return inner.is_global and not inner.is_multicast
        if str(found).startswith("64:ff9b:"):  # an IPv4 address behind NAT64
            return False
    return found.is_global and not found.is_multicast


class PublicResolver(AbstractResolver):
    """Gives only addresses that are public; one that is not spoils the whole name."""

    def __init__(self) -> None:
        self._inner = ThreadedResolver()

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
    ) -> list[ResolveResult]:
        found = await self._inner.resolve(host, port, family)
        if not found or not all(is_public(result["host"]) for result in found):
            raise _refused()
        return found

    async def close(self) -> None:
        await self._inner.close()


async def _follow(session: aiohttp.ClientSession, url: str) -> tuple[bytes, str]:
    for _ in range(MOST_REDIRECTS + 1):
        _check(url)
        async with session.get(url, allow_redirects=False) as response:
            if response.status in (301, 302, 303, 307, 308):
                url = urljoin(url, response.headers.get("location", ""))
                continue
            if response.status != 200:
                raise InvalidRequest(
                    f"the picture could not be fetched: HTTP {response.status}", status=400
                )
            return await _read(response)
    raise InvalidRequest("the picture could not be fetched: too many redirects", status=400)


def _check(url: str) -> None:
    """Refuse what is no web address, and the addresses that no resolver would see."""
    try:
        parts = urlsplit(url)
    except ValueError:
        raise _refused() from None
    host = parts.hostname or ""
    if parts.scheme not in ("http", "https") or not host:
        raise _refused()
    if _is_literal(host) and not is_public(host):
        raise _refused()


def _is_literal(host: str) -> bool:
    """Tell an address from a name: names are checked when they are resolved."""
    try:
        ip_address(host.partition("%")[0])
    except ValueError:
        return False
    return True


async def _read(response: aiohttp.ClientResponse) -> tuple[bytes, str]:
    mime = response.content_type
    if not mime.startswith("image/"):
        raise InvalidRequest(f"what was to be a picture is {mime}", status=400)
    data = bytearray()
    async for chunk in response.content.iter_any():
        data += chunk
        if len(data) > MOST_BYTES:
            raise InvalidRequest(f"the picture is larger than {MOST_BYTES} bytes", status=400)
    return bytes(data), mime


def _refused() -> Unsupported:
    return Unsupported("pictures are only fetched from public addresses", status=400)
