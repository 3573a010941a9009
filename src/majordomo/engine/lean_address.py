"""A URL as a lean call needs it: whom to connect to, and the first lines of the head.

https://www.rfc-editor.org/rfc/rfc9112#name-request-line
"""

from base64 import b64encode
from collections.abc import Mapping
from typing import NamedTuple
from urllib.parse import SplitResult, unquote, urlsplit

from majordomo.contract import ProtocolBroken

from .http import HttpCall

_PORTS = {"http": 80, "https": 443}
_DEFAULTS = {
    "accept": "*/*",
    "accept-encoding": "gzip, deflate",
    "user-agent": "majordomo",
}
_OURS = frozenset({"content-length", "transfer-encoding", "connection"})  # how it is framed


class Origin(NamedTuple):
    """What connections are pooled by."""

    secure: bool
    host: str
    port: int


class Address(NamedTuple):
    origin: Origin
    path: str  # with the query
    always: dict[str, str]  # headers that go along unless the call has its own


def read_address(url: str) -> Address:
    """Take a URL apart; one that cannot be called is said to be so."""
    try:
        split = urlsplit(url)
        host, port = split.hostname or "", split.port
        if not host.isascii():
            host = host.encode("idna").decode()
    except ValueError as error:
        raise _not_callable(str(error)) from error
    if split.scheme not in _PORTS or not host:
        raise _not_callable("an http or https address with a host is needed")
    path = (split.path or "/") + (f"?{split.query}" if split.query else "")
    if not (path.isascii() and url.isprintable()) or " " in url:
        raise _not_callable("it holds characters that must be encoded")
    origin = Origin(split.scheme == "https", host, port or _PORTS[split.scheme])
    return Address(origin, path, {"host": _host(origin), **_DEFAULTS, **_basic(split)})


def head_of(call: HttpCall, address: Address) -> bytes:
    """Write the request's head; its framing is ours alone."""
    return lines_of(call, address) + length_of(call)


def lines_of(call: HttpCall, address: Address) -> bytes:
    """Write all of the head but the length: the same for every call with these headers."""
    own = call.headers
    lines = [f"{call.method} {address.path} HTTP/1.1"]
    lines += [f"{name}: {value}" for name, value in _missing(address.always, own)]
    lines += [f"{name}: {value}" for name, value in own.items() if name.lower() not in _OURS]
    text = "\r\n".join(lines)
    if text.count("\n") >= len(lines) or text.count("\r") >= len(lines) or "\0" in text:
        raise ProtocolBroken("cannot be sent: a header holds a line break")
    try:
        return text.encode()
    except UnicodeEncodeError as error:
        raise ProtocolBroken(f"cannot be sent: {error}") from error


def length_of(call: HttpCall) -> bytes:
    if call.body or call.method == "POST":
        return b"\r\ncontent-length: %d\r\n\r\n" % len(call.body)
    return b"\r\n\r\n"


def _missing(always: Mapping[str, str], own: Mapping[str, str]) -> list[tuple[str, str]]:
    names = {name.lower() for name in own}
    return [(name, value) for name, value in always.items() if name not in names]


def _host(origin: Origin) -> str:
    host = f"[{origin.host}]" if ":" in origin.host else origin.host
    usual = _PORTS["https" if origin.secure else "http"]
    return host if origin.port == usual else f"{host}:{origin.port}"


def _basic(split: SplitResult) -> dict[str, str]:
    """A name and password in a URL are meant for this header."""
    if split.username is None:
        return {}
    pair = f"{unquote(split.username)}:{unquote(split.password or '')}"
    return {"authorization": f"Basic {b64encode(pair.encode()).decode()}"}


def _not_callable(why: str) -> ProtocolBroken:
    return ProtocolBroken(f"not a URL that can be called: {why}")
