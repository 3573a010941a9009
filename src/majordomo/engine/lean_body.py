"""What has come of a reply and was not read yet, its content-encoding undone on the way out."""

import asyncio
import zlib
from typing import Protocol

from majordomo.contract import Failure, ProtocolBroken

_PIECE = 2**20  # bytes that one read gives at most of what was compressed: a bomb is read in pieces
_UNREAD = frozenset({"br", "zstd", "compress"})  # not asked for; `gzip, deflate` were


class Body:
    """Filled by a line, read by a reply; it outlives the use of the line."""

    __slots__ = (
        "_failure",
        "_loop",
        "_pieces",
        "_unpack",
        "_waiting",
        "begun",
        "headers",
        "over",
        "size",
        "status",
    )

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self.status = 0
        self.headers: dict[str, str] = {}
        self.size = 0  # bytes that wait to be read
        self.begun = False  # the head is there
        self.over = False  # nothing more will come
        self._loop = loop
        self._pieces: list[bytes] = []
        self._failure: Failure | None = None
        self._unpack: _Unpack | None = None
        self._waiting: asyncio.Future[None] | None = None

    # What the line tells.

    def begin(self, status: int, headers: dict[str, str]) -> None:
        self.begun = True
        self.status = status
        self.headers = headers
        encoding = headers.get("content-encoding", "").strip().lower()
        if encoding in _WINDOWS:
            self._unpack = _Unpack(encoding)
        elif encoding in _UNREAD:
            self.fail(ProtocolBroken(f"the body is not in its encoding: {encoding} is not read"))

    def add(self, pieces: list[bytes]) -> None:
        """Take what one read brought; `wake` follows."""
        if not self.over:
            data = pieces[0] if len(pieces) == 1 else b"".join(pieces)
            self._pieces.append(data)
            self.size += len(data)

    def wake(self) -> None:
        waiting = self._waiting
        if waiting is not None:
            self._waiting = None
            if not waiting.done():  # nobody waits any more
                waiting.set_result(None)

    def end(self) -> None:
        self.over = True
        self.wake()

    def fail(self, failure: Failure) -> None:
        if self._failure is None and not self.over:
            self._failure = failure
            self.over = True
            self.wake()

    # What the reply asks.

    @property
    def failure(self) -> Failure | None:
        return self._failure

    @property
    def spent(self) -> bool:
        """Whether everything has come, and has been read."""
        return self.over and self._failure is None and not self.size

    def take(self) -> bytes:
        """Give what is there; nothing where nothing is."""
        unpack = self._unpack
        if unpack is not None:
            return self._take_unpacked(unpack)
        pieces = self._pieces
        if not pieces:
            return b""
        data = pieces[0] if len(pieces) == 1 else b"".join(pieces)
        pieces.clear()
        self.size = 0
        return data

    def more(self) -> "asyncio.Future[None]":
        """Wait until there is more, or nothing more to wait for."""
        self._waiting = waiting = self._loop.create_future()
        return waiting

    def _take_unpacked(self, unpack: "_Unpack") -> bytes:
        while self._pieces or unpack.left:
            packed = b"".join((unpack.left, *self._pieces))
            self._pieces.clear()
            plain = unpack.feed(packed)
            self.size = len(unpack.left)
            if plain:
                return plain
        return b""


_WINDOWS = {"gzip": 31, "x-gzip": 31, "deflate": 15}


class _Unzip(Protocol):
    """What is used of `zlib.decompressobj`."""

    @property
    def eof(self) -> bool: ...

    @property
    def unconsumed_tail(self) -> bytes: ...

    @property
    def unused_data(self) -> bytes: ...

    def decompress(self, data: bytes, max_length: int, /) -> bytes: ...


class _Unpack:
    __slots__ = ("_encoding", "_unzip", "left")

    def __init__(self, encoding: str) -> None:
        self.left = b""  # packed bytes that one read's limit left over
        self._encoding = encoding
        self._unzip: _Unzip | None = None

    def feed(self, packed: bytes) -> bytes:
        try:
            return self._feed(packed)
        except zlib.error as error:
            self.left = b""
            raise ProtocolBroken(f"the body is not in its encoding: {error}") from error

    def _feed(self, packed: bytes) -> bytes:
        unzip = self._unzip
        if unzip is None or unzip.eof:  # gzip may be several, one behind the other
            self._unzip = unzip = zlib.decompressobj(self._window(packed))
        plain = unzip.decompress(packed, _PIECE)
        self.left = unzip.unconsumed_tail or unzip.unused_data
        if unzip.eof and self._encoding == "deflate":
            self.left = b""  # there is only one; what follows is padding
        return plain

    def _window(self, packed: bytes) -> int:
        """Tell zlib's format from the bare one that some servers send as `deflate`."""
        bare = self._encoding == "deflate" and packed[0] & 0xF != 8
        return -15 if bare else _WINDOWS[self._encoding]
