"""Images as Ollama has them: base64 without a MIME type, on the message and not in its text."""

from collections.abc import Iterator

from majordomo.contract import Image, Json
from majordomo.dialects.json import items, string_at
from majordomo.dialects.media import decode_base64, decode_data_url, encode_base64


def encode_image(image: Image) -> str:
    return encode_base64(image.data)


def decode_images(wire: Json, where: str) -> Iterator[Image]:
    """Read `images`; clients of other servers prefix `data:` and mean the same."""
    for item, at in items(wire if wire is not None else [], where):
        text = string_at(item, at)
        data = decode_data_url(text, at)[0] if text.startswith("data:") else decode_base64(text, at)
        yield Image(data=data, mime=_mime(data))


def _mime(data: bytes) -> str:
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return "image/webp"
    for magic, mime in _MAGIC:
        if data.startswith(magic):
            return mime
    return "application/octet-stream"


_MAGIC = (
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"GIF8", "image/gif"),
    (b"BM", "image/bmp"),
)
