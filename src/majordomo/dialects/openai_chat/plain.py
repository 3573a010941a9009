"""The grammar of nearly every chunk of a stream: a piece of text, or of one call's arguments.

Any other chunk fails to validate and is read the tolerant way. Validating while parsing costs
about a fifth of looking through a dict.
"""

from typing import Literal

import msgspec
from msgspec import Struct

from majordomo.contract import Usage


class PlainFunction(Struct, forbid_unknown_fields=True, gc=False):
    arguments: str | None = None
    name: str | None = None


class PlainFragment(Struct, forbid_unknown_fields=True, gc=False):
    index: int
    function: PlainFunction
    id: str | None = None
    type: str | None = None


class PlainDelta(Struct, gc=False):
    content: str | None = None
    reasoning_content: str | None = None
    reasoning: str | None = None
    refusal: None = None
    tool_calls: list[PlainFragment] | None = None
    function_call: None = None
    reasoning_details: None = None
    images: None = None


class PlainChoice(Struct, gc=False):
    delta: PlainDelta
    finish_reason: str | None = None
    stop_reason: str | int | None = None  # vLLM's
    index: Literal[0] = 0  # one choice is all that was asked for
    error: None = None


class _PromptDetails(Struct, gc=False):
    cached_tokens: int | None = None
    cache_write_tokens: int | None = None
    created_cache_tokens: int | None = None


class _CompletionDetails(Struct, gc=False):
    reasoning_tokens: int | None = None


class PlainUsage(Struct, gc=False):
    prompt_tokens: int
    completion_tokens: int
    prompt_tokens_details: _PromptDetails | None = None
    completion_tokens_details: _CompletionDetails | None = None
    prompt_cache_hit_tokens: int | None = None


class PlainChunk(Struct, gc=False):
    choices: list[PlainChoice]
    id: str = ""
    model: str = ""
    usage: PlainUsage | None = None
    error: None = None
    x_groq: None = None


class _TextDelta(Struct, gc=False):
    content: str | None = None
    reasoning_content: None = None
    reasoning: None = None
    refusal: None = None
    tool_calls: None = None
    function_call: None = None
    reasoning_details: None = None
    images: None = None


class _TextChoice(Struct, gc=False):
    delta: _TextDelta
    finish_reason: None = None
    index: Literal[0] = 0
    error: None = None


class TextChunk(Struct, gc=False):
    """A chunk that says nothing but a piece of text; all that is left to do is to take it."""

    choices: tuple[_TextChoice]
    usage: None = None
    error: None = None
    x_groq: None = None


decode_text_lines = msgspec.json.Decoder(TextChunk).decode_lines
decode_plain_lines = msgspec.json.Decoder(PlainChunk).decode_lines
NOT_PLAIN = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)


def plain_usage(wire: PlainUsage) -> Usage:
    """The same as `decode_usage` of the same counts."""
    prompt = wire.prompt_tokens_details or _NO_PROMPT
    completion = wire.completion_tokens_details or _NO_COMPLETION
    written = prompt.cache_write_tokens or prompt.created_cache_tokens or 0
    return Usage(
        input=max(0, wire.prompt_tokens),
        cached=max(0, prompt.cached_tokens or wire.prompt_cache_hit_tokens or 0),
        cache_write=max(0, written),
        output=max(0, wire.completion_tokens),
        reasoning=max(0, completion.reasoning_tokens or 0),
    )


_NO_PROMPT = _PromptDetails()
_NO_COMPLETION = _CompletionDetails()
