"""The last look before sending: what a target cannot take is refused, not sent and hoped for."""

from majordomo.contract import (
    Capabilities,
    Document,
    DocumentLimits,
    Image,
    ImageLimits,
    Part,
    Request,
    ToolResult,
    Unsupported,
)

from .survey import has_media


def check(request: Request, capabilities: Capabilities) -> None:
    """Raise `Unsupported` naming the first thing this target cannot take.

    Fitting has done this already for requests that came through it; a model built by hand is
    kept honest here. Only what is cheap to see is looked at: pixels are fitting's business.
    """
    if request.tools and capabilities.tools != "native":
        raise Unsupported("this target takes no tools", parameter="tools")
    if request.schema is not None:
        _check_schema(request.schema, capabilities)
    if not has_media(request.messages):
        return
    images, documents = _media(request)
    if images:
        _check_images(images, capabilities.images)
    if documents:
        _check_documents(documents, capabilities.documents)


def _check_schema(schema: object, capabilities: Capabilities) -> None:
    if schema and capabilities.structured != "native":
        raise Unsupported("this target takes no schema for its output", parameter="schema")
    if not schema and not capabilities.json_mode:
        raise Unsupported("this target has no JSON mode", parameter="schema")


def _media(request: Request) -> tuple[list[tuple[str, Image]], list[tuple[str, Document]]]:
    images: list[tuple[str, Image]] = []
    documents: list[tuple[str, Document]] = []

    def collect(parts: tuple[Part, ...], where: str) -> None:
        for index, part in enumerate(parts):
            if isinstance(part, Image):
                images.append((f"{where}[{index}]", part))
            elif isinstance(part, Document):
                documents.append((f"{where}[{index}]", part))
            elif isinstance(part, ToolResult):
                collect(part.content, f"{where}[{index}].content")

    for index, message in enumerate(request.messages):
        collect(message.parts, f"messages[{index}].parts")
    return images, documents


def _check_images(images: list[tuple[str, Image]], limits: ImageLimits | None) -> None:
    if limits is None:
        raise Unsupported("this target takes no images", parameter=images[0][0])
    _check_count("images", len(images), limits.max_count)
    for where, image in images:
        size = (len(image.data) + 2) // 3 * 4 if limits.base64 else len(image.data)
        _check_one(where, (image.mime, limits.mimes), (size, limits.max_bytes))


def _check_documents(documents: list[tuple[str, Document]], limits: DocumentLimits | None) -> None:
    if limits is None:
        raise Unsupported("this target takes no documents", parameter=documents[0][0])
    _check_count("documents", len(documents), limits.max_count)
    for where, document in documents:
        _check_one(where, (document.mime, limits.mimes), (len(document.data), limits.max_bytes))


def _check_count(what: str, count: int, limit: int | None) -> None:
    if limit is not None and count > limit:
        raise Unsupported(f"{count} {what}; this target takes {limit}", parameter="messages")


def _check_one(where: str, mime: tuple[str, tuple[str, ...]], size: tuple[int, int | None]) -> None:
    given, taken = mime
    if given not in taken:
        raise Unsupported(
            f"{given} at {where}; this target takes {', '.join(taken)}", parameter=where
        )
    count, limit = size
    if limit is not None and count > limit:
        raise Unsupported(f"{count} bytes at {where}; this target takes {limit}", parameter=where)
