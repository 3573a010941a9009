"""Where fitting is plugged in: one seam, before every attempt."""

import asyncio
from functools import partial
from typing import Protocol

from majordomo.contract import (
    Capabilities,
    DialectName,
    Document,
    Image,
    Part,
    Request,
    ToolResult,
)
from majordomo.fit.shim import Fitted

from .target import Target


class Fit(Protocol):
    """Make one request acceptable to one target, or raise `Unsupported`."""

    def __call__(
        self,
        request: Request,
        capabilities: Capabilities,
        *,
        dialect: DialectName,
        target: str = "",
    ) -> Fitted: ...


def as_it_is(
    request: Request,
    capabilities: Capabilities,  # noqa: ARG001 -- the shape of `Fit`
    *,
    dialect: DialectName,  # noqa: ARG001
    target: str = "",  # noqa: ARG001
) -> Fitted:
    """Change nothing; what the target cannot take, the backstop refuses."""
    return Fitted(request=request)


async def fitted(fit: Fit, request: Request, target: Target) -> Fitted:
    """Fit on the spot, or off the event loop when there are pictures to work on."""
    work = partial(
        fit,
        request,
        target.capabilities,
        dialect=target.provider.dialect,
        target=target.name,
    )
    if any(_has_media(message.parts) for message in request.messages):
        return await asyncio.to_thread(work)
    return work()


def _has_media(parts: tuple[Part, ...]) -> bool:
    return any(
        isinstance(part, Image | Document)
        or (isinstance(part, ToolResult) and _has_media(part.content))
        for part in parts
    )
