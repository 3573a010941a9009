"""Making one image acceptable: the right format, small enough, within its bytes."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from majordomo.contract import ImageLimits
from majordomo.fit.image_cache import Encoded

from .limits import MAX_DECODED_PIXELS, Change, change, counted
from .pixels import FORMATS, LOSSY, Unreadable, decode, encode, resize
from .sniff import Found

if TYPE_CHECKING:
    from PIL.Image import Image as Picture

LADDER = (85, 65, 45, 30)
_LAST_TRIES = 4  # at ever smaller sizes, when the ladder was not enough


def shrink(data: bytes, found: Found, limits: ImageLimits) -> Encoded:
    """Give an image within the limits.

    Raises `Unreadable` with the reason when that cannot be done.
    """
    if found.pixels > MAX_DECODED_PIXELS:
        raise Unreadable(f"has {found.width}x{found.height} pixels: too many to decode")
    mime = _format(found.mime, limits.mimes)
    picture = decode(data, found.mime, limits)
    return _within_bytes(picture, mime, limits, _why(found, change(found, len(data), limits)))


class _Try(NamedTuple):
    mime: str
    quality: int
    shrunk: bool


def _format(own: str, allowed: tuple[str, ...]) -> str:
    """Its own format if allowed, else JPEG, else PNG, else the first one that can be written."""
    for mime in (own, "image/jpeg", "image/png", *allowed):
        if mime in allowed and mime in FORMATS:
            return mime
    raise Unreadable(f"is {own}; nothing this target takes ({', '.join(allowed)}) can be written")


def _within_bytes(picture: "Picture", mime: str, limits: ImageLimits, why: str) -> Encoded:
    length = 0
    for attempt in _tries(mime, limits):
        if attempt.shrunk:
            half = _halved(picture, length, limits)
            if half is None:
                break
            picture = half
        data = encode(picture, attempt.mime, attempt.quality)
        length = counted(len(data), base64=limits.base64)
        if limits.max_bytes is None or length <= limits.max_bytes:
            return Encoded(data, attempt.mime, f"{why}; {picture.width}x{picture.height} now")
    raise Unreadable(f"cannot be made smaller than {length} bytes; {limits.max_bytes} are allowed")


def _tries(mime: str, limits: ImageLimits) -> Iterator[_Try]:
    """Down the quality ladder, then smaller. What has no quality becomes JPEG, if it may."""
    lossy = mime
    if mime not in LOSSY:
        yield _Try(mime, LADDER[0], shrunk=False)
        lossy = "image/jpeg" if "image/jpeg" in limits.mimes else mime
    if lossy in LOSSY:
        for quality in LADDER:
            yield _Try(lossy, quality, shrunk=False)
    for _ in range(_LAST_TRIES):
        yield _Try(lossy, LADDER[-1], shrunk=True)


def _halved(picture: "Picture", length: int, limits: ImageLimits) -> "Picture | None":
    """Halve both sides, as often as the last length says it will take."""
    width, height = picture.width // 2, picture.height // 2
    wanted = limits.max_bytes or length
    while length > 6 * wanted and width > 1 and height > 1:
        width, height, length = width // 2, height // 2, length // 4
    if width < 1 or height < 1:
        return None
    return resize(picture, (width, height))


def _why(found: Found, changed: Change) -> str:
    reasons = [f"was {found.mime} {found.width}x{found.height}"]
    if changed.format:
        reasons.append("a format it does not take")
    if changed.size is not None:
        reasons.append("larger than it takes")
    if changed.bytes:
        reasons.append("more bytes than it takes")
    if changed.frames:
        reasons.append("only the first frame is kept")
    return ", ".join(reasons)
