"""Requests, both ways.

https://platform.openai.com/docs/api-reference/chat/create
"""

from typing import get_args

from majordomo.contract import AUTO, Json, JsonObject, Malformed, ReasoningEffort, Request
from majordomo.dialects.dialect import Ask, Call, Wire
from majordomo.dialects.json import (
    optional_bool,
    optional_int,
    optional_number,
    optional_string,
    sparse,
    write,
)

from .attribute import NAME, inner, rest
from .format import decode_format, encode_format
from .message import decode_messages, encode_messages
from .tool import decode_choice, decode_tools, encode_choice, encode_tool

_EFFORTS: dict[str, ReasoningEffort] = {effort: effort for effort in get_args(ReasoningEffort)}
_KNOWN = frozenset(
    {
        "model",
        "messages",
        "stream",
        "stream_options",
        "tools",
        "functions",
        "tool_choice",
        "function_call",
        "parallel_tool_calls",
        "response_format",
        "max_tokens",
        "max_completion_tokens",
        "temperature",
        "top_p",
        "top_k",
        "presence_penalty",
        "frequency_penalty",
        "stop",
        "seed",
        "random_seed",
        "reasoning_effort",
        "metadata",
        "n",
    }
)

# All that most requests say.
_PLAIN = frozenset({"model", "messages", "stream", "tools", "max_tokens", "temperature", "top_p"})


def encode_request(request: Request, *, model: str, stream: bool, wire: Wire) -> Call:
    body: JsonObject = {"model": model, "messages": [*encode_messages(request, wire)]}
    if request.tools:
        body |= _encode_tools(request, wire)
    extra = request.extra.get(NAME, {}) | request.extra.get("*", {}) if request.extra else {}
    body |= _encode_options(request, wire, extra)
    if stream:
        body |= _encode_stream(extra, usage=wire.stream_usage)
    if extra:
        body |= rest(extra, {"response_format", "stream_options"})
    return Call(path="/chat/completions", body=write(body))


def _encode_options(request: Request, wire: Wire, extra: JsonObject) -> JsonObject:
    return sparse(
        {
            "response_format": encode_format(request, extra.get("response_format")),
            wire.max_tokens_field: request.max_tokens,
            "temperature": request.temperature,
            "top_p": request.top_p,
            "top_k": request.top_k,  # not OpenAI's, but most compatibles read it
            "presence_penalty": request.presence_penalty,
            "frequency_penalty": request.frequency_penalty,
            "stop": list(request.stop) or None,
            wire.seed_field: request.seed,
            "reasoning_effort": request.reasoning_effort,
            "metadata": {**request.metadata} or None,
        }
    )


def decode_request(body: JsonObject, *, model: str = "", stream: bool | None = None) -> Ask:
    if (optional_int(body, "n") or 1) > 1:
        raise Malformed("n", "is not supported above 1")
    asked = optional_bool(body, "stream") or False
    options = inner(body, "stream_options")
    return Ask(
        model=model or _model(body),
        stream=asked if stream is None else stream,
        request=_decode(body),
        stream_usage=options.get("include_usage") is True,
    )


def _encode_tools(request: Request, wire: Wire) -> JsonObject:
    encoded = [encode_tool(tool) for tool in request.tools]
    offered: list[Json] = [definition for definition in encoded if definition is not None]
    if not offered:
        return {}
    choice = request.tool_choice
    if choice is AUTO:
        return {"tools": offered}
    tools = {tool.name: tool for tool in request.tools}
    return sparse(
        {
            "tools": offered,
            "tool_choice": encode_choice(choice, tools, wire),
            "parallel_tool_calls": choice.parallel,
        }
    )


def _encode_stream(extra: JsonObject, *, usage: bool) -> JsonObject:
    options = ({"include_usage": True} if usage else {}) | inner(extra, "stream_options")
    return {"stream": True, "stream_options": options} if options else {"stream": True}


def _model(body: JsonObject) -> str:
    name = optional_string(body, "model")
    if not name:
        raise Malformed("model", "is missing")
    return name


def _decode(body: JsonObject) -> Request:
    if body.get("messages") in (None, []):
        raise Malformed("messages", "is missing or empty")
    system, messages = decode_messages(body["messages"])
    request = Request(
        system=system,
        messages=messages,
        tools=decode_tools(body),
        max_tokens=optional_int(body, "max_tokens"),
        temperature=optional_number(body, "temperature"),
        top_p=optional_number(body, "top_p"),
    )
    return request if body.keys() <= _PLAIN else _with_more(request, body)


def _with_more(request: Request, body: JsonObject) -> Request:
    """Add what fewer requests say."""
    extra = rest(body, _KNOWN)
    form = decode_format(body, extra)
    most = optional_int(body, "max_completion_tokens")
    seed = optional_int(body, "seed")
    metadata = _decode_metadata(body, extra)
    effort = _decode_effort(body, extra)
    options = rest(inner(body, "stream_options"), {"include_usage"})
    if options:
        extra["stream_options"] = options
    return request.with_options(
        tool_choice=decode_choice(body),
        schema=form.schema,
        schema_name=form.name,
        schema_strict=form.strict,
        max_tokens=request.max_tokens if most is None else most,
        top_k=optional_int(body, "top_k"),
        presence_penalty=optional_number(body, "presence_penalty"),
        frequency_penalty=optional_number(body, "frequency_penalty"),
        stop=_decode_stop(body.get("stop")),
        seed=optional_int(body, "random_seed") if seed is None else seed,
        reasoning_effort=effort,
        metadata=metadata,
        extra={NAME: extra} if extra else {},
    )


def _decode_stop(wire: Json) -> tuple[str, ...]:
    match wire:
        case None:
            return ()
        case str():
            return (wire,)
        case list() if all(isinstance(item, str) for item in wire):
            return tuple(item for item in wire if isinstance(item, str))
        case _:
            raise Malformed("stop", "is neither a string nor a list of strings")


def _decode_metadata(body: JsonObject, extra: JsonObject) -> dict[str, str]:
    """Take pairs of strings; anything else some server may want goes along untouched."""
    wire = body.get("metadata")
    if isinstance(wire, dict) and all(isinstance(value, str) for value in wire.values()):
        return {name: value for name, value in wire.items() if isinstance(value, str)}
    if wire is not None:
        extra["metadata"] = wire
    return {}


def _decode_effort(body: JsonObject, extra: JsonObject) -> ReasoningEffort | None:
    """Take the efforts we know; a server's own word for one goes along untouched."""
    word = optional_string(body, "reasoning_effort")
    if word and word not in _EFFORTS:
        extra["reasoning_effort"] = word
    return _EFFORTS.get(word or "")
