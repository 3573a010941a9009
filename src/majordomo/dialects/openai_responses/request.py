"""The whole request, both ways.

https://platform.openai.com/docs/api-reference/responses/create
"""

from typing import get_args

from msgspec.structs import replace

from majordomo.contract import Json, JsonObject, Malformed, ReasoningEffort, Request, Thinking
from majordomo.dialects.artefact import own
from majordomo.dialects.dialect import Ask, Call
from majordomo.dialects.json import (
    object_at,
    optional_bool,
    optional_int,
    optional_number,
    optional_string,
    sparse,
    string_at,
    write,
)

from .message import decode_input, encode_input
from .part import NAME, rest_of
from .tool import decode_choice, decode_tools, encode_choice, encode_tools, places


def encode_request(request: Request, *, model: str, stream: bool) -> Call:
    known = places(request.tools)
    body = sparse(
        {
            "model": model,
            "stream": stream or None,
            "instructions": request.system or None,
            "input": encode_input(request.messages, known),
            "max_output_tokens": request.max_tokens,
            "temperature": request.temperature,
            "top_p": request.top_p,
            "metadata": {**request.metadata} or None,
            "text": encode_format(request),
            "reasoning": encode_reasoning_options(request),
        }
    )
    if tools := encode_tools(request.tools):
        body["tools"] = tools
        body.update(_encode_choice(request))
    body.update(_defaults(request))
    for extra in (request.extra.get("*", {}), request.extra.get(NAME, {})):
        _merge(body, extra)
    if not stream:
        body.pop("stream_options", None)  # refused where there is no stream
    return Call(path="/responses", body=write(body))


def decode_request(body: JsonObject, *, model: str = "", stream: bool | None = None) -> Ask:
    choice, other_choice = decode_choice(body)
    request = Request(
        messages=decode_input(body.get("input")),
        system=optional_string(body, "instructions") or "",
        tools=decode_tools(body.get("tools")),
        tool_choice=choice,
        max_tokens=optional_int(body, "max_output_tokens"),
        temperature=optional_number(body, "temperature"),
        top_p=optional_number(body, "top_p"),
        metadata=_decode_metadata(body.get("metadata")),
    )
    extra = rest_of(body, _MODELLED)
    if other_choice is not None:
        extra["tool_choice"] = other_choice
    request = _with_format(request, body.get("text"), extra)
    request = _with_reasoning(request, body.get("reasoning"), extra)
    for name, value in _defaults(request).items():
        if extra.get(name) == value:
            del extra[name]
    asked = optional_bool(body, "stream") or False
    return Ask(
        model=model or optional_string(body, "model") or "",
        stream=asked if stream is None else stream,
        request=replace(request, extra={NAME: extra}) if extra else request,
    )


def encode_format(request: Request) -> JsonObject | None:
    if request.schema is None:
        return None
    if not request.schema:
        return {"format": {"type": "json_object"}}
    described = sparse(
        {
            "type": "json_schema",
            "name": request.schema_name,
            "schema": request.schema,
            "strict": request.schema_strict,
        }
    )
    return {"format": described}


def encode_reasoning_options(request: Request) -> JsonObject | None:
    wire = sparse(
        {
            "effort": request.reasoning_effort,
            "summary": "auto" if request.show_thinking else None,
        }
    )
    return wire or None


_MODELLED = frozenset(
    {
        "model",
        "stream",
        "input",
        "instructions",
        "tools",
        "tool_choice",
        "parallel_tool_calls",
        "max_output_tokens",
        "temperature",
        "top_p",
        "metadata",
        "text",
        "reasoning",
    }
)
_EFFORTS: dict[str, ReasoningEffort] = {effort: effort for effort in get_args(ReasoningEffort)}
_ENCRYPTED = "reasoning.encrypted_content"


def _defaults(request: Request) -> JsonObject:
    """Give what we ask for when nobody said otherwise: nothing is kept by the service.

    We hold the whole history and any other target may serve the next turn, so a copy stored
    there is of no use and a copy too many. Reasoning must then travel with us, encrypted. It
    comes unasked from today's service; older ones want it named, and models that do not
    reason refuse to hear of it, so it is named only where reasoning is in play.
    """
    wire: JsonObject = {"store": False}
    asked = request.show_thinking or request.reasoning_effort not in {None, "none"}
    if asked or _reasoned(request):
        wire["include"] = [_ENCRYPTED]
    return wire


def _reasoned(request: Request) -> bool:
    return any(
        isinstance(part, Thinking) and bool(own(part.artefact, NAME))
        for message in request.messages
        for part in message.parts
    )


def _encode_choice(request: Request) -> JsonObject:
    choice = request.tool_choice
    wire: JsonObject = {}
    if choice.mode != "auto" or choice.allowed:
        wire["tool_choice"] = encode_choice(choice, places(request.tools))
    if choice.parallel is not None:
        wire["parallel_tool_calls"] = choice.parallel
    return wire


def _merge(body: JsonObject, extra: JsonObject) -> None:
    """Lay extra fields over the body; objects both have (`text`, `reasoning`) are joined."""
    for name, value in extra.items():
        mine = body.get(name)
        if isinstance(mine, dict) and isinstance(value, dict):
            joint = {**mine}
            _merge(joint, value)
            body[name] = joint
        else:
            body[name] = value


def _decode_metadata(wire: Json) -> dict[str, str]:
    if wire is None:
        return {}
    metadata = object_at(wire, "metadata")
    return {name: string_at(value, f"metadata.{name}") for name, value in metadata.items()}


def _with_format(request: Request, wire: Json, extra: JsonObject) -> Request:
    if wire is None:
        return request
    text = object_at(wire, "text")
    rest = rest_of(text, {"format"})
    described = object_at(text.get("format") or {}, "text.format")
    match described.get("type"):
        case "json_schema":
            request = replace(
                request,
                schema=object_at(described.get("schema"), "text.format.schema"),
                schema_name=optional_string(described, "name", "text.format") or "response",
                schema_strict=optional_bool(described, "strict", "text.format"),
            )
            if more := rest_of(described, {"type", "schema", "name", "strict"}):
                rest["format"] = more
        case "json_object":
            request = replace(request, schema={})
        case "text" | None:
            pass
        case _:
            raise Malformed("text.format.type", "is not text, json_object or json_schema")
    if rest:
        extra["text"] = rest
    return request


def _with_reasoning(request: Request, wire: Json, extra: JsonObject) -> Request:
    if wire is None:
        return request
    reasoning = sparse(object_at(wire, "reasoning"))
    effort = reasoning.get("effort")
    if isinstance(effort, str) and effort in _EFFORTS:
        request = replace(request, reasoning_effort=_EFFORTS[effort])
        del reasoning["effort"]
    if summary := reasoning.get("summary"):
        request = replace(request, show_thinking=True)
        if summary == "auto":
            del reasoning["summary"]
    if reasoning:
        extra["reasoning"] = reasoning
    return request
