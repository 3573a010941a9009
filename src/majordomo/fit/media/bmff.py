"""AVIF and HEIC: which one, and how large. ISO/IEC 14496-12 boxes, ISO/IEC 23008-12 `ispe`."""

SEQUENCES = frozenset({b"avis", b"hevc", b"hevx", b"msf1"})

_MIMES = {
    b"avif": "image/avif",
    b"avis": "image/avif",
    b"heic": "image/heic",
    b"heix": "image/heic",
    b"hevc": "image/heic",
    b"hevx": "image/heic",
    b"heim": "image/heic",
    b"heis": "image/heic",
    b"mif1": "image/heif",
    b"msf1": "image/heif",
}
_HEADER_BYTES = 256 * 1024  # boxes that describe stand before the pixels


def mime(data: bytes) -> str | None:
    """Tell by the brands of `ftyp`; `mif1` is claimed by both, so it counts last."""
    length = min(int.from_bytes(data[:4], "big"), 512)
    brands = [data[8:12], *(data[at : at + 4] for at in range(16, length, 4))]
    known = [_MIMES[brand] for brand in brands if brand in _MIMES]
    return min(known, key=lambda name: name == "image/heif") if known else None


def size(data: bytes) -> tuple[int, int]:
    """Give the largest extent: a grid names its tiles and its thumbnail as well as itself."""
    best = (0, 0)
    at = data.find(b"ispe", 0, _HEADER_BYTES)
    while at >= 0:
        width = int.from_bytes(data[at + 8 : at + 12], "big")
        height = int.from_bytes(data[at + 12 : at + 16], "big")
        best = max(best, (width, height), key=lambda extent: extent[0] * extent[1])
        at = data.find(b"ispe", at + 4, _HEADER_BYTES)
    return best
