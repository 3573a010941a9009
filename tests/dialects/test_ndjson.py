"""Lines of JSON: blank ones skipped, a last one without its end, any cut."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from majordomo.contract import Malformed, pump
from majordomo.dialects import ndjson
from majordomo.dialects.ndjson import LineDecoder, encode_line
from support.cuts import draw_pieces, read_bytewise, read_whole

ROWS: dict[str, tuple[bytes, list[bytes]]] = {
    "nothing": (b"", []),
    "one line": (b"{}\n", [b"{}"]),
    "two lines": (b"{}\n[]\n", [b"{}", b"[]"]),
    "no end": (b"{}\n[]", [b"{}", b"[]"]),
    "blank lines": (b"\n\n{}\n \n\t\r\n[]\n\n", [b"{}", b"[]"]),
    "line separators of Unicode are no line breaks": (
        '"\u2028\u0085"\n'.encode(),
        ['"\u2028\u0085"'.encode()],
    ),
}


@pytest.mark.parametrize(("wire", "lines"), ROWS.values(), ids=ROWS.keys())
def test_lines_are_read_whole_and_byte_by_byte(wire: bytes, lines: list[bytes]) -> None:
    assert read_whole(LineDecoder, wire) == lines
    assert read_bytewise(LineDecoder, wire) == lines


def test_a_carriage_return_stays_for_json_to_skip() -> None:
    assert [line.strip() for line in read_whole(LineDecoder, b"{}\r\n[]\r\n")] == [b"{}", b"[]"]


@given(lines=st.lists(st.from_regex(rb"[a-z{}]+", fullmatch=True)), data=st.data())
def test_what_is_written_is_read(lines: list[bytes], data: st.DataObject) -> None:
    wire = b"".join(encode_line(line) for line in lines)
    assert list(pump(LineDecoder(), draw_pieces(data, wire))) == lines


def test_a_line_comes_as_soon_as_it_is_whole() -> None:
    decoder = LineDecoder()
    assert decoder.feed(b"{") == []
    assert decoder.feed(b"}\n[") == [b"{}"]
    assert decoder.close() == [b"["]
    assert decoder.close() == []


@pytest.mark.parametrize("chunk", [b"aaaa", b"\naaaaaaaaaaaa"], ids=["bare", "after a line"])
def test_a_line_without_end_is_refused(chunk: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ndjson, "MAX_LINE_BYTES", 10)
    with pytest.raises(Malformed, match="longer than 10 bytes"):
        _ = list(pump(LineDecoder(), [chunk, b"a"] * 4))
