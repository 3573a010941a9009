"""Pictures a client names by URL instead of sending them.

A target of the client's own dialect fetches them itself. For any other the gateway would have to,
which it does only where that is allowed; otherwise it says so, because a request without its
picture is another request.
"""

from collections.abc import Awaitable, Callable
from typing import TypeAlias

from msgspec.structs import replace

from majordomo.contract import (
    DialectName,
    Image,
    Message,
    Opaque,
    Part,
    Request,
    ToolResult,
    Unsupported,
)
from majordomo.engine.chain import Chain
from majordomo.engine.model import Model

Fetch: TypeAlias = Callable[[str], Awaitable[tuple[bytes, str]]]  # URL -> bytes and MIME type


async def with_pictures(request: Request, model: Model, fetch: Fetch | None) -> Request:
    """Fetch what some target could not fetch itself, or say that it will not be."""
    return replace(
        request,
        messages=tuple(
            [
                replace(message, parts=await _fetched(message.parts, _dialects(model), fetch))
                if _names_pictures(message)
                else message
                for message in request.messages
            ]
        ),
    )


def names_pictures(request: Request) -> bool:
    """Say whether there is anything to fetch: nearly never, and found out in passing."""
    for message in request.messages:
        for part in message.parts:
            kind = type(part)
            if (kind is Opaque or kind is ToolResult) and _names_pictures(message):
                return True
    return False


def picture_url(part: Part) -> str:
    """Give the URL of a picture that is only named; empty for every other part."""
    if not isinstance(part, Opaque):
        return ""
    match part.value:
        case {"type": "image_url", "image_url": str(url) | {"url": str(url)}}:
            return url
        case {"type": "input_image", "image_url": str(url)}:
            return url
        case {"type": "image", "source": {"type": "url", "url": str(url)}}:
            return url
        case {"fileData": {"fileUri": str(url), "mimeType": str(mime)}} if mime.startswith("image"):
            return url
        case _:
            return ""


def _names_pictures(message: Message) -> bool:
    return any(picture_url(part) for part in _flat(message.parts))


def _flat(parts: tuple[Part, ...]) -> list[Part]:
    inner = [item for part in parts if isinstance(part, ToolResult) for item in part.content]
    return [*parts, *inner]


def _dialects(model: Model) -> frozenset[DialectName]:
    if isinstance(model, Chain):
        return frozenset(target.provider.dialect for target in model.targets)
    return frozenset()


async def _fetched(
    parts: tuple[Part, ...], dialects: frozenset[DialectName], fetch: Fetch | None
) -> tuple[Part, ...]:
    return tuple([await _part(part, dialects, fetch) for part in parts])


async def _part(part: Part, dialects: frozenset[DialectName], fetch: Fetch | None) -> Part:
    if isinstance(part, ToolResult):
        return replace(part, content=await _fetched(part.content, dialects, fetch))
    url = picture_url(part)
    if not url or not isinstance(part, Opaque) or dialects == frozenset({part.dialect}):
        return part
    if fetch is None or not url.startswith(("http://", "https://")):
        raise Unsupported(
            "this gateway does not fetch pictures: send the picture itself, as base64"
            if fetch is None
            else "a picture must be sent as base64 or named by an http URL",
            status=400,
            parameter="image_url",
        )
    data, mime = await fetch(url)
    return Image(data=data, mime=mime)
