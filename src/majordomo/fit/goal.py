"""What one request is being fitted to, and the shape of a step that does some of it."""

from collections.abc import Callable
from typing import TypeAlias

from msgspec import Struct

from majordomo.contract import Capabilities, DialectName, Request

from .image_cache import ImageCache
from .shim import Fitted
from .survey import Seen


class Goal(Struct, frozen=True, kw_only=True):
    capabilities: Capabilities
    dialect: DialectName
    seen: Seen  # in the request as the first step finds it
    partial: bool = False  # let structured text out before it is whole and checked
    images: ImageCache | None = None


# None says that the request is fine as it is: the common answer, and it costs nothing.
Pass: TypeAlias = Callable[[Request, Goal], Fitted | None]
