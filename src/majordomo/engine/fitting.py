"""Where fitting is plugged in: one seam, before every attempt."""

import asyncio
from functools import partial
from inspect import signature
from typing import Protocol

from majordomo.contract import Capabilities, DialectName, Request
from majordomo.fit import Fitted, is_heavy

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


def flowing(fit: Fit) -> Fit:
    """Let structured text out as it comes, where a fit can: the pipeline does, if it is told."""
    if "partial" not in signature(fit).parameters:
        return fit
    told: Fit = partial(fit, partial=True)  # type: ignore[call-arg]  # looked at just now
    return told


async def fitted(fit: Fit, request: Request, target: Target) -> Fitted:
    """Fit on the spot, or off the event loop when there are pictures to be worked on."""
    work = partial(
        fit,
        request,
        target.capabilities,
        dialect=target.provider.dialect,
        target=target.name,
    )
    if is_heavy(request, target.capabilities):
        return await asyncio.to_thread(work)
    return work()
