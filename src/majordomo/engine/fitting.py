"""Where fitting is plugged in: one seam, before every attempt."""

import asyncio
from collections.abc import Callable
from functools import partial
from inspect import signature
from typing import TYPE_CHECKING, Protocol

from majordomo.contract import Capabilities, DialectName, Request
from majordomo.fit.plain import needs_nothing
from majordomo.fit.shim import Fitted
from majordomo.fit.survey import has_media

from .target import Target

if TYPE_CHECKING:
    from majordomo.fit import ImageCache


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
    dialect: DialectName,  # noqa: ARG001 -- as above
    target: str = "",  # noqa: ARG001 -- as above
) -> Fitted:
    """Change nothing; what the target cannot take, the backstop refuses."""
    return Fitted(request=request)


class _Steps(Protocol):
    """The signature of `majordomo.fit.fit`, which is loaded late."""

    def __call__(
        self,
        request: Request,
        capabilities: Capabilities,
        *,
        dialect: DialectName,
        target: str,
        partial: bool,
        images: "ImageCache | None",
    ) -> Fitted: ...


class WholePipeline:
    """Every step there is.

    They are loaded with the first request that may need one: that takes a tenth of a start.
    """

    __slots__ = ("_images", "_steps")

    def __init__(self) -> None:
        self._images: ImageCache | None = None
        self._steps: _Steps | None = None

    def __call__(
        self,
        request: Request,
        capabilities: Capabilities,
        *,
        dialect: DialectName,
        target: str = "",
        partial: bool = False,
    ) -> Fitted:
        if needs_nothing(request, capabilities, dialect):
            return Fitted(request=request)
        if self._steps is None:
            from majordomo.fit import ImageCache, fit  # noqa: PLC0415 -- heavy, and not always used

            self._steps = fit
            self._images = ImageCache()
        return self._steps(
            request,
            capabilities,
            dialect=dialect,
            target=target,
            partial=partial,
            images=self._images,
        )


def leaves_alone(fit: Fit) -> Callable[[Request, Capabilities, DialectName], bool]:
    """Give what tells at a glance that a fit would change nothing; for an unknown one, nothing."""
    return needs_nothing if isinstance(fit, WholePipeline) else _who_knows


def _who_knows(_: Request, __: Capabilities, ___: DialectName) -> bool:
    return False


def flowing(fit: Fit) -> Fit:
    """Let structured text out as it comes, where a fit can: the pipeline does, if it is told."""
    if "partial" not in signature(fit).parameters:
        return fit
    told: Fit = partial(fit, partial=True)  # type: ignore[call-arg]  # looked at just now
    return told


def fitted(fit: Fit, request: Request, target: Target) -> Fitted | None:
    """Fit on the spot; nothing when there are pictures to be worked on first."""
    if has_media(request.messages) and _is_heavy(request, target.capabilities):
        return None
    return fit(request, target.capabilities, dialect=target.provider.dialect, target=target.name)


async def fitted_aside(fit: Fit, request: Request, target: Target) -> Fitted:
    """Fit off the event loop: working on a picture takes tens of milliseconds."""
    return await asyncio.to_thread(
        fit, request, target.capabilities, dialect=target.provider.dialect, target=target.name
    )


def _is_heavy(request: Request, capabilities: Capabilities) -> bool:
    from majordomo.fit import is_heavy  # noqa: PLC0415 -- see `WholePipeline`

    return is_heavy(request, capabilities)
