"""Tokens, counted one way for all dialects."""

from msgspec import Struct


class Usage(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """`input` includes what was cached, `output` includes reasoning; all zero means unknown."""

    input: int = 0
    cached: int = 0
    cache_write: int = 0
    output: int = 0
    reasoning: int = 0

    @property
    def total(self) -> int:
        return self.input + self.output

    @property
    def known(self) -> bool:
        return bool(self.input or self.output)

    def __add__(self, other: "Usage") -> "Usage":
        return Usage(
            input=self.input + other.input,
            cached=self.cached + other.cached,
            cache_write=self.cache_write + other.cache_write,
            output=self.output + other.output,
            reasoning=self.reasoning + other.reasoning,
        )


UNKNOWN = Usage()
