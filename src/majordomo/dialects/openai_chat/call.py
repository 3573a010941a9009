"""Tool calls, both ways."""

from majordomo.contract import Json, JsonObject, Malformed, ToolCall
from majordomo.dialects.artefact import seal, unseal
from majordomo.dialects.json import arguments_text, object_at, optional_string

from .attribute import NAME, artefact_of, attributes_of, inner, rest

KNOWN = frozenset({"index", "id", "type", "function", "custom"})
_SEAL = "majordomo"  # our place in `extra_content`, as `google` is Gemini's


def encode_call(call: ToolCall) -> JsonObject:
    attributes = attributes_of(call.artefact)
    if attributes.get("type") == "custom":
        custom: JsonObject = {"name": call.name, "input": call.arguments}
        return {"id": call.id, **attributes, "custom": custom}
    function: JsonObject = {"name": call.name, "arguments": call.arguments}
    return {"id": call.id, "type": "function", "function": function, **attributes}


def decode_call(wire: JsonObject, where: str) -> ToolCall:
    """Read a call; its id may be empty, the caller knows what others there are."""
    name, arguments = name_and_arguments(wire, where)
    if not name:
        raise Malformed(where, "names no function")
    return ToolCall(
        id=optional_string(wire, "id", where) or "",
        name=name,
        arguments=arguments if is_custom(wire) else arguments or "{}",
        artefact=artefact_of(call_attributes(wire)),
    )


def serve_call(call: ToolCall) -> JsonObject:
    """Encode a call for a client: a foreign artefact goes along sealed, to be echoed."""
    wire = encode_call(call)
    if call.artefact is not None and call.artefact.dialect != NAME:
        wire["extra_content"] = {_SEAL: seal(call.artefact)}
    return wire


def unseal_call(call: ToolCall) -> ToolCall:
    """Take back the artefact `serve_call` sent along."""
    sealed = inner(attributes_of(call.artefact), "extra_content").get(_SEAL)
    artefact = unseal(sealed) if isinstance(sealed, str) else None
    if artefact is None:
        return call
    return ToolCall(id=call.id, name=call.name, arguments=call.arguments, artefact=artefact)


def name_and_arguments(wire: JsonObject, where: str) -> tuple[str, str]:
    """Read what a call, or a fragment of one, says; arguments come as text or as an object."""
    if is_custom(wire):
        custom = object_at(wire.get("custom"), f"{where}.custom")
        name = optional_string(custom, "name", f"{where}.custom")
        return name or "", optional_string(custom, "input", f"{where}.custom") or ""
    function: Json = wire.get("function")
    if function is None:
        return "", ""
    function = object_at(function, f"{where}.function")
    name = optional_string(function, "name", f"{where}.function")
    arguments = function.get("arguments")
    return name or "", "" if arguments in (None, "") else arguments_text(arguments)


def is_custom(wire: JsonObject) -> bool:
    return wire.get("custom") is not None


def call_attributes(wire: JsonObject) -> JsonObject:
    attributes = rest(wire, KNOWN)
    return {"type": "custom", **attributes} if is_custom(wire) else attributes
