"""Whether a GIF moves. https://www.w3.org/Graphics/GIF/spec-gif89a.txt."""

_MAX_BLOCKS = 500_000  # 128 MB of honest ones; a file of tiny ones would cost seconds
_LOST = -1


def is_animated(data: bytes) -> bool:
    """Walk the blocks until a second picture begins. Skips pixels, decodes none."""
    pictures = 0
    at = 13 + _colours(data, 10)
    while 0 <= at < len(data):
        kind = data[at]
        if kind == 0x21:  # an extension
            at = _behind_blocks(data, at + 2)
        elif kind == 0x2C:
            pictures += 1
            if pictures == 2:
                return True
            at = _behind_blocks(data, at + 11 + _colours(data, at + 9))
        else:
            return False  # the trailer, or garbage
    return False


def _colours(data: bytes, at: int) -> int:
    flags = data[at] if at < len(data) else 0
    return 3 * (2 << (flags & 7)) if flags & 0x80 else 0


def _behind_blocks(data: bytes, at: int) -> int:
    for _ in range(_MAX_BLOCKS):
        if at >= len(data) or not data[at]:
            return at + 1
        at += data[at] + 1
    return _LOST
