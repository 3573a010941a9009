"""What bytes really are, told from their first few: callers lie about MIME types.

Only headers are read and nothing is decoded, so looking at an image that fits costs
microseconds, and a decompression bomb is known for one before it goes off.
"""

from collections.abc import Callable
from typing import NamedTuple

from . import bmff, gif, jpeg, tiff


class Found(NamedTuple):
    mime: str
    width: int = 0  # 0 where the header does not say
    height: int = 0
    animated: bool = False  # or of several pages

    @property
    def pixels(self) -> int:
        return self.width * self.height


def sniff(data: bytes) -> Found | None:
    """Name the format and the size; None for bytes of no format we know."""
    reader = _BY_FIRST_BYTES.get(data[:2])
    found = reader(data) if reader is not None else None
    if found is not None:
        return found
    if data[4:8] == b"ftyp":
        return _bmff(data)
    return Found("application/pdf") if b"%PDF-" in data[:1024] else None


_MAX_CHUNKS = 4096  # a file of nothing else would cost seconds
_ENDS = frozenset({b"", b"IDAT", b"acTL"})


def _jpeg(data: bytes) -> Found | None:
    if data[2:3] != b"\xff":
        return None
    return Found("image/jpeg", *jpeg.size(data))


def _png(data: bytes) -> Found | None:
    if not data.startswith(b"\x89PNG\r\n\x1a\n"):
        return None
    return Found("image/png", _big(data, 16, 4), _big(data, 20, 4), _is_apng(data))


def _is_apng(data: bytes) -> bool:
    """Look for `acTL`, which stands before the first `IDAT` (https://www.w3.org/TR/png-3/)."""
    at = 33  # behind IHDR
    for _ in range(_MAX_CHUNKS):
        kind = data[at + 4 : at + 8]
        if kind in _ENDS:
            return kind == b"acTL"
        at += 12 + _big(data, at, 4)
    return False


def _gif(data: bytes) -> Found | None:
    if data[:6] not in {b"GIF87a", b"GIF89a"}:
        return None
    return Found("image/gif", _little(data, 6, 2), _little(data, 8, 2), gif.is_animated(data))


def _webp(data: bytes) -> Found | None:
    """Read the first chunk: https://developers.google.com/speed/webp/docs/riff_container ."""
    if data[:4] != b"RIFF" or data[8:12] != b"WEBP":
        return None
    match data[12:16]:
        case b"VP8X":
            size = (_little(data, 24, 3) + 1, _little(data, 27, 3) + 1)
            return Found("image/webp", *size, bool(_little(data, 20, 1) & 2))
        case b"VP8L":
            bits = _little(data, 21, 4)
            return Found("image/webp", (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1)
        case b"VP8 ":
            return Found("image/webp", _little(data, 26, 2) & 0x3FFF, _little(data, 28, 2) & 0x3FFF)
        case _:
            return Found("image/webp")


def _bmp(data: bytes) -> Found | None:
    if len(data) < 26:
        return None
    if _little(data, 14, 4) == 12:  # the header of OS/2
        return Found("image/bmp", _little(data, 18, 2), _little(data, 20, 2))
    width = int.from_bytes(data[18:22], "little", signed=True)
    height = int.from_bytes(data[22:26], "little", signed=True)
    return Found("image/bmp", abs(width), abs(height))  # a negative height means top row first


def _tiff(data: bytes) -> Found | None:
    directory = tiff.read(data)
    return None if directory is None else Found("image/tiff", *directory)


def _bmff(data: bytes) -> Found | None:
    mime = bmff.mime(data)
    if mime is None:
        return None
    return Found(mime, *bmff.size(data), data[8:12] in bmff.SEQUENCES)


def _big(data: bytes, at: int, length: int) -> int:
    return int.from_bytes(data[at : at + length], "big")


def _little(data: bytes, at: int, length: int) -> int:
    return int.from_bytes(data[at : at + length], "little")


_BY_FIRST_BYTES: dict[bytes, Callable[[bytes], Found | None]] = {
    b"\xff\xd8": _jpeg,
    b"\x89P": _png,
    b"GI": _gif,
    b"RI": _webp,
    b"BM": _bmp,
    b"II": _tiff,
    b"MM": _tiff,
}
