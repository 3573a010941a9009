"""Real and adversarial image files, made when asked for: every format, mode and trick."""

# Pillow's stubs name numpy, which is not installed.
# pyright: reportUnknownMemberType=false

import struct
import zlib
from collections.abc import Callable
from functools import cache
from io import BytesIO
from pathlib import Path

from PIL import Image, ImageDraw
from PIL.PngImagePlugin import PngInfo

_CHECKED_IN = Path(__file__).parents[1] / "fit" / "pictures"
_EXIF_ORIENTATION = 0x0112


@cache
def made(name: str) -> bytes:
    """Give one file of the gallery; each is made once."""
    return (GOOD | HOSTILE)[name]()


def picture(width: int = 100, height: int = 50, mode: str = "RGB") -> Image.Image:
    """A picture whose top left corner is red: turning or mirroring it shows."""
    made = Image.new("RGB", (width, height), (30, 90, 160))
    draw = ImageDraw.Draw(made)
    draw.rectangle((0, 0, max(1, width // 3), max(1, height // 3)), fill=(220, 20, 20))
    draw.line((0, 0, width, height), fill=(250, 250, 80), width=3)
    return made.convert(mode)


def noise(width: int, height: int) -> Image.Image:
    """Pixels no codec can squeeze."""
    return Image.merge("RGB", [Image.effect_noise((width, height), 80) for _ in range(3)])


def saved(made: Image.Image, format: str, **options: object) -> bytes:
    out = BytesIO()
    made.save(out, format, **options)
    return out.getvalue()


def animated(format: str, frames: int = 3, **options: object) -> bytes:
    made = [picture(60 + 10 * index, 40).resize((60, 40)) for index in range(frames)]
    for index, frame in enumerate(made):
        frame.putpixel((index, index), (index, 255, 0))
    return saved(made[0], format, save_all=True, append_images=made[1:], **options)


def turned(orientation: int) -> bytes:
    exif = Image.Exif()
    exif[_EXIF_ORIENTATION] = orientation
    return saved(picture(120, 60), "JPEG", exif=exif)


def png_claiming(width: int, height: int) -> bytes:
    """A tiny file whose header promises an enormous picture."""
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n"
        + _chunk(b"IHDR", header)
        + _chunk(b"IDAT", b"x")
        + _chunk(b"IEND", b"")
    )


def _chunk(kind: bytes, body: bytes) -> bytes:
    crc = zlib.crc32(kind + body)
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", crc)


def real_bomb() -> bytes:
    """Megabytes of zeros that inflate from kilobytes."""
    return saved(Image.new("1", (12_000, 9_000)), "PNG")


def jpeg_claiming(width: int, height: int) -> bytes:
    data = saved(picture(), "JPEG")
    at = data.index(b"\xff\xc0")
    return data[: at + 5] + struct.pack(">HH", height, width) + data[at + 9 :]


def gif_claiming(width: int, height: int) -> bytes:
    data = saved(picture(mode="P"), "GIF")
    return data[:6] + struct.pack("<HH", width, height) + data[10:]


def chatty_png() -> bytes:
    info = PngInfo()
    info.add_text("Comment", "secret place " * 50, zip=True)
    return saved(picture(), "PNG", pnginfo=info)


def sixteen_bit() -> Image.Image:
    made = Image.new("I;16", (64, 48))
    for x in range(64):
        for y in range(48):
            made.putpixel((x, y), x * 1024)
    return made


def _ramp() -> Image.Image:
    made = Image.new("F", (32, 32))
    for x in range(32):
        for y in range(32):
            made.putpixel((x, y), x / 31 * 0.5)
    return made


def _with_transparency() -> Image.Image:
    made = picture(mode="RGBA")
    made.putalpha(Image.linear_gradient("L").resize(made.size))
    return made


def _palette_with_hole() -> bytes:
    return saved(picture(mode="P"), "PNG", transparency=0)


GOOD: dict[str, Callable[[], bytes]] = {
    "jpeg": lambda: saved(picture(), "JPEG"),
    "jpeg progressive": lambda: saved(picture(), "JPEG", progressive=True),
    "jpeg grey": lambda: saved(picture(mode="L"), "JPEG"),
    "jpeg cmyk": lambda: saved(picture(mode="CMYK"), "JPEG"),
    "jpeg 4:4:4": lambda: saved(picture(), "JPEG", subsampling=0),
    "jpeg with restart markers": lambda: saved(picture(), "JPEG", restart_marker_rows=1),
    "jpeg with comment": lambda: saved(picture(), "JPEG", comment=b"secret place"),
    "jpeg of one pixel": lambda: saved(picture(1, 1), "JPEG"),
    "jpeg large": lambda: saved(picture(3000, 2000), "JPEG"),
    "jpeg tall": lambda: saved(picture(40, 5000), "JPEG"),
    "jpeg noisy": lambda: saved(noise(900, 700), "JPEG", quality=95),
    "jpeg turned 3": lambda: turned(3),
    "jpeg turned 5": lambda: turned(5),
    "jpeg turned 6": lambda: turned(6),
    "jpeg turned 8": lambda: turned(8),
    "jpeg turned nowhere": lambda: turned(99),
    "jpeg with trailing garbage": lambda: saved(picture(), "JPEG") + b"garbage" * 100,
    "jpeg padded with ff": lambda: _padded(saved(picture(), "JPEG")),
    "png": lambda: saved(picture(), "PNG"),
    "png with alpha": lambda: saved(_with_transparency(), "PNG"),
    "png grey with alpha": lambda: saved(_with_transparency().convert("LA"), "PNG"),
    "png palette": lambda: saved(picture(mode="P"), "PNG"),
    "png palette with hole": _palette_with_hole,
    "png one bit": lambda: saved(picture(mode="1"), "PNG"),
    "png sixteen bit": lambda: saved(sixteen_bit(), "PNG"),
    "png with comment": chatty_png,
    "png large": lambda: saved(picture(2500, 2500), "PNG"),
    "png noisy": lambda: saved(noise(700, 700), "PNG"),
    "png thin": lambda: saved(picture(4000, 1), "PNG"),
    "png animated": lambda: animated("PNG"),
    "gif": lambda: saved(picture(mode="P"), "GIF"),
    "gif animated": lambda: animated("GIF"),
    "gif animated for ever": lambda: animated("GIF", loop=0, duration=50),
    "gif with hole": lambda: saved(picture(mode="P"), "GIF", transparency=0),
    "gif grey": lambda: saved(picture(mode="L"), "GIF"),
    "webp": lambda: saved(picture(), "WEBP"),
    "webp lossless": lambda: saved(picture(), "WEBP", lossless=True),
    "webp with alpha": lambda: saved(_with_transparency(), "WEBP"),
    "webp lossless with alpha": lambda: saved(_with_transparency(), "WEBP", lossless=True),
    "webp animated": lambda: animated("WEBP"),
    "webp large": lambda: saved(picture(2600, 1300), "WEBP"),
    "avif": lambda: saved(picture(), "AVIF"),
    "avif with alpha": lambda: saved(_with_transparency(), "AVIF"),
    "avif animated": lambda: animated("AVIF"),
    "bmp": lambda: saved(picture(), "BMP"),
    "bmp palette": lambda: saved(picture(mode="P"), "BMP"),
    "bmp one bit": lambda: saved(picture(mode="1"), "BMP"),
    "tiff": lambda: saved(picture(), "TIFF"),
    "tiff of three pages": lambda: animated("TIFF"),
    "tiff deflated": lambda: saved(picture(), "TIFF", compression="tiff_deflate"),
    "tiff cmyk": lambda: saved(picture(mode="CMYK"), "TIFF"),
    "tiff float": lambda: saved(_ramp(), "TIFF"),
    "tiff sixteen bit": lambda: saved(sixteen_bit(), "TIFF"),
    "tiff big": lambda: saved(picture(), "TIFF", big_tiff=True),
    "tiff lab": lambda: saved(picture(mode="LAB"), "TIFF"),
}

HOSTILE: dict[str, Callable[[], bytes]] = {
    "zero bytes": lambda: b"",
    "one byte": lambda: b"\xff",
    "text": lambda: b"I am no picture",
    "html": lambda: b"<!DOCTYPE html><html></html>",
    "svg": lambda: b'<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>',
    "zip": lambda: b"PK\x03\x04" + b"\0" * 60,
    "jpeg of two bytes": lambda: b"\xff\xd8",
    "jpeg header only": lambda: saved(picture(), "JPEG")[:200],
    "jpeg cut in half": lambda: _half(saved(noise(300, 300), "JPEG")),
    "jpeg bomb": lambda: jpeg_claiming(65_000, 65_000),
    "jpeg without size": lambda: jpeg_claiming(0, 0),
    "jpeg of markers": lambda: b"\xff\xd8" + b"\xff\xd0" * 200_000,
    "jpeg of padding": lambda: b"\xff\xd8" + b"\xff" * 400_000,
    "png signature only": lambda: b"\x89PNG\r\n\x1a\n",
    "png cut in half": lambda: _half(saved(noise(200, 200), "PNG")),
    "png bomb by header": lambda: png_claiming(60_000, 60_000),
    "png beyond measure": lambda: png_claiming(2**31 - 1, 2**31 - 1),
    "png of no size": lambda: png_claiming(0, 0),
    "png bomb for real": real_bomb,
    "png of tiny chunks": lambda: saved(picture(), "PNG")[:33] + _chunk(b"tEXt", b"") * 50_000,
    "png damaged": lambda: _damaged(saved(picture(), "PNG")),
    "gif header only": lambda: b"GIF89a",
    "gif cut": lambda: _half(saved(noise(120, 120).convert("P"), "GIF")),
    "gif bomb": lambda: gif_claiming(65_535, 65_535),
    "gif of tiny blocks": lambda: (
        saved(picture(mode="P"), "GIF")[:-1] + b"\x21\xfe" + b"\x01x" * 100_000
    ),
    "webp header only": lambda: b"RIFF\x20\0\0\0WEBPVP8 ",
    "webp cut": lambda: _half(saved(noise(120, 120), "WEBP")),
    "webp of nothing known": lambda: b"RIFF\x20\0\0\0WEBPABCD" + b"\0" * 40,
    "avif cut": lambda: _half(saved(noise(120, 120), "AVIF")),
    "bmp header only": lambda: b"BM" + b"\0" * 30,
    "bmp bomb": lambda: _bmp_claiming(60_000, 60_000),
    "tiff header only": lambda: b"II*\0\x08\0\0\0",
    "tiff lost": lambda: b"MM\0*\xff\xff\xff\xff",
    "tiff cut": lambda: _half(saved(noise(120, 120), "TIFF")),
    "heic": (_CHECKED_IN / "red-64x32.heic").read_bytes,
    "heic cut": lambda: (_CHECKED_IN / "red-64x32.heic").read_bytes()[:60],
    "ftyp of a film": lambda: b"\0\0\0\x18ftypisom\0\0\0\0isommp42" + b"\0" * 40,
    "pdf called an image": lambda: b"%PDF-1.7\n1 0 obj\n",
}


def _half(data: bytes) -> bytes:
    return data[: len(data) // 2]


def _padded(jpeg: bytes) -> bytes:
    return jpeg[:2] + b"\xff" * 20 + jpeg[2:]


def _damaged(png: bytes) -> bytes:
    middle = png.index(b"IDAT") + 10
    return png[:middle] + b"\0\0\0\0" + png[middle + 4 :]


def _bmp_claiming(width: int, height: int) -> bytes:
    data = saved(picture(), "BMP")
    return data[:18] + struct.pack("<ii", width, height) + data[26:]
