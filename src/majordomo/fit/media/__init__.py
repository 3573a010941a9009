"""Images and documents made acceptable to one target, or refused with the reason."""

from collections.abc import Callable, Iterable

from msgspec.structs import replace

from majordomo.contract import (
    Capabilities,
    Document,
    Image,
    ImageLimits,
    Message,
    Note,
    Part,
    Request,
    ToolResult,
    Unsupported,
)
from majordomo.fit.goal import Goal
from majordomo.fit.image_cache import ImageCache
from majordomo.fit.shim import Fitted
from majordomo.fit.survey import MEDIA, has_media

from .attachment import fit_attachment, is_fitting
from .budget import ample_weight, attachments, encoded_length, share, weight
from .limits import crowded
from .relocate import relocate

__all__ = ["fit_media", "is_heavy"]


def fit_media(request: Request, goal: Goal) -> Fitted | None:
    if not goal.seen & MEDIA:
        return None
    found = tuple(attachments(request))
    if not found:  # left out meanwhile
        return None
    capabilities = _tightened(goal.capabilities, found)
    fitted = request
    notes: tuple[Note, ...] = ()
    if not _all_fit(found, capabilities.images) or _excess(request, capabilities) > 0:
        cache = goal.images if goal.images is not None else ImageCache()
        fitted, notes = _within_budget(request, capabilities, cache)
        found = tuple(attachments(fitted))
    _count(found, capabilities)
    placed, moved = relocate(fitted, dialect=goal.dialect, result_media=capabilities.result_media)
    notes = (*notes, *moved)
    return None if placed is request and not notes else Fitted(request=placed, notes=notes)


def is_heavy(request: Request, capabilities: Capabilities) -> bool:
    """Whether fitting means decoding an image: tens of milliseconds, not for an event loop."""
    if not has_media(request.messages):
        return False
    found = tuple(attachments(request))
    tight = _tightened(capabilities, found)
    if tight.images is None:
        return False  # refused without looking
    images = tuple(part for part in found if isinstance(part, Image))
    return not _all_fit(images, tight.images) or _excess(request, tight) > 0


def _all_fit(found: tuple[Image | Document, ...], limits: ImageLimits | None) -> bool:
    """Whether everything goes as it is, by a look at the headers; documents are not simple."""
    return limits is not None and all(
        isinstance(part, Image) and is_fitting(part, limits) for part in found
    )


def _tightened(capabilities: Capabilities, found: Iterable[Image | Document]) -> Capabilities:
    """Apply the crowd rule: it counts every image of the request, old turns and results too."""
    limits = capabilities.images
    if limits is None or limits.crowd is None:
        return capabilities
    tight = crowded(limits, sum(isinstance(part, Image) for part in found))
    return capabilities if tight is limits else replace(capabilities, images=tight)


def _within_budget(
    request: Request, capabilities: Capabilities, cache: ImageCache
) -> tuple[Request, tuple[Note, ...]]:
    fitted, notes = _each(request, capabilities, cache)
    within = _budgeted(fitted, capabilities)
    if within is not capabilities:
        fitted, notes = _each(request, within, cache)
        if _excess(fitted, within) > 0:
            raise Unsupported(f"the request is larger than {within.max_request_bytes} bytes")
    return fitted, notes


def _each(
    request: Request, capabilities: Capabilities, cache: ImageCache
) -> tuple[Request, tuple[Note, ...]]:
    notes: list[Note] = []

    def fit_one(part: Part, where: str) -> Part:
        if isinstance(part, ToolResult):
            content = _mapped(part.content, f"{where}.content", fit_one)
            return part if content is part.content else replace(part, content=content)
        if not isinstance(part, Image | Document):
            return part
        placed = fit_attachment(part, where, capabilities, cache)
        if placed.note is not None:
            notes.append(placed.note)
        return placed.part

    messages: list[Message] = []
    for index, message in enumerate(request.messages):
        parts = _mapped(message.parts, f"messages[{index}].parts", fit_one)
        messages.append(message if parts is message.parts else replace(message, parts=parts))
    if all(a is b for a, b in zip(messages, request.messages, strict=True)):
        return request, tuple(notes)
    return replace(request, messages=tuple(messages)), tuple(notes)


def _mapped(
    parts: tuple[Part, ...], where: str, fit_one: Callable[[Part, str], Part]
) -> tuple[Part, ...]:
    """Give the very same tuple when nothing in it changed."""
    mapped = tuple(fit_one(part, f"{where}[{index}]") for index, part in enumerate(parts))
    return parts if all(a is b for a, b in zip(mapped, parts, strict=True)) else mapped


def _budgeted(request: Request, capabilities: Capabilities) -> Capabilities:
    """Tighten the bytes of each image until the whole request is within its budget."""
    excess = _excess(request, capabilities)
    if excess <= 0:
        return capabilities
    limits = capabilities.images
    images = [part for part in attachments(request) if isinstance(part, Image)]
    spent = sum(encoded_length(image) for image in images)
    level = share((encoded_length(image) for image in images), spent - excess) if images else None
    if limits is None or level is None:
        problem = f"the request is {excess} bytes over {capabilities.max_request_bytes}"
        raise Unsupported(f"{problem} and its images cannot make that up")
    allowed = level - 128
    raw = allowed if limits.base64 else allowed // 4 * 3
    tight = raw if limits.max_bytes is None else min(raw, limits.max_bytes)
    return replace(capabilities, images=replace(limits, max_bytes=tight))


def _excess(request: Request, capabilities: Capabilities) -> int:
    budget = capabilities.max_request_bytes
    if budget is None:
        return 0
    media = sum(encoded_length(part) for part in attachments(request))
    if media + ample_weight(request) <= budget:
        return 0
    return weight(request) + media - budget


def _count(found: tuple[Image | Document, ...], capabilities: Capabilities) -> None:
    images = sum(isinstance(part, Image) for part in found)
    documents = len(found) - images
    if capabilities.images is not None:
        _refuse_more(images, capabilities.images.max_count, "images")
    if capabilities.documents is not None:
        _refuse_more(documents, capabilities.documents.max_count, "documents")


def _refuse_more(count: int, allowed: int | None, what: str) -> None:
    if allowed is not None and count > allowed:
        raise Unsupported(f"the request holds {count} {what}; {allowed} are allowed")
