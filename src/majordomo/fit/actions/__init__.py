"""Tool calling for models that only chat: see `docs/actions.md`."""

from .emulation import ActionShim, shim
from .parse import parse
from .refusal import Category, refusal
from .report import ActionReport
from .rescue import rescue

__all__ = ["ActionReport", "ActionShim", "Category", "parse", "refusal", "rescue", "shim"]
