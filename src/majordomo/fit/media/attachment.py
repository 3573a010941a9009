"""One attachment made acceptable: what it really is decides, not what it is called."""

from typing import NamedTuple

from msgspec.structs import replace

from majordomo.contract import (
    Capabilities,
    Document,
    DocumentLimits,
    Image,
    ImageLimits,
    Note,
    Part,
    Text,
    Unsupported,
)
from majordomo.fit.image_cache import Encoded, ImageCache

from .limits import counted, within
from .pixels import Unreadable
from .shrink import shrink
from .sniff import Found, sniff

_KNOWN = frozenset(
    {
        "image/jpeg",
        "image/png",
        "image/gif",
        "image/webp",
        "image/avif",
        "image/heic",
        "image/heif",
        "image/bmp",
        "image/tiff",
        "application/pdf",
    }
)


class Placed(NamedTuple):
    part: Part
    note: Note | None = None


def is_fitting(image: Image, limits: ImageLimits) -> bool:
    """Whether it goes as it is. Looks at the header only."""
    found = sniff(image.data)
    return found is not None and found.mime == image.mime and within(found, len(image.data), limits)


def fit_attachment(
    part: Image | Document, where: str, capabilities: Capabilities, cache: ImageCache
) -> Placed:
    """Raises `Unsupported`, naming the place, when nothing can be done."""
    found = sniff(part.data)
    if found is not None and found.mime.startswith("image/"):
        return _image(part, found, where, capabilities.images, cache)
    if isinstance(part, Document):
        return _document(part, found, where, capabilities.documents)
    if found is not None:
        document = Document(data=part.data, mime=found.mime, artefact=part.artefact)
        placed = _document(document, found, where, capabilities.documents)
        why = f"called {part.mime}, but its bytes are {found.mime}"
        return placed._replace(note=Note(kind="repaired", what=where, why=why))
    return _unknown_image(part, where, capabilities.images)


def _image(
    part: Image | Document,
    found: Found,
    where: str,
    limits: ImageLimits | None,
    cache: ImageCache,
) -> Placed:
    if limits is None:
        raise Unsupported(f"{where} is an image and this target takes none", parameter=where)
    if within(found, len(part.data), limits):
        if isinstance(part, Image) and part.mime == found.mime:
            return Placed(part)
        why = f"called {part.mime}, but its bytes are {found.mime}"
        same = Image(data=part.data, mime=found.mime, artefact=part.artefact)
        return Placed(same, Note(kind="repaired", what=where, why=why))
    try:
        encoded = _shrunk(part.data, found, limits, cache)
    except Unreadable as error:
        raise Unsupported(f"{where} {error}", parameter=where) from error
    image = Image(data=encoded.data, mime=encoded.mime, artefact=part.artefact)
    if not encoded.why:
        return Placed(image)
    return Placed(image, Note(kind="downgraded", what=where, why=encoded.why))


def _shrunk(data: bytes, found: Found, limits: ImageLimits, cache: ImageCache) -> Encoded:
    key = cache.key(data, repr(limits))
    encoded = cache.get(key)
    if encoded is None:
        encoded = shrink(data, found, limits)
        cache.put(key, encoded)
    return encoded


def _unknown_image(part: Image, where: str, limits: ImageLimits | None) -> Placed:
    """A format we cannot read may still be one the target is declared to take."""
    if limits is None:
        raise Unsupported(f"{where} is an image and this target takes none", parameter=where)
    declared = part.mime in limits.mimes and part.mime not in _KNOWN
    length = counted(len(part.data), base64=limits.base64)
    if declared and part.data and (limits.max_bytes is None or length <= limits.max_bytes):
        return Placed(part)
    start = part.data[:8].hex(" ") or "nothing"
    raise Unsupported(f"{where} is no image of a known format: it begins with {start}")


def _document(
    part: Document, found: Found | None, where: str, limits: DocumentLimits | None
) -> Placed:
    mime = found.mime if found is not None else part.mime
    if found is None and part.mime == "application/pdf":
        raise Unsupported(f"{where} is called a PDF and is none", parameter=where)
    if limits is None or mime not in limits.mimes:
        return _inlined(part, mime, where)
    if limits.max_bytes is not None and len(part.data) > limits.max_bytes:
        problem = f"has {len(part.data)} bytes; {limits.max_bytes} are allowed"
        raise Unsupported(f"{where} {problem}", parameter=where)
    if mime == part.mime:
        return Placed(part)
    why = f"called {part.mime}, but its bytes are {mime}"
    return Placed(replace(part, mime=mime), Note(kind="repaired", what=where, why=why))


def _inlined(part: Document, mime: str, where: str) -> Placed:
    """A document that is text can always be told as text."""
    if mime.startswith("text/") or mime in {"application/json", "application/xml"}:
        try:
            text = part.data.decode()
        except UnicodeDecodeError:
            pass
        else:
            told = f'<document name="{part.name or "document"}">\n{text}\n</document>'
            note = Note(kind="mapped", what=where, why="its text is sent instead of the file")
            return Placed(Text(text=told), note)
    raise Unsupported(f"{where} is a document ({mime}) and this target takes none such")
