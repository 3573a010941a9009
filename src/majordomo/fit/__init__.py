"""Making one request acceptable to one target: contract in, contract out, nothing lost unsaid."""

from .image_cache import ImageCache
from .media import is_heavy
from .pipeline import fit
from .shim import Again, Fitted, Lift, Shim

__all__ = ["Again", "Fitted", "ImageCache", "Lift", "Shim", "fit", "is_heavy"]
