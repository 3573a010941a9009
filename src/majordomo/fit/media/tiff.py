"""A TIFF's size from its first directory. https://www.itu.int/itudoc/itu-t/com16/tiff-fx/docs/tiff6.pdf."""

from typing import Literal, TypeAlias

_Order: TypeAlias = Literal["little", "big"]
_ORDERS: dict[bytes, _Order] = {b"II": "little", b"MM": "big"}
_WIDTH, _HEIGHT = 256, 257
_MAX_ENTRIES = 512
_LENGTHS = {3: 2, 4: 4, 16: 8}  # SHORT, LONG, LONG8


def read(data: bytes) -> tuple[int, int, bool] | None:
    """Give width, height and whether there are more pages; None if it is no TIFF."""
    order = _ORDERS[data[:2]]
    version = _number(data, 2, 2, order)
    if version == 42:
        return _read(data, _number(data, 4, 4, order), order, wide=False)
    if version == 43:  # BigTIFF
        return _read(data, _number(data, 8, 8, order), order, wide=True)
    return None


def _read(data: bytes, at: int, order: _Order, *, wide: bool) -> tuple[int, int, bool]:
    count_length, entry_length, value_at = (8, 20, 12) if wide else (2, 12, 8)
    count = _number(data, at, count_length, order)
    found = {_WIDTH: 0, _HEIGHT: 0}
    for index in range(min(count, _MAX_ENTRIES)):
        entry = at + count_length + index * entry_length
        tag = _number(data, entry, 2, order)
        if tag in found:
            length = _LENGTHS.get(_number(data, entry + 2, 2, order), 4)
            found[tag] = _number(data, entry + value_at, length, order)
        elif tag > _HEIGHT:  # tags stand in order
            break
    following = at + count_length + count * entry_length
    more = _number(data, following, 8 if wide else 4, order) != 0
    return found[_WIDTH], found[_HEIGHT], more


def _number(data: bytes, at: int, length: int, order: _Order) -> int:
    return int.from_bytes(data[at : at + length], order)
