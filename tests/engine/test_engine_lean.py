"""The lean client's reply parser, without a network: any cut, garbage, and more than it takes."""

import asyncio
import contextlib
import gzip
import zlib
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from majordomo.contract import Disconnected, Failure, ProtocolBroken
from majordomo.engine.http import HttpCall
from majordomo.engine.lean_address import head_of, read_address
from majordomo.engine.lean_body import Body
from majordomo.engine.lean_line import MOST_HEAD, Line
from support.cuts import pieces

CHUNKED = (
    b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
    b"5\r\nhello\r\n6;ext=1\r\n world\r\n0\r\nTrailer: x\r\n\r\n"
)
ANNOUNCED = (
    b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\n"
    b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok"
)
REPLIES: dict[str, tuple[bytes, int, bytes, bool]] = {  # wire, status, body, kept
    "length": (b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok", 200, b"ok", True),
    "chunked": (CHUNKED, 200, b"hello world", True),
    "empty": (b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n", 200, b"", True),
    "no content": (b"HTTP/1.1 204 No Content\r\n\r\n", 204, b"", True),
    "not modified": (b"HTTP/1.1 304 Not Modified\r\n\r\n", 304, b"", True),
    "announced": (ANNOUNCED, 200, b"ok", True),
    "closing": (
        b"HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 2\r\n\r\nok",
        200,
        b"ok",
        False,
    ),
    "old": (b"HTTP/1.0 200 OK\r\ncontent-length: 2\r\n\r\nok", 200, b"ok", False),
    "refused": (b"HTTP/1.1 429 Too Many\r\ncontent-length: 2\r\n\r\n{}", 429, b"{}", True),
    "gzip": (
        b"HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ntransfer-encoding: chunked\r\n\r\n"
        + b"%x\r\n%b\r\n0\r\n\r\n" % (len(gzip.compress(b"x" * 99)), gzip.compress(b"x" * 99)),
        200,
        b"x" * 99,
        True,
    ),
}


class Wire(asyncio.Transport):
    """A transport to nowhere that remembers what was done to it."""

    def __init__(self) -> None:
        super().__init__()
        self.sent = b""
        self.aborted = False
        self.paused = False

    def write(self, data: bytes | bytearray | memoryview) -> None:
        self.sent += bytes(data)

    def abort(self) -> None:
        self.aborted = True

    def is_closing(self) -> bool:
        return self.aborted

    def get_write_buffer_size(self) -> int:
        return 0

    def pause_reading(self) -> None:
        self.paused = True

    def resume_reading(self) -> None:
        self.paused = False


class Played:
    """One reply given to a line, and what became of it."""

    def __init__(self, chunks: Sequence[bytes], *, hang_up: bool = False) -> None:
        self.freed: list[bool] = []
        self.wire = Wire()
        self.loop = asyncio.new_event_loop()
        try:
            self.body = Body(self.loop)
            self.line = Line(lambda _, kept: self.freed.append(kept))
            self.line.connection_made(self.wire)
            self.line.ask(b"POST / HTTP/1.1\r\n\r\n", self.body)
            for chunk in chunks:
                if not self.wire.aborted:
                    self.line.data_received(chunk)
            if hang_up:
                self.line.eof_received()
                self.line.connection_lost(None)
        finally:
            self.loop.close()

    def read(self) -> bytes:
        data = b""
        while piece := self.body.take():
            data += piece
        return data


@pytest.mark.parametrize(("wire", "status", "body", "kept"), REPLIES.values(), ids=REPLIES.keys())
def test_a_reply_is_the_same_however_it_is_cut(
    wire: bytes, status: int, body: bytes, *, kept: bool
) -> None:
    for chunks in ([wire], [wire[i : i + 1] for i in range(len(wire))]):
        played = Played(chunks)
        assert (played.body.status, played.read(), played.body.over) == (status, body, True)
        assert played.freed[0] is kept
        assert played.body.failure is None


@given(st.sampled_from(list(REPLIES.values())), st.data())
@settings(deadline=None, max_examples=60)
def test_a_reply_survives_any_cut(
    reply: tuple[bytes, int, bytes, bool], data: st.DataObject
) -> None:
    wire, status, body, _ = reply
    cuts = sorted(data.draw(st.sets(st.integers(0, len(wire)), max_size=20)))
    played = Played([piece for piece in pieces(wire, cuts) if piece])
    assert (played.body.status, played.read()) == (status, body)


@given(st.lists(st.binary(min_size=1, max_size=200), max_size=8))
@settings(deadline=None, max_examples=150)
def test_garbage_ends_in_a_failure_of_the_contract(chunks: list[bytes]) -> None:
    _ends_well(Played(chunks, hang_up=True))


@given(
    st.sampled_from([wire for wire, _, _, _ in REPLIES.values()]),
    st.lists(st.tuples(st.integers(0, 400), st.integers(0, 255)), min_size=1, max_size=4),
    st.integers(1, 60),
)
@settings(deadline=None, max_examples=200)
def test_a_damaged_reply_ends_in_a_failure_or_a_reply(
    wire: bytes, damage: list[tuple[int, int]], size: int
) -> None:
    broken = bytearray(wire)
    for place, byte in damage:
        broken[place % len(broken)] = byte
    chunks = [bytes(broken[at : at + size]) for at in range(0, len(broken), size)]
    _ends_well(Played(chunks, hang_up=True))


def _ends_well(played: Played) -> None:
    assert played.body.over
    assert played.body.failure is None or isinstance(played.body.failure, Failure)
    with contextlib.suppress(ProtocolBroken):  # not in the encoding that the damage made of it
        assert len(played.read()) < 10_000


HUGE: dict[str, list[bytes]] = {
    "one long header": [b"HTTP/1.1 200 OK\r\nx: "] + [b"y" * 1000] * 70,
    "many headers": [b"HTTP/1.1 200 OK\r\n"] + [b"name: value\r\n" * 100] * 60,
    "announcements without end": [b"HTTP/1.1 100 Continue\r\n\r\n" * 100] * 40,
    "a trailer without end": [CHUNKED[:-2], b"t: "] + [b"y" * 1000] * 70,
}


@pytest.mark.parametrize("chunks", HUGE.values(), ids=HUGE.keys())
def test_a_head_without_end_is_cut_off(chunks: list[bytes]) -> None:
    played = Played(chunks)
    assert played.wire.aborted
    assert isinstance(played.body.failure, ProtocolBroken)
    assert f"longer than {MOST_HEAD}" in played.body.failure.message


def test_without_a_length_the_end_of_the_connection_is_the_end() -> None:
    played = Played([b"HTTP/1.1 200 OK\r\n\r\n", b"all ", b"of it"], hang_up=True)
    assert (played.read(), played.body.failure) == (b"all of it", None)
    assert True not in played.freed


def test_a_body_cut_off_gives_what_came_and_then_fails() -> None:
    played = Played([b"HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhalf"], hang_up=True)
    assert played.read() == b"half"
    assert isinstance(played.body.failure, Disconnected)


@pytest.mark.parametrize("late", [b"HTTP/1.1 200 OK\r\n", b"junk"])
def test_a_line_that_talks_without_being_asked_is_not_used_again(late: bytes) -> None:
    played = Played([b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok"])
    played.line.data_received(late)
    assert played.wire.aborted
    together = Played([b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok" + late])
    assert together.wire.aborted
    assert together.read() == b"ok"


def test_what_nobody_reads_holds_the_sender_up() -> None:
    played = Played([b"HTTP/1.1 200 OK\r\ncontent-length: 900000\r\n\r\n", b"x" * 300_000])
    assert played.wire.paused
    assert len(played.body.take()) == 300_000
    played.line.read_on()
    assert not played.wire.paused


def test_a_bomb_is_unpacked_in_pieces() -> None:
    packed = zlib.compress(bytes(50 * 2**20), 9)
    head = b"HTTP/1.1 200 OK\r\ncontent-encoding: deflate\r\ncontent-length: %d\r\n\r\n"
    played = Played([head % len(packed) + packed])
    assert len(played.body.take()) <= 2**20
    assert played.body.size < len(packed)


@pytest.mark.parametrize("encoding", [b"br", b"zstd"])
def test_an_encoding_that_was_not_asked_for_is_refused(encoding: bytes) -> None:
    played = Played([b"HTTP/1.1 200 OK\r\ncontent-encoding: %b\r\n\r\nxyz" % encoding])
    assert isinstance(played.body.failure, ProtocolBroken)


ADDRESSES: dict[str, tuple[str, bytes]] = {
    "plain": ("http://h/a?b=c#d", b"POST /a?b=c HTTP/1.1\r\nhost: h\r\n"),
    "no path": ("http://h:81", b"POST / HTTP/1.1\r\nhost: h:81\r\n"),
    "its own port": ("https://h:443/x", b"POST /x HTTP/1.1\r\nhost: h\r\n"),
    "IPv6": ("http://[::1]:9/x", b"POST /x HTTP/1.1\r\nhost: [::1]:9\r\n"),
    "a name beyond ASCII": (
        "http://münchen.de/",
        b"POST / HTTP/1.1\r\nhost: xn--mnchen-3ya.de\r\n",
    ),
}


@pytest.mark.parametrize(("url", "head"), ADDRESSES.values(), ids=ADDRESSES.keys())
def test_an_address_becomes_the_first_lines(url: str, head: bytes) -> None:
    assert head_of(HttpCall(url=url), read_address(url)).startswith(head)


def test_a_password_in_a_url_goes_where_it_belongs() -> None:
    head = head_of(HttpCall(url="http://me:p%40ss@h/"), read_address("http://me:p%40ss@h/"))
    assert b"authorization: Basic bWU6cEBzcw==\r\n" in head


@pytest.mark.parametrize("value", ["a\r\nx: y", "a\nb", "a\rb", "a\0b", "\ud800"])
def test_a_header_cannot_smuggle_another_in(value: str) -> None:
    call = HttpCall(url="http://h/", headers={"x-key": value})
    with pytest.raises(ProtocolBroken, match="cannot be sent"):
        head_of(call, read_address(call.url))


def test_framing_is_not_the_callers() -> None:
    headers = {"Content-Length": "99", "Transfer-Encoding": "chunked", "User-Agent": "mine"}
    head = head_of(HttpCall(url="http://h/", body=b"{}", headers=headers), read_address("http://h"))
    assert head.lower().count(b"content-length") == 1
    assert b"chunked" not in head
    assert b"user-agent: majordomo" not in head
    assert b"User-Agent: mine\r\n" in head


@pytest.mark.parametrize("url", ["http://h/ä", "http://h/a b", "http://h:x/", "http://h\n/", "//h"])
def test_what_is_no_url_is_said_to_be_none(url: str) -> None:
    with pytest.raises(ProtocolBroken, match="not a URL"):
        read_address(url)
