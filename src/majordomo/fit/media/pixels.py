"""Pixels out of bytes and back into bytes, with Pillow, which is only imported here.

Hostile bytes make codecs raise almost anything; here it becomes `Unreadable` and nothing else.
"""

from importlib import import_module
from io import BytesIO
from typing import TYPE_CHECKING

from majordomo.contract import ImageLimits

from .limits import MAX_DECODED_PIXELS, smaller

if TYPE_CHECKING:
    from PIL.Image import Image as Picture
    from PIL.Image import Transpose

FORMATS = {
    "image/jpeg": "JPEG",
    "image/png": "PNG",
    "image/webp": "WEBP",
    "image/gif": "GIF",
    "image/avif": "AVIF",
    "image/bmp": "BMP",
    "image/tiff": "TIFF",
}
LOSSY = frozenset({"image/jpeg", "image/webp", "image/avif"})

_READERS = {**FORMATS, "image/heic": "HEIF", "image/heif": "HEIF"}
_ORIENTATION = 0x0112
_WHITE = (255, 255, 255)


class Unreadable(ValueError):
    """The bytes are no picture that can be decoded; the message says why."""


def decode(data: bytes, mime: str, limits: ImageLimits) -> "Picture":
    """Decode the first frame, upright, no larger than allowed, 8-bit, without metadata."""
    try:
        return _decode(data, mime, limits)
    except Unreadable:
        raise
    except Exception as error:  # codecs raise anything on hostile bytes
        raise Unreadable(f"cannot be decoded: {error or type(error).__name__}") from error


def encode(picture: "Picture", mime: str, quality: int) -> bytes:
    """Write it; what the format cannot hold (alpha, mostly) is flattened on white."""
    out = BytesIO()
    ready = _opaque(picture) if mime in {"image/jpeg", "image/bmp"} else picture
    if mime in LOSSY:
        ready.save(out, FORMATS[mime], quality=quality)
    else:
        ready.save(out, FORMATS[mime])
    return out.getvalue()


def resize(picture: "Picture", size: tuple[int, int]) -> "Picture":
    from PIL.Image import Resampling  # noqa: PLC0415 -- 40 ms nobody should pay at import

    # Pillow's stubs name numpy, which is not installed.
    return picture.resize(  # pyright: ignore[reportUnknownMemberType]
        size, Resampling.BICUBIC, reducing_gap=2.0
    )


def _decode(data: bytes, mime: str, limits: ImageLimits) -> "Picture":
    from PIL import Image  # noqa: PLC0415 -- 40 ms nobody should pay at import

    if mime in {"image/heic", "image/heif"}:
        _learn_heif()
    opened = Image.open(BytesIO(data), formats=(_READERS[mime],))
    if opened.width * opened.height > MAX_DECODED_PIXELS:
        raise Unreadable(f"has {opened.width}x{opened.height} pixels: too many to decode")
    turn = _turn(opened)
    size = smaller(opened.width, opened.height, limits)
    if size is not None:
        # JPEG can be decoded at a half, a quarter, an eighth: it saves most of the time.
        opened.draft(None, size)
    picture = _plain(opened)
    if size is not None and picture.size != size:
        picture = resize(picture, size)
    if turn is not None:
        picture = picture.transpose(turn)
    picture.load()
    picture.info = {}  # comments, profiles and thumbnails would be written out again
    return picture


def _learn_heif() -> None:
    """HEIC is covered by patents, so Pillow has no decoder; `pillow-heif` brings one."""
    try:
        plugin = import_module("pillow_heif")
    except ImportError:
        raise Unreadable("is HEIC, which needs the package pillow-heif to be converted") from None
    plugin.register_heif_opener()


def _turn(picture: "Picture") -> "Transpose | None":
    """https://www.cipa.jp/std/documents/e/DC-008-2012_E.pdf page 37: tag Orientation."""
    from PIL.Image import Transpose  # noqa: PLC0415 -- as above

    turns = {
        2: Transpose.FLIP_LEFT_RIGHT,
        3: Transpose.ROTATE_180,
        4: Transpose.FLIP_TOP_BOTTOM,
        5: Transpose.TRANSPOSE,
        6: Transpose.ROTATE_270,
        7: Transpose.TRANSVERSE,
        8: Transpose.ROTATE_90,
    }
    try:
        orientation = picture.getexif().get(_ORIENTATION)
    except Exception:  # noqa: BLE001 -- broken EXIF is no reason to refuse a good picture
        return None
    return turns.get(orientation) if isinstance(orientation, int) else None


def _plain(picture: "Picture") -> "Picture":
    """Bring any mode to one of L, LA, RGB, RGBA: what resizing and every codec understands."""
    mode = picture.mode
    if mode in {"RGB", "L"} and "transparency" not in picture.info:
        return picture
    if mode in {"RGBA", "LA"}:
        return picture
    if mode == "1":
        return picture.convert("L")
    if mode == "F" or mode.startswith("I"):
        return _eight_bit(picture)
    if "transparency" in picture.info or mode in {"PA", "RGBa", "La"}:
        return picture.convert("RGBA")
    return picture.convert("RGB")


def _eight_bit(picture: "Picture") -> "Picture":
    if picture.mode.startswith("I;16"):
        wide = picture.convert("I")
        return _scaled(wide, 1 / 256, 0.0)
    low, high = picture.convert("F").getextrema()
    if not isinstance(low, int | float) or not isinstance(high, int | float) or high <= low:
        return picture.convert("L")
    scale = 255.0 / (high - low)
    floats = picture.convert("F")
    return _scaled(floats, scale, -low * scale)


def _scaled(picture: "Picture", scale: float, offset: float) -> "Picture":
    # As above: the stubs name numpy.
    scaled = picture.point(  # pyright: ignore[reportUnknownMemberType]
        lambda value: value * scale + offset
    )
    return scaled.convert("L")


def _opaque(picture: "Picture") -> "Picture":
    from PIL import Image  # noqa: PLC0415 -- as above

    if picture.mode not in {"RGBA", "LA"}:
        return picture
    flat = Image.new("RGB", picture.size, _WHITE)
    colour = picture.convert("RGBA")
    flat.paste(colour, mask=colour.getchannel("A"))
    return flat
