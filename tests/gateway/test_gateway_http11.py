"""HTTP/1.1 by hand: what is refused, what is served, in which order, and when it ends."""

import socket
from collections.abc import Generator

import pytest

from majordomo.config.gateway import Gateway, Limits
from majordomo.dialects.json import write
from majordomo.gateway.http11 import MOST_HEAD
from majordomo.gateway.service import Service
from majordomo.testing import scripted
from support.gateway import Shelf, serving, shelf
from support.late import Late
from support.raw import client

BODY = write({"model": "up", "messages": [{"role": "user", "content": "hi"}]})
CHAT = b"POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\n"
SIZED = CHAT + b"content-length: %d\r\n" % len(BODY)
ASK = SIZED + b"\r\n" + BODY
CHUNKED = CHAT + b"transfer-encoding: chunked\r\n"
CHUNK = b"%x\r\n%b\r\n" % (len(BODY), BODY)
HEALTH = b"GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n"


@pytest.fixture(scope="module", params=["auto", "asyncio"])
def url(request: pytest.FixtureRequest) -> Generator[str]:
    """Serve on the loop that is fastest here, and on the one that is everywhere."""
    settings = Gateway(limits=Limits(body_bytes=100_000))
    models = {"up": scripted(lambda _: "Hello!"), "other": scripted(lambda _: "Not me!")}
    with serving(Service(Shelf(**models), settings), loop=str(request.param)) as url:
        yield url


REFUSED: dict[str, bytes] = {
    "no HTTP": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
    "no method": b" / HTTP/1.1\r\n\r\n",
    "a method of its own": b"BREW / HTTP/1.1\r\nhost: x\r\n\r\n",
    "a method in small letters": b"get / HTTP/1.1\r\nhost: x\r\n\r\n",
    "no version": b"GET /\r\n\r\n",
    "version 0.9": b"GET / HTTP/0.9\r\n\r\n",
    "version 1.2": b"GET / HTTP/1.2\r\nhost: x\r\n\r\n",
    "version 2.0": b"GET / HTTP/2.0\r\nhost: x\r\n\r\n",
    "HTTP/2 by prior knowledge": b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    "a tunnel": b"CONNECT a.test:443 HTTP/1.1\r\nhost: a.test\r\n\r\n",
    "a path beyond ASCII": b"GET /\xc3\xa9 HTTP/1.1\r\nhost: x\r\n\r\n",
    "a space before the colon": CHAT + b"x-a : b\r\n\r\n",
    "a header without a name": CHAT + b": b\r\n\r\n",
    "a header without a colon": CHAT + b"x-a\r\n\r\n",
    "a zero in a header": CHAT + b"x-a: b\0c\r\n\r\n",
    "a lone line feed": b"GET / HTTP/1.1\nhost: x\n\n",
    "a lone carriage return": CHAT + b"x-a: b\rc: d\r\n\r\n",
    "a folded header": CHAT + b"x-a: b\r\n c\r\n\r\n",
    "a folded length": CHAT + b"content-length:\r\n 3\r\n\r\nabc",
    "a folded coding": CHAT + b"transfer-encoding:\r\n chunked\r\n\r\n0\r\n\r\n",
    "length and chunks": SIZED + b"transfer-encoding: chunked\r\n\r\n0\r\n\r\n",
    "chunks and length": CHUNKED + b"content-length: 3\r\n\r\n0\r\n\r\n",
    "two lengths": SIZED + b"content-length: 3\r\n\r\n" + BODY,
    "the same length twice": SIZED + b"content-length: %d\r\n\r\n" % len(BODY) + BODY,
    "a list of lengths": CHAT + b"content-length: 3, 3\r\n\r\nabc",
    "a signed length": CHAT + b"content-length: +3\r\n\r\nabc",
    "a negative length": CHAT + b"content-length: -3\r\n\r\nabc",
    "a length in hex": CHAT + b"content-length: 0x3\r\n\r\nabc",
    "an empty length": CHAT + b"content-length:\r\n\r\nabc",
    "a length beyond counting": CHAT + b"content-length: 99999999999999999999999\r\n\r\nabc",
    "a coding unknown": CHAT + b"transfer-encoding: xchunked\r\n\r\n" + CHUNK + b"0\r\n\r\n",
    "a coding of none": CHAT + b"transfer-encoding: identity\r\n\r\n" + CHUNK + b"0\r\n\r\n",
    "a coding behind a comma": CHAT + b"transfer-encoding: ,chunked\r\n\r\n" + CHUNK + b"0\r\n\r\n",
    "two codings": CHAT + b"transfer-encoding: gzip, chunked\r\n\r\n" + CHUNK + b"0\r\n\r\n",
    "chunks in chunks": CHUNKED + b"transfer-encoding: chunked\r\n\r\n" + CHUNK + b"0\r\n\r\n",
    "chunks not last": CHAT + b"transfer-encoding: chunked, gzip\r\n\r\n" + CHUNK + b"0\r\n\r\n",
    "chunks in HTTP/1.0": CHUNKED.replace(b"1.1", b"1.0") + b"\r\n" + CHUNK + b"0\r\n\r\n",
    "a chunk of no size": CHUNKED + b"\r\n\r\nabc\r\n0\r\n\r\n",
    "a chunk of a size in letters": CHUNKED + b"\r\nzz\r\nabc\r\n0\r\n\r\n",
    "a chunk of a size with 0x": CHUNKED + b"\r\n0x3\r\nabc\r\n0\r\n\r\n",
    "a chunk of a negative size": CHUNKED + b"\r\n-3\r\nabc\r\n0\r\n\r\n",
    "a chunk beyond counting": CHUNKED + b"\r\nfffffffffffffffff\r\nabc\r\n0\r\n\r\n",
    "a chunk behind a lone line feed": CHUNKED + b"\r\n3\nabc\r\n0\r\n\r\n",
    "a chunk longer than it says": CHUNKED + b"\r\n3\r\nabcd\r\n0\r\n\r\n",
    "a chunk with a line feed beside its size": CHUNKED + b"\r\n3;a\nb\r\nabc\r\n0\r\n\r\n",
    "a length in the trailers": CHUNKED + b"\r\n" + CHUNK + b"0\r\ncontent-length: 3\r\n\r\n",
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_could_be_read_in_two_ways_is_refused_and_the_connection_ended(
    case: str, url: str
) -> None:
    with client(url) as raw:
        raw.send(REFUSED[case])
        raw.read()
        raw.send(HEALTH)  # whatever comes behind it is never read as a request
        (answer,) = raw.read_all()
    assert (answer.status, answer.headers["connection"]) == (400, "close")
    assert answer.headers["date"]


SERVED: dict[str, bytes] = {
    "as most are": ASK,
    "behind empty lines": b"\r\n\r\n" + ASK,
    "in one chunk": CHUNKED + b"\r\n" + CHUNK + b"0\r\n\r\n",
    "in many chunks": CHUNKED
    + b"\r\n"
    + b"".join(b"1\r\n%c\r\n" % letter for letter in BODY)
    + b"0\r\n\r\n",
    "a chunk with an extension": CHUNKED
    + b"\r\n"
    + CHUNK.replace(b"\r\n", b";a=b\r\n", 1)
    + b"0\r\n\r\n",
    "a coding in capitals": CHUNKED.replace(b"chunked", b"CHUNKED")
    + b"\r\n"
    + CHUNK
    + b"0\r\n\r\n",
    "trailers that would be headers": CHUNKED
    + b"\r\n"
    + CHUNK
    + b"0\r\nx-majordomo-model: other\r\n\r\n",
    "with its whole address": ASK.replace(b" /v1", b" http://x.test:80/v1", 1),
    "with a query": ASK.replace(b"completions", b"completions?a=b", 1),
    "with an escaped path": ASK.replace(b"completions", b"comple%74ions", 1),
    "names in capitals": ASK.replace(b"content-length", b"CONTENT-LENGTH"),
    "a wish for HTTP/2": SIZED
    + b"connection: Upgrade, HTTP2-Settings\r\nupgrade: h2c\r\nhttp2-settings: AAMAAABk\r\n\r\n"
    + BODY,
    "a wish for HTTP/2, in chunks": CHUNKED
    + b"connection: Upgrade\r\nupgrade: h2c\r\n\r\n"
    + CHUNK
    + b"0\r\n\r\n",
}


@pytest.mark.parametrize("cut", ["whole", "byte by byte"])
@pytest.mark.parametrize("case", SERVED)
def test_every_way_to_say_it_is_served_and_leaves_the_connection_open(
    case: str, cut: str, url: str
) -> None:
    with client(url) as raw:
        raw.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        step = len(SERVED[case]) if cut == "whole" else 1
        for at in range(0, len(SERVED[case]), step):
            raw.send(SERVED[case][at : at + step])
        (first,) = raw.read()
        assert (first.status, b"Hello!" in first.body) == (200, True), first
        assert "connection" not in first.headers
        raw.send(HEALTH)
        assert raw.read(2)[1].status == 200


def test_trailers_say_nothing_about_the_next_request(url: str) -> None:
    named = CHUNKED + b"\r\n" + CHUNK + b"0\r\nx-majordomo-model: other\r\nx-a: b\r\n\r\n"
    with client(url) as raw:
        raw.send(named + ASK)
        raw.read(2)
        raw.send(ASK)
        answers = raw.read(3)
    assert [b"Hello!" in answer.body for answer in answers] == [True, True, True]


def test_a_connection_outlives_a_request_that_took_too_long() -> None:
    settings = Gateway(limits=Limits(seconds=0.1))
    models = {"up": Late(5), "quick": scripted(lambda _: "Hello!")}
    with shelf(settings, **models) as url, client(url) as raw, client(url) as other:
        other.send(ASK)
        raw.send(ASK + HEALTH + ASK + SIZED + b"x-majordomo-model: quick\r\n\r\n" + BODY)
        assert [answer.status for answer in raw.read(4)] == [504, 200, 504, 200]
        assert other.read()[0].status == 504


def test_requests_in_one_go_are_answered_in_order(url: str) -> None:
    wish = b"GET /v1/responses HTTP/1.1\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n"
    nowhere = b"GET /nowhere HTTP/1.1\r\n\r\n"
    head = b"HEAD /api/hello HTTP/1.1\r\n\r\n"
    with client(url) as raw:
        raw.send((ASK + wish + nowhere + HEALTH) * 20)
        answers = raw.read(80)
        assert [answer.status for answer in answers] == [200, 426, 404, 200] * 20
        assert len({answer.headers["x-request-id"] for answer in answers}) == 80
        raw.send(head)
        got = raw.socket.recv(65536)
    assert b"content-length: 2\r\n" in got
    assert got.endswith(b"\r\n\r\n")


def test_a_later_request_waits_for_an_earlier_one() -> None:
    with shelf(up=Late(0.2)) as url, client(url) as raw:
        raw.send(ASK + HEALTH + ASK.replace(b"POST", b"BREW") + HEALTH)
        answers = raw.read(3)
    assert [answer.status for answer in answers] == [200, 200, 400]
    assert b"late" in answers[0].body


def test_a_client_that_asks_for_more_than_it_waits_for_is_held_up() -> None:
    with shelf(up=Late(3)) as url, client(url) as raw:
        raw.socket.settimeout(1.0)
        raw.send(ASK)
        with pytest.raises(TimeoutError):
            raw.send(HEALTH * 1_000_000)


@pytest.mark.parametrize("version", [b"1.0", b"1.1"])
def test_a_connection_ends_when_the_client_wants_it(version: bytes, url: str) -> None:
    option = b"" if version == b"1.0" else b"connection: close\r\n"
    asked = ASK.replace(b"1.1", version).replace(b"\r\n\r\n", b"\r\n" + option + b"\r\n", 1)
    with client(url) as raw:
        raw.send(asked + HEALTH)
        (answer,) = raw.read(9)
    assert (answer.status, answer.headers["connection"], raw.ended) == (200, "close", True)


def test_a_stream_to_an_old_client_ends_with_the_connection(url: str) -> None:
    body = BODY[:-1] + b',"stream":true}'
    old = b"POST /v1/chat/completions HTTP/1.0\r\ncontent-length: %d\r\n\r\n" % len(body)
    with client(url) as raw:
        raw.send(old + body)
        got = b""
        while data := raw.socket.recv(65536):
            got += data
    head, _, rest = got.partition(b"\r\n\r\n")
    assert b"transfer-encoding" not in head
    assert b"connection: close" in head
    assert rest.startswith(b"data: {")
    assert rest.endswith(b"data: [DONE]\n\n")


def test_a_client_that_waits_for_leave_gets_it(url: str) -> None:
    with client(url) as raw:
        raw.send(SIZED + b"expect: 100-continue\r\n\r\n")
        assert raw.socket.recv(65536) == b"HTTP/1.1 100 Continue\r\n\r\n"
        raw.send(BODY)
        (answer,) = raw.read()
    assert answer.status == 200


def test_a_client_that_waits_for_leave_is_told_when_it_is_not_given(url: str) -> None:
    with client(url) as raw:
        raw.send(CHAT + b"content-length: 100001\r\nexpect: 100-continue\r\n\r\n")
        (answer,) = raw.read_all()
    assert (answer.status, answer.headers["connection"]) == (413, "close")


LONG: dict[str, bytes] = {
    "by its length": CHAT + b"content-length: 40000000\r\n\r\n",
    "in a chunk": CHUNKED + b"\r\n2625a00\r\n",
}


@pytest.mark.parametrize("case", LONG)
def test_what_is_too_long_is_answered_while_it_is_sent_and_never_read_as_a_request(
    case: str, url: str
) -> None:
    with client(url) as raw:
        raw.send(LONG[case])
        try:
            for _ in range(1000):
                raw.send(HEALTH * 100)
        except OSError:
            pass  # it does not listen for ever
        (answer,) = raw.read_all()
    assert (answer.status, answer.headers["connection"]) == (413, "close")


ENDLESS: dict[str, tuple[bytes, bytes]] = {
    "a path": (b"GET /", b"a"),
    "headers": (CHAT, b"x-a: b\r\n"),
    "a header": (CHAT + b"x-a: ", b"b"),
    "the extension of a chunk": (CHUNKED + b"\r\n1;", b"a"),
    "trailers": (CHUNKED + b"\r\n0\r\n", b"x-a: b\r\n"),
}


@pytest.mark.parametrize("case", ENDLESS)
def test_what_has_no_end_is_given_one(case: str, url: str) -> None:
    begin, more = ENDLESS[case]
    with client(url) as raw:
        raw.send(begin)
        try:
            for _ in range(100):
                raw.send(more * (16384 // len(more)))
            answers = raw.read_all()
        except OSError:
            answers = raw.answers
    assert [answer.status for answer in answers] in ([400], [])
    assert MOST_HEAD < 100 * 16384 // 2


def test_an_idle_connection_is_closed() -> None:
    service = Service(Shelf(up=Late(1.5)))
    with (
        serving(service, keep_alive=1) as url,
        client(url) as silent,
        client(url) as slow,
        client(url) as busy,
    ):
        slow.send(HEALTH + b"GET /heal")
        busy.send(ASK)
        assert silent.read() == []
        assert [answer.status for answer in slow.read(2)] == [200]
        assert [answer.status for answer in busy.read(1)] == [200]
        assert (silent.ended, slow.ended, busy.ended) == (True, True, False)


def test_a_reader_that_does_not_read_its_replies_gets_no_more_of_them(url: str) -> None:
    with client(url, timeout=2.0) as raw:
        raw.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        with pytest.raises(TimeoutError):
            raw.send(b"GET /metrics HTTP/1.1\r\n\r\n" * 1_000_000)
