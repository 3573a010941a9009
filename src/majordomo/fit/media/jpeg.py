"""A JPEG's size from its frame header. https://www.w3.org/Graphics/JPEG/itu-t81.pdf annex B."""

# SOF0..SOF15, without DHT (C4), JPG (C8) and DAC (CC), which share the range.
_FRAMES = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
_MAX_MARKERS = 4096  # a file of nothing else would cost seconds
_BARE = frozenset({0x01, *range(0xD0, 0xD8)})  # markers without a length


def size(data: bytes) -> tuple[int, int]:
    """Give width and height, or zeros when no frame header is found."""
    at = 2
    end = len(data) - 9
    for _ in range(_MAX_MARKERS):
        if at >= end or data[at] != 0xFF:
            return (0, 0)
        marker = data[at + 1]
        if marker == 0xFF:  # padding
            at += 1
            continue
        if marker in _BARE:
            at += 2
            continue
        if marker in _FRAMES:
            return (data[at + 7] << 8 | data[at + 8], data[at + 5] << 8 | data[at + 6])
        at += 2 + max(2, data[at + 2] << 8 | data[at + 3])
    return (0, 0)
