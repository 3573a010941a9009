"""What one image must become for one target, decided from its header alone."""

from math import sqrt
from typing import NamedTuple

from msgspec.structs import replace

from majordomo.contract import ImageLimits

from .sniff import Found

# Where Pillow itself begins to warn: 270 MB as RGB, more than any camera of these years.
MAX_DECODED_PIXELS = 89_478_485


class Change(NamedTuple):
    """Why an image cannot go as it is."""

    size: tuple[int, int] | None = None
    format: bool = False
    bytes: bool = False
    frames: bool = False


def counted(length: int, *, base64: bool) -> int:
    """Give the bytes as the target counts them: base64 is a third more."""
    return (length + 2) // 3 * 4 if base64 else length


def within(found: Found, length: int, limits: ImageLimits) -> bool:
    """Whether nothing need change: the question asked of every image of every request."""
    width, height = found.width, found.height
    return (
        width > 0 < height
        and found.mime in limits.mimes
        and (limits.animated or not found.animated)
        and (limits.max_side is None or (width <= limits.max_side and height <= limits.max_side))
        and (limits.max_pixels is None or width * height <= limits.max_pixels)
        and (limits.max_bytes is None or counted(length, base64=limits.base64) <= limits.max_bytes)
    )


def change(found: Found, length: int, limits: ImageLimits) -> Change:
    return Change(
        size=smaller(found.width, found.height, limits),
        format=found.mime not in limits.mimes,
        bytes=limits.max_bytes is not None
        and counted(length, base64=limits.base64) > limits.max_bytes,
        frames=found.animated and not limits.animated,
    )


def smaller(width: int, height: int, limits: ImageLimits) -> tuple[int, int] | None:
    """Give the largest size of the same shape within the limits; None if it is within already."""
    side, pixels = limits.max_side, limits.max_pixels
    longest = max(width, height)
    too_long = side is not None and longest > side
    too_many = pixels is not None and width * height > pixels
    if not (too_long or too_many):
        return None
    scale = 1.0
    if side is not None:
        scale = min(scale, side / longest)
    if pixels is not None:
        scale = min(scale, sqrt(pixels / (width * height)))
    scaled = (max(1, round(width * scale)), max(1, round(height * scale)))
    return _within(scaled, side, pixels)


def _within(size: tuple[int, int], side: int | None, pixels: int | None) -> tuple[int, int]:
    """Undo what rounding up did, and keep a very thin image within its pixels."""
    width, height = size
    if side is not None:
        width, height = min(width, side), min(height, side)
    if pixels is not None and width * height > pixels:
        if width >= height:
            width = max(1, pixels // height)
        else:
            height = max(1, pixels // width)
    return width, height


def crowded(limits: ImageLimits, count: int) -> ImageLimits:
    """Apply the rule that many images must each be smaller."""
    if limits.crowd is None or limits.crowd_side is None or count <= limits.crowd:
        return limits
    side = limits.crowd_side if limits.max_side is None else min(limits.max_side, limits.crowd_side)
    return replace(limits, max_side=side)
