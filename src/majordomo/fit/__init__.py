"""Making one request acceptable to one target: contract in, contract out, nothing lost unsaid.

The steps are loaded when the first request is fitted, not when a model is named.
"""

from importlib import import_module
from typing import TYPE_CHECKING

from .shim import Again, Fitted, Lift, Shim

if TYPE_CHECKING:
    from .image_cache import ImageCache
    from .media import is_heavy
    from .pipeline import fit

__all__ = ["Again", "Fitted", "ImageCache", "Lift", "Shim", "fit", "is_heavy"]

_HOMES = {"ImageCache": "image_cache", "fit": "pipeline", "is_heavy": "media"}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value: object = getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    globals()[name] = value
    return value
