"""Server-sent events: the book's rules, what proxies do to them, and any cut."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from majordomo.contract import Malformed, pump
from majordomo.dialects import sse
from majordomo.dialects.sse import Sse, SseDecoder, encode_sse
from support.cuts import draw_pieces, read_bytewise, read_whole

ROWS: dict[str, tuple[bytes, list[Sse]]] = {
    "nothing": (b"", []),
    "one event": (b"data: a\n\n", [Sse("", b"a")]),
    "two events": (b"data: a\n\ndata: b\n\n", [Sse("", b"a"), Sse("", b"b")]),
    "named": (b"event: ping\ndata: a\n\n", [Sse("ping", b"a")]),
    "name after data": (b"data: a\nevent: ping\n\n", [Sse("ping", b"a")]),
    "a name alone is no event": (b"event: ping\n\ndata: a\n\n", [Sse("", b"a")]),
    "no space": (b"event:ping\ndata:a\n\n", [Sse("ping", b"a")]),
    "only one space is taken": (b"data:  a\n\n", [Sse("", b" a")]),
    "several data lines": (b"data: a\ndata: b\n\n", [Sse("", b"a\nb")]),
    "comments": (b": hi\n\n:\n\ndata: a\n: there\n\n", [Sse("", b"a")]),
    "id and retry": (b"id: 1\nretry: 5\ndata: a\n\n", [Sse("", b"a")]),
    "a field without a colon": (b"data\nfoo\ndata: a\n\n", [Sse("", b"\na")]),
    "blank data": (b"data:\n\ndata: \n\ndata:  \t\n\ndata: a\n\n", [Sse("", b"a")]),
    "extra blank lines": (b"\n\n\ndata: a\n\n\n\n\ndata: b\n\n", [Sse("", b"a"), Sse("", b"b")]),
    "CRLF": (b"data: a\r\n\r\ndata: b\r\n\r\n", [Sse("", b"a"), Sse("", b"b")]),
    "CR": (b"data: a\r\rdata: b\r\r", [Sse("", b"a"), Sse("", b"b")]),
    "all three": (b"data: a\r\n\ndata: b\r\r\n", [Sse("", b"a"), Sse("", b"b")]),
    "byte order mark": (b"\xef\xbb\xbfdata: a\n\n", [Sse("", b"a")]),
    "a mark later is data": (b"data: \xef\xbb\xbf\n\n", [Sse("", b"\xef\xbb\xbf")]),
    "no blank line at the end": (b"data: a\n\ndata: b", [Sse("", b"a"), Sse("", b"b")]),
    "one line break at the end": (b"data: a\n", [Sse("", b"a")]),
    "line separators of Unicode are no line breaks": (
        "data: a\u2028b\u0085c\u2029\n\n".encode(),
        [Sse("", "a\u2028b\u0085c\u2029".encode())],
    ),
    "a name that is no text": (b"event: \xff\ndata: a\n\n", [Sse("\ufffd", b"a")]),
    "data that looks like a field": (b"data: data: a\n\n", [Sse("", b"data: a")]),
}


@pytest.mark.parametrize(("wire", "events"), ROWS.values(), ids=ROWS.keys())
def test_a_stream_is_read_whole_and_byte_by_byte(wire: bytes, events: list[Sse]) -> None:
    assert read_whole(SseDecoder, wire) == events
    assert read_bytewise(SseDecoder, wire) == events


@given(wire=st.sampled_from([row[0] for row in ROWS.values()]), data=st.data())
def test_cuts_change_nothing(wire: bytes, data: st.DataObject) -> None:
    assert list(pump(SseDecoder(), draw_pieces(data, wire))) == read_whole(SseDecoder, wire)


@given(
    events=st.lists(
        st.tuples(st.sampled_from(["", "ping"]), st.text("ab\u2028é ", min_size=1)), max_size=5
    ).map(lambda rows: [(name, text) for name, text in rows if text.strip(" ")]),
    data=st.data(),
)
def test_what_is_written_is_read(events: list[tuple[str, str]], data: st.DataObject) -> None:
    wire = b"".join(encode_sse(text.encode(), name) for name, text in events)
    expected = [Sse(name, text.encode()) for name, text in events]
    assert list(pump(SseDecoder(), draw_pieces(data, wire))) == expected


@given(chunks=st.lists(st.binary(max_size=30)))
def test_no_bytes_crash_it(chunks: list[bytes]) -> None:
    _ = list(pump(SseDecoder(), chunks))


def test_an_event_comes_as_soon_as_it_is_whole() -> None:
    decoder = SseDecoder()
    assert decoder.feed(b"data: a\n") == []
    assert decoder.feed(b"\n") == [Sse("", b"a")]
    assert decoder.feed(b"data: b\r\n\r") == [Sse("", b"b")]
    assert decoder.feed(b"\ndata: c\n\n") == [Sse("", b"c")]


def test_an_event_without_end_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sse, "MAX_EVENT_BYTES", 100)
    with pytest.raises(Malformed, match="longer than 100 bytes"):
        _ = list(pump(SseDecoder(), [b"data: aaaa\n"] * 20))
