"""Request bodies as they come: perhaps compressed, and then bounded in what they unpack to."""

import zlib

from majordomo.contract import InvalidRequest

from .exchange import too_large

_WINDOWS = {"gzip": 31, "x-gzip": 31, "deflate": 15}


def unpacked(body: bytes, encoding: str, limit: int) -> bytes:
    """Undo `content-encoding`; a small body that unpacks to a huge one is refused on the way."""
    encoding = encoding.strip().lower()
    if encoding in ("", "identity"):
        return body
    if encoding not in _WINDOWS:
        raise InvalidRequest(
            f"content-encoding {encoding!r} is not read here; send gzip or none", status=415
        )
    unzip = zlib.decompressobj(_WINDOWS[encoding])
    try:
        plain = unzip.decompress(body, limit + 1)
    except zlib.error as error:
        raise InvalidRequest(f"the body is not valid {encoding}: {error}", status=400) from error
    if len(plain) > limit:
        raise too_large(limit)
    if not unzip.eof:
        raise InvalidRequest(f"the body is not whole {encoding}", status=400)
    return plain
