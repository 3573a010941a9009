"""Requests to `/api/chat`, both ways. `stream` left out means true.

https://github.com/ollama/ollama/blob/main/docs/api.md#generate-a-chat-completion
"""

from majordomo.contract import Json, JsonObject, Malformed, Request
from majordomo.dialects.dialect import Ask, Call
from majordomo.dialects.json import optional_bool, optional_string, write

from .message import decode_messages, encode_messages
from .option import (
    decode_format,
    decode_options,
    decode_think,
    encode_format,
    encode_options,
    encode_think,
)
from .tool import decode_tools, encode_tools


def encode_request(request: Request, *, model: str, stream: bool) -> Call:
    extra = request.extra.get("*", {}) | request.extra.get("ollama", {})
    options = encode_options(request)
    if isinstance(given := extra.get("options"), dict):
        options |= given
    body: JsonObject = {"model": model, "messages": encode_messages(request), "stream": stream}
    optional: dict[str, Json] = {
        "tools": encode_tools(request.tools, request.tool_choice) or None,
        "format": encode_format(request.schema),
        "think": encode_think(request),
    }
    body |= {name: value for name, value in optional.items() if value is not None}
    body |= extra
    if options:
        body["options"] = options
    return Call(path="/api/chat", body=write(body))


def decode_request(body: JsonObject) -> Ask:
    system, messages = decode_messages(body.get("messages"), "messages")
    request = Request(
        system=system,
        messages=messages,
        tools=decode_tools(body.get("tools"), "tools"),
    )
    return ask(body, request, known=_KNOWN)


def ask(body: JsonObject, request: Request, *, known: frozenset[str]) -> Ask:
    """Read what `/api/chat` and `/api/generate` have in common."""
    model = optional_string(body, "model")
    if not model:
        raise Malformed("model", "is missing")
    options, rest = decode_options(body.get("options"))
    extra: JsonObject = {name: v for name, v in body.items() if name not in known and v is not None}
    if rest:
        extra["options"] = rest
    stream = optional_bool(body, "stream")
    return Ask(
        model=model,
        stream=True if stream is None else stream,
        request=request.with_options(**options)
        .with_options(**decode_think(body.get("think")))
        .with_options(
            schema=decode_format(body.get("format")), extra={"ollama": extra} if extra else {}
        ),
    )


_KNOWN = frozenset({"model", "messages", "stream", "tools", "format", "think", "options"})
