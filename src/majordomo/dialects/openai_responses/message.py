"""The conversation, both ways: a flat list of items here, messages of parts in the contract.

https://platform.openai.com/docs/api-reference/responses/create#responses_create-input

Neighbouring items of the model (reasoning, messages, calls) are one assistant message, and
neighbouring outputs one tool message. Items of users, the system and developers stay apart.
"""

from collections.abc import Iterable, Mapping
from typing import assert_never

from majordomo.contract import (
    Document,
    Image,
    Json,
    JsonObject,
    Malformed,
    Message,
    Opaque,
    Part,
    Role,
    Text,
    Thinking,
    ToolCall,
    ToolResult,
    user,
)
from majordomo.dialects.artefact import own
from majordomo.dialects.json import objects

from .item import decode_item, decode_message_item, encode_call, encode_text
from .part import NAME, artefact_of, decode_content, encode_content, rest_of
from .tool import Place, joined

# There is no flag for a failed tool; the words carry it.
ERROR = "ERROR: "


def decode_input(wire: Json) -> tuple[Message, ...]:
    if wire is None:
        return ()
    if isinstance(wire, str):
        return (user(wire),)
    messages: list[Message] = []
    for item, at in objects(wire, "input"):
        message = _decode_input_item(item, at)
        last = messages[-1] if messages else None
        if last is not None and last.role == message.role and message.role in _GROUPED:
            messages[-1] = Message(role=last.role, parts=last.parts + message.parts)
        else:
            messages.append(message)
    return tuple(messages)


def encode_input(messages: Iterable[Message], known: Mapping[str, Place]) -> list[Json]:
    writer = _Writer(known)
    for message in messages:
        writer.add(message)
    return writer.items


_GROUPED = ("assistant", "tool")
_ROLES: dict[str, Role] = {"user": "user", "system": "system", "developer": "system"}
_OUTPUTS = ("function_call_output", "custom_tool_call_output")


def _decode_input_item(item: JsonObject, where: str) -> Message:
    kind = item.get("type")
    if kind is None or kind == "message":
        return _decode_message(item, where)
    if kind in _OUTPUTS and isinstance(item.get("call_id"), str):
        return Message(role="tool", parts=(_decode_result(item, where),))
    # What somebody else ran for the model goes with the results, the rest with what it said.
    role: Role = "tool" if str(kind).endswith(("_output", "_response")) else "assistant"
    return Message(role=role, parts=tuple(decode_item(item, where)))


def _decode_message(item: JsonObject, where: str) -> Message:
    role = item.get("role")
    if role == "assistant":
        return Message(role="assistant", parts=tuple(decode_message_item(item, where)))
    if not isinstance(role, str) or role not in _ROLES:
        raise Malformed(f"{where}.role", "is not user, system, developer or assistant")
    value: JsonObject = {"role": "developer"} if role == "developer" else {}
    if attributes := rest_of(item, {"type", "role", "content"}):
        value["item"] = attributes
    return Message(
        role=_ROLES[role],
        parts=decode_content(item.get("content"), f"{where}.content"),
        artefact=artefact_of(value),
    )


def _decode_result(item: JsonObject, where: str) -> ToolResult:
    value: JsonObject = {"custom": True} if item.get("type") == "custom_tool_call_output" else {}
    if attributes := rest_of(item, {"type", "call_id", "output"}):
        value["item"] = attributes
    output = item.get("output")
    content = () if output == "" else decode_content(output, f"{where}.output")
    is_error = False
    match content:
        case (Text(text=text, artefact=artefact), *rest) if text.startswith(ERROR):
            is_error = True
            said = text.removeprefix(ERROR)
            content = (*((Text(text=said, artefact=artefact),) if said else ()), *rest)
        case _:
            pass
    return ToolResult(
        id=str(item.get("call_id")),
        name=_result_name(attributes),
        content=content,
        is_error=is_error,
        artefact=artefact_of(value),
    )


def _result_name(attributes: JsonObject) -> str:
    match attributes:
        case {"name": str(name), "namespace": str(namespace)}:
            return joined(namespace, name)
        case {"name": str(name)}:
            return name
        case _:
            return ""


class _Writer:
    """Lays messages out as items; remembers which calls were custom, for their outputs."""

    def __init__(self, known: Mapping[str, Place]) -> None:
        self.items: list[Json] = []
        self._known = known
        self._custom: set[str] = set()

    def add(self, message: Message) -> None:
        if message.role in _GROUPED:
            for part in message.parts:
                self._spoken(part, message.role)
            return
        content: list[Part] = []
        for part in message.parts:
            if isinstance(part, Thinking | ToolCall | ToolResult):
                self._spoken(part, message.role)
            else:
                content.append(part)
        if content or not message.parts:
            self._said(message, tuple(content))

    def _said(self, message: Message, content: tuple[Part, ...]) -> None:
        value = own(message.artefact, NAME)
        role = "developer" if value.get("role") == "developer" else message.role
        self.items.append(
            {
                "type": "message",
                "role": role,
                **_object(value.get("item")),
                "content": encode_content(content),
            }
        )

    def _spoken(self, part: Part, role: Role) -> None:
        match part:
            case Text() if role == "assistant":
                self._text(part)
            case Thinking(artefact=artefact):
                # A reasoning item is nothing without what the service attached to it.
                item = own(artefact, NAME)
                self.items.extend([item] if item else [])
            case ToolCall():
                self._call(part)
            case ToolResult():
                self._result(part)
            case Opaque(dialect=dialect, value=value):
                self.items.extend([value] if dialect == NAME else [])
            case Text() | Image() | Document():
                # The model's own turn holds only text; what it showed is shown to it again.
                self._said(Message(role="user", parts=()), (part,))
            case _:
                assert_never(part)

    def _call(self, part: ToolCall) -> None:
        item = encode_call(part, self._known)
        if item["type"] == "custom_tool_call":
            self._custom.add(part.id)
        self.items.append(item)

    def _text(self, part: Text) -> None:
        value = own(part.artefact, NAME)
        wire = encode_text(part.text, part.artefact)
        match self.items:
            case [*_, {"type": "message", "role": "assistant", "content": list(content)}] if (
                value.get("joined")
            ):
                content.append(wire)
                return
            case _:
                pass
        item: JsonObject = {
            "type": "message",
            "role": "assistant",
            **_object(value.get("item")),
            "content": [wire],
        }
        if "id" not in item and "part" not in value:
            # Without an id only the short form is valid, and that takes a string.
            item["content"] = part.text
        self.items.append(item)

    def _result(self, part: ToolResult) -> None:
        value = own(part.artefact, NAME)
        custom = value.get("custom") or part.id in self._custom
        self.items.append(
            {
                "type": _OUTPUTS[1] if custom else _OUTPUTS[0],
                "call_id": part.id,
                **_object(value.get("item")),
                "output": encode_content(_marked(part)) if part.content or part.is_error else "",
            }
        )


def _marked(part: ToolResult) -> tuple[Part, ...]:
    if not part.is_error:
        return part.content
    match part.content:
        case (Text(text=text, artefact=artefact), *rest):
            return (Text(text=ERROR + text, artefact=artefact), *rest)
        case content:
            return (Text(text=ERROR), *content)


def _object(wire: Json) -> JsonObject:
    return wire if isinstance(wire, dict) else {}
