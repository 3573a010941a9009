"""The whole request, both ways.

https://platform.claude.com/docs/en/api/messages
"""

from majordomo.contract import Json, JsonObject, Malformed, Options, Request
from majordomo.dialects.dialect import Ask, Call, Wire
from majordomo.dialects.json import (
    items,
    object_at,
    optional_bool,
    optional_int,
    optional_number,
    optional_string,
    sparse,
    string_at,
    write,
)

from .message import decode_messages, decode_system, encode_messages, encode_system, split_system
from .part import NAME
from .reasoning import decode_format, decode_output, decode_thinking, encode_output, encode_thinking
from .tool import decode_choice, decode_tools, encode_choice, encode_tools

PATH = "/v1/messages"
DEFAULT_VERSION = "2023-06-01"
WITHOUT_SAMPLING = "2026-10-21"  # from this version on, any sampling field is refused


def decode_request(body: JsonObject, *, model: str = "", stream: bool | None = None) -> Ask:
    fields = sparse(body)
    asked = optional_bool(fields, "stream") if stream is None else stream
    system, leading = decode_system(fields.get("system"))
    request = Request(
        messages=(*leading, *decode_messages(fields.get("messages"))),
        system=system,
        tools=decode_tools(fields.get("tools")),
        tool_choice=decode_choice(fields.get("tool_choice")),
        max_tokens=optional_int(fields, "max_tokens"),
        temperature=optional_number(fields, "temperature"),
        top_p=optional_number(fields, "top_p"),
        top_k=optional_int(fields, "top_k"),
        stop=_decode_stop(fields),
    )
    if not fields.keys() <= _PLAIN:
        request = _with_more(request, fields)
    return Ask(model=_model(fields, model), stream=bool(asked), request=request)


def encode_request(request: Request, *, model: str, stream: bool, wire: Wire) -> Call:
    version = wire.version or DEFAULT_VERSION
    extra = {**request.extra.get("*", {}), **request.extra.get(NAME, {})} if request.extra else {}
    headers = {"anthropic-version": version}
    betas = _betas(extra.pop("betas", None)) if extra else ""
    if betas:
        headers["anthropic-beta"] = betas
    body = encode_body(request, wire)
    body["model"] = model
    body |= _merged(request, extra)
    if stream:
        body["stream"] = True
    if version < WITHOUT_SAMPLING:
        body |= _encode_sampling(request)
    return Call(path=PATH, body=write(body), headers=headers)


def encode_body(request: Request, wire: Wire) -> JsonObject:
    """Write what every call to this endpoint says: the model and the extras aside."""
    leading, rest = split_system(request.messages)
    tools = encode_tools(request.tools)
    return sparse(
        {
            "max_tokens": _max_tokens(request, wire),
            "system": encode_system(request.system, leading),
            "messages": encode_messages(rest),
            "tools": tools or None,
            "tool_choice": encode_choice(request.tool_choice) if tools else None,
            "stop_sequences": list(request.stop) or None,
            "metadata": _encode_metadata(request.metadata),
            "thinking": encode_thinking(request),
        }
    )


def _with_more(request: Request, fields: JsonObject) -> Request:
    """Add what few requests say: in other words than others, or only here."""
    options, extra = _decode_options(fields)
    extra |= {key: value for key, value in fields.items() if key not in _MODELLED}
    if extra:
        options["extra"] = {NAME: extra}
    return request.with_options(**options)


def _decode_stop(fields: JsonObject) -> tuple[str, ...]:
    if "stop_sequences" not in fields:
        return ()
    return tuple(string_at(*item) for item in items(fields["stop_sequences"], "stop_sequences"))


def _decode_options(fields: JsonObject) -> tuple[Options, JsonObject]:
    """Read what is said in other words here: thinking, effort, format, metadata."""
    options: Options = {}
    extra: JsonObject = {}
    if "thinking" in fields:
        options, extra = decode_thinking(sparse(object_at(fields["thinking"], "thinking")))
    if "output_config" in fields:
        output = sparse(object_at(fields["output_config"], "output_config"))
        said, rest = decode_output(output, disabled="reasoning_effort" in options)
        options |= said
        if rest:
            extra["output_config"] = rest
    if "output_format" in fields:  # the older name of output_config.format
        schema = decode_format(fields["output_format"])
        if schema is None:
            extra["output_format"] = fields["output_format"]
        else:
            options.setdefault("schema", schema)
    if "metadata" in fields:
        metadata = object_at(fields["metadata"], "metadata")
        user = metadata.get("user_id")
        if isinstance(user, str) and len(metadata) == 1:
            options["metadata"] = {"user_id": user}
        else:
            extra["metadata"] = metadata
    return options, extra


def _model(fields: JsonObject, given: str) -> str:
    model = optional_string(fields, "model") or given
    if not model:
        raise Malformed("model", "is missing")
    return model


def _max_tokens(request: Request, wire: Wire) -> int:
    if request.max_tokens is not None:
        return request.max_tokens
    # max_tokens counts the thinking too and must be above its budget.
    return wire.default_max_tokens + max(0, request.reasoning_budget or 0)


def _encode_metadata(metadata: dict[str, str]) -> JsonObject | None:
    return {"user_id": metadata["user_id"]} if "user_id" in metadata else None


def _encode_sampling(request: Request) -> JsonObject:
    return sparse(
        {"temperature": request.temperature, "top_p": request.top_p, "top_k": request.top_k}
    )


def _merged(request: Request, extra: JsonObject) -> JsonObject:
    """Let extras be said beside the request; `output_config` is shared, field by field."""
    output = encode_output(request)
    beside = extra.get("output_config")
    if isinstance(beside, dict):
        output |= beside
    return {**extra, "output_config": output} if output else extra


def _betas(wire: Json) -> str:
    match wire:
        case str():
            return wire
        case list():
            return ",".join(beta for beta in wire if isinstance(beta, str))
        case _:
            return ""


_PLAIN = frozenset(
    {
        "model",
        "messages",
        "system",
        "tools",
        "tool_choice",
        "max_tokens",
        "temperature",
        "top_p",
        "top_k",
        "stop_sequences",
        "stream",
    }
)
_MODELLED = _PLAIN | {"metadata", "thinking", "output_config", "output_format"}
