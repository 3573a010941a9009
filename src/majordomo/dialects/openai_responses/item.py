"""What the model says, item by item, both ways: history and reply have the same shapes.

https://platform.openai.com/docs/api-reference/responses/object#responses/object-output

A message item may hold several texts and has attributes (`id`, `status`, `phase`) of its own.
They stand on its first text, as `item`; the texts that follow in it are marked `joined`, if it
has an id to be joined under; what else a text carries (annotations) is its `part`.
"""

from collections.abc import Mapping

from majordomo.contract import (
    Artefact,
    Json,
    JsonObject,
    Malformed,
    Opaque,
    Part,
    Text,
    Thinking,
    ToolCall,
)
from majordomo.dialects.artefact import own, unseal
from majordomo.dialects.json import arguments_text, objects, read, string_at, write_text

from .part import NAME, artefact_of, rest_of
from .tool import Place, joined, place_of

# Reasoning we named ourselves and that nothing is attached to means nothing to the service.
MINTED = "rs_mjd_"


def decode_item(item: JsonObject, where: str) -> list[Part]:
    """Read one item the model wrote; what we do not model stays whole."""
    match item.get("type"):
        case "message" | None:
            return decode_message_item(item, where)
        case "reasoning":
            return [decode_reasoning(item)]
        case "function_call" | "custom_tool_call":
            return [decode_call(item, where)]
        case _:
            return [Opaque(dialect=NAME, value=item)]


def decode_message_item(item: JsonObject, where: str) -> list[Part]:
    attributes = rest_of(item, {"type", "role", "content"})
    content = item.get("content")
    if content is None:
        return []
    if isinstance(content, str):
        value: JsonObject = {"item": attributes} if attributes else {}
        return [Text(text=content, artefact=artefact_of(value))]
    return _decode_texts(item, attributes, f"{where}.content")


def _decode_texts(item: JsonObject, attributes: JsonObject, where: str) -> list[Part]:
    parts: list[Part] = []
    for part, at in objects(item.get("content"), where):
        text, extras = _decode_text(part, at)
        if text is None:
            whole: JsonObject = {**item, "content": [part]}
            parts.append(Opaque(dialect=NAME, value=whole))
            continue
        value: JsonObject = {"part": extras} if extras else {}
        if "id" in attributes and any(isinstance(before, Text) for before in parts):
            value["joined"] = True
        elif attributes:
            value["item"] = attributes
        parts.append(Text(text=text, artefact=artefact_of(value)))
    return parts


def _decode_text(part: JsonObject, where: str) -> tuple[str | None, JsonObject]:
    """Give the text and what else the part says; None for the text of an unknown kind."""
    match part.get("type"):
        case "output_text" | "input_text" | "text":
            extras = rest_of(part, {"type", "text"})
            text = string_at(part.get("text"), f"{where}.text")
            return text, {name: value for name, value in extras.items() if value != []}
        case "refusal":
            return string_at(part.get("refusal"), f"{where}.refusal"), {"type": "refusal"}
        case _:
            return None, {}


def is_refusal(part: Part) -> bool:
    match part:
        case Text(artefact=Artefact(dialect="openai_responses", value={"part": dict(extras)})):
            return extras.get("type") == "refusal"
        case _:
            return False


def encode_text(text: str, artefact: Artefact | None) -> JsonObject:
    """Write a text as content of an output message."""
    extras = own(artefact, NAME).get("part")
    if isinstance(extras, dict) and extras.get("type") == "refusal":
        return {"type": "refusal", "refusal": text}
    wire: JsonObject = {"type": "output_text", "text": text, "annotations": [], "logprobs": []}
    return {**wire, **extras} if isinstance(extras, dict) else wire


def decode_reasoning(item: JsonObject) -> Thinking:
    text = "\n\n".join(_texts(item.get("summary"))) or "".join(_texts(item.get("content")))
    encrypted = item.get("encrypted_content")
    if isinstance(encrypted, str) and (foreign := unseal(encrypted)) is not None:
        return Thinking(text=text, artefact=foreign)
    minted = str(item.get("id", "")).startswith(MINTED)
    if minted and not encrypted and not item.get("content"):
        return Thinking(text=text)
    return Thinking(text=text, artefact=artefact_of(item))


def _texts(wire: Json) -> list[str]:
    if not isinstance(wire, list):
        return []
    texts = [part.get("text") for part in wire if isinstance(part, dict)]
    return [text for text in texts if isinstance(text, str)]


def decode_call(item: JsonObject, where: str, *, default_id: str = "") -> ToolCall:
    call_id = item.get("call_id") or item.get("id") or default_id
    if not isinstance(call_id, str) or not call_id:
        raise Malformed(f"{where}.call_id", "is not a string")
    name = string_at(item.get("name"), f"{where}.name")
    namespace = item.get("namespace")
    value: JsonObject = {}
    if attributes := rest_of(item, {"type", "call_id", "name", "arguments", "input"}):
        value["item"] = attributes
    if item.get("type") == "custom_tool_call":
        value["custom"] = True
        arguments = write_text({"input": string_at(item.get("input") or "", f"{where}.input")})
    else:
        arguments = arguments_text(item.get("arguments"))
    return ToolCall(
        id=call_id,
        name=joined(namespace, name) if isinstance(namespace, str) else name,
        arguments=arguments,
        artefact=artefact_of(value),
    )


def encode_call(call: ToolCall, known: Mapping[str, Place]) -> JsonObject:
    """Write a call as the client or the service knows its tool; the item's id comes along."""
    value = own(call.artefact, NAME)
    attributes = value.get("item")
    extras = attributes if isinstance(attributes, dict) else {}
    place = call_place(call, known)
    wire: JsonObject = {"call_id": call.id, "name": place.name, **extras}
    if place.namespace:
        wire["namespace"] = place.namespace
    if place.custom:
        return {"type": "custom_tool_call", **wire, "input": free_text(call.arguments)}
    return {"type": "function_call", **wire, "arguments": call.arguments}


def call_place(call: ToolCall, known: Mapping[str, Place]) -> Place:
    value = own(call.artefact, NAME)
    match value.get("item"):
        case {"namespace": str(namespace)}:
            place = place_of(call.name, namespace, known)
        case _:
            place = place_of(call.name, "", known)
    return place._replace(custom=True) if value.get("custom") else place


def free_text(arguments: str) -> str:
    """Give the text a custom tool is called with, out of `{"input": …}`."""
    try:
        value = read(arguments)
    except Malformed:
        return arguments
    match value:
        case {"input": str(text)}:
            return text
        case _:
            return arguments
