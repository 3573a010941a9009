"""Requests to `generateContent`, both ways. The URL says the model and whether to stream.

https://ai.google.dev/api/generate-content#request-body
"""

from urllib.parse import quote

from majordomo.contract import Json, JsonObject, Malformed, Request
from majordomo.dialects.dialect import Ask, Call, Wire
from majordomo.dialects.json import optional_string, write

from .casing import camel
from .family import wants_signatures
from .message import decode_contents, decode_system, encode_contents
from .option import decode_config, encode_config
from .tool import decode_choice, decode_tools, encode_choice, encode_tools

_DEFAULT_VERSION = "v1beta"


def encode_request(request: Request, *, model: str, stream: bool, wire: Wire) -> Call:
    system, contents = encode_contents(request, stand_in=wants_signatures(model))
    tools = encode_tools(request.tools)
    body: JsonObject = {"contents": contents}
    if system:
        body["systemInstruction"] = {"parts": system}
    if tools:
        body["tools"] = tools
        body["toolConfig"] = encode_choice(request.tool_choice)
    body["generationConfig"] = encode_config(request, model)
    extra = request.extra.get("*", {}) | request.extra.get("gemini", {})
    body = _merged(body, extra)
    filled: JsonObject = {name: value for name, value in body.items() if value != {}}
    return Call(path=_path(model, wire.version, stream=stream), body=write(filled))


def decode_request(body: JsonObject, *, model: str = "", stream: bool | None = None) -> Ask:
    wire = camel(body)
    name = (model or optional_string(wire, "model") or "").removeprefix("models/")
    if not name:
        raise Malformed("model", "is missing")
    system, leading = decode_system(wire.get("systemInstruction"))
    choice, choice_rest = decode_choice(wire.get("toolConfig"), "toolConfig")
    options, config_rest = decode_config(wire.get("generationConfig"))
    extra: JsonObject = {n: v for n, v in wire.items() if n not in _KNOWN and v is not None}
    if choice_rest:
        extra["toolConfig"] = choice_rest
    if config_rest:
        extra["generationConfig"] = config_rest
    request = Request(
        system=system,
        messages=(*leading, *decode_contents(_contents(wire))),
        tools=decode_tools(wire.get("tools"), "tools"),
        tool_choice=choice,
        extra={"gemini": extra} if extra else {},
    )
    return Ask(model=name, stream=bool(stream), request=request.with_options(**options))


_KNOWN = frozenset(
    {"model", "contents", "systemInstruction", "tools", "toolConfig", "generationConfig"}
)


def _contents(wire: JsonObject) -> Json:
    contents = wire.get("contents")
    if contents in (None, []):
        raise Malformed("contents", "is missing or empty")
    return contents


def _path(model: str, version: str, *, stream: bool) -> str:
    name = model if model.startswith(("models/", "tunedModels/")) else f"models/{model}"
    verb = "streamGenerateContent?alt=sse" if stream else "generateContent"
    return f"/{version or _DEFAULT_VERSION}/{quote(name)}:{verb}"


def _merged(base: JsonObject, over: JsonObject) -> JsonObject:
    """Lay one object over another; what both hold as objects is merged in turn."""
    merged = dict(base)
    for name, value in over.items():
        match merged.get(name), value:
            case dict(below), dict(above):
                merged[name] = _merged(below, above)
            case _:
                merged[name] = value
    return merged
