"""What the contestants of the library benchmark have in common."""

from collections.abc import Awaitable, Callable
from typing import TypeAlias

PROMPT = "Say word a hundred times."
EXPECTED = "word " * 100

# Each gives the text, so that all have done the same work.
Ask: TypeAlias = Callable[[], Awaitable[str]]
