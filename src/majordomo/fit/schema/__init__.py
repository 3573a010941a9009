"""JSON Schema said in the subset one target takes, and values turned back."""

from .lower import Lowered, lower
from .merge import Unlowerable
from .subset import SUBSETS, Subset
from .undo import Undo, restore

__all__ = ["SUBSETS", "Lowered", "Subset", "Undo", "Unlowerable", "lower", "restore"]
