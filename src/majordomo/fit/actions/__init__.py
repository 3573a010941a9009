"""Tool calling for models that only chat."""

from .parse import parse

__all__ = ["parse"]
