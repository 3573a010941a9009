"""The response object, both ways.

https://platform.openai.com/docs/api-reference/responses/object
"""

from collections.abc import Mapping

from majordomo.contract import Json, JsonObject, Malformed, Part, Response, Text, ToolCall, Usage
from majordomo.dialects.dialect import Ask, Stamp
from majordomo.dialects.json import objects, write

from .failure import decode_spoken
from .finish import decode_finish
from .item import decode_call, decode_item
from .part import NAME
from .request import encode_format, encode_reasoning_options
from .tool import Place, encode_choice, encode_tools
from .usage import decode_usage, encode_usage


def decode_response(wire: JsonObject) -> Response:
    """Read a whole reply; one that failed raises what it says."""
    if wire.get("status") == "failed" or (wire.get("error") and "output" not in wire):
        raise decode_spoken(wire)
    if not isinstance(wire.get("output"), list):
        raise Malformed("output", "is not a list")
    parts: list[Part] = []
    refused = False
    for item, at in objects(wire.get("output"), "output"):
        parts.extend(decode_output(item, at, call=sum(isinstance(p, ToolCall) for p in parts)))
        refused = refused or refuses(item)
    reason, native = decode_finish(
        wire,
        called=any(isinstance(part, ToolCall) for part in parts),
        refused=refused,
        status="completed",
    )
    return Response(
        parts=tuple(parts),
        finish_reason=reason,
        finish_native=native,
        usage=decode_usage(wire.get("usage")),
        model=text_of(wire, "model"),
        id=text_of(wire, "id"),
        raw=wire,
    )


def decode_output(item: JsonObject, where: str, *, call: int) -> list[Part]:
    """Read one item of a reply; `call` numbers a tool call that comes without an id."""
    if item.get("type") in ("function_call", "custom_tool_call"):
        return [decode_call(item, where, default_id=f"call_{call}")]
    return [p for p in decode_item(item, where) if not isinstance(p, Text) or p.text]


def refuses(item: JsonObject) -> bool:
    match item:
        case {"type": "message", "content": list(content)}:
            return any(isinstance(p, dict) and p.get("type") == "refusal" for p in content)
        case _:
            return False


def text_of(wire: JsonObject, name: str) -> str:
    value = wire.get(name)
    return value if isinstance(value, str) else ""


class Envelope:
    """Writes the object around the output.

    It repeats the whole request and goes out three times a stream, so what stays the same is
    written once: with an agent's forty kilobytes of tools that is most of the work.
    """

    __slots__ = ("_fixed", "id")

    def __init__(self, ask: Ask, stamp: Stamp, known: Mapping[str, Place]) -> None:
        self.id = f"resp_{stamp.id}"
        self._fixed = write(_fixed(ask, stamp, self.id, known))[:-1]

    def write(
        self,
        status: str,
        output: list[Json],
        *,
        usage: Usage | None = None,
        details: JsonObject | None = None,
        error: JsonObject | None = None,
    ) -> bytes:
        changing: JsonObject = {
            "status": status,
            "error": error,
            "incomplete_details": details,
            "output": output,
            "usage": None if usage is None else encode_usage(usage),
        }
        return b"%b,%b" % (self._fixed, write(changing)[1:])


# Dialect-only fields of the request that the response repeats.
_ECHOED = (
    "max_tool_calls",
    "previous_response_id",
    "prompt_cache_key",
    "safety_identifier",
    "store",
    "truncation",
    "user",
)


def _fixed(ask: Ask, stamp: Stamp, id: str, known: Mapping[str, Place]) -> JsonObject:
    request = ask.request
    extra = request.extra.get(NAME, {})
    options: JsonObject = {"effort": None, "summary": None}
    if request.reasoning_effort is not None or request.show_thinking:
        options |= encode_reasoning_options(request) or {}
    choice = encode_choice(request.tool_choice, known)
    fixed: JsonObject = {
        "id": id,
        "object": "response",
        "created_at": stamp.created,
        "model": stamp.model,
        "instructions": request.system or None,
        "max_output_tokens": request.max_tokens,
        "metadata": {**request.metadata},
        "parallel_tool_calls": request.tool_choice.parallel is not False,
        "reasoning": options,
        "store": False,
        "temperature": request.temperature,
        "text": encode_format(request) or {"format": {"type": "text"}},
        "tool_choice": extra.get("tool_choice", choice),
        "tools": encode_tools(request.tools),
        "top_p": request.top_p,
        "truncation": "disabled",
    }
    if extra:
        fixed |= {name: extra[name] for name in _ECHOED if name in extra}
    return fixed
