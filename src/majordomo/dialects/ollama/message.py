"""Messages as Ollama has them: one text, with images, thoughts and calls beside it.

https://github.com/ollama/ollama/blob/main/docs/api.md#generate-a-chat-completion
"""

from typing import assert_never

from majordomo.contract import (
    Artefact,
    Document,
    Image,
    Json,
    JsonObject,
    Malformed,
    Message,
    Opaque,
    Part,
    Request,
    Role,
    Text,
    Thinking,
    ToolCall,
    ToolResult,
)
from majordomo.dialects.artefact import own
from majordomo.dialects.call_ids import OpenCalls
from majordomo.dialects.json import objects, optional_string

from .image import decode_images, encode_image
from .tool import decode_call, encode_call

_ERROR = "ERROR: "  # a tool message has no flag for it


def encode_messages(request: Request) -> list[Json]:
    wire: list[Json] = []
    if request.system:
        wire.append({"role": "system", "content": request.system})
    names: dict[str, str] = {}  # of tools, by call: some dialects never say it in a result
    for message in request.messages:
        names |= {call.id: call.name for call in message.tool_calls}
        wire.extend(_encode_result(result, names) for result in message.tool_results)
        said = tuple(part for part in message.parts if not isinstance(part, ToolResult))
        if said or not message.parts:
            wire.append(_encode_said(message, said))
    return wire


def decode_messages(wire: Json, where: str) -> tuple[str, tuple[Message, ...]]:
    """Give the system prompt and the rest; neighbouring results become one message."""
    calls = OpenCalls()
    system = ""
    messages: list[Message] = []
    results: list[Part] = []
    for index, (item, at) in enumerate(objects(wire if wire is not None else [], where)):
        if _role(item, at) == "tool":
            results.append(_decode_result(item, at, calls))
            continue
        if results:
            messages.append(Message(role="tool", parts=tuple(results)))
            results = []
        message = _decode_said(item, at, calls)
        if index == 0 and message.role == "system" and _is_plain(message):
            system = message.text
        else:
            messages.append(message)
    if results:
        messages.append(Message(role="tool", parts=tuple(results)))
    return system, tuple(messages)


def _is_plain(message: Message) -> bool:
    return message.artefact is None and bool(message.text) and len(message.parts) == 1


def _encode_said(message: Message, said: tuple[Part, ...]) -> JsonObject:
    attached = own(message.artefact, "ollama")
    role = "user" if message.role == "tool" else message.role
    return {"role": role} | _encode_content(said, "" if role == "assistant" else "\n") | attached


def _encode_content(content: tuple[Part, ...], between: str) -> JsonObject:
    """Sort parts into the fields there are; their order across fields cannot be said."""
    texts: list[str] = []
    thoughts: list[str] = []
    images: list[Json] = []
    calls: list[Json] = []
    for part in content:
        match part:
            case Text(text=text):
                texts.append(text)
            case Thinking(text=text):
                thoughts.append(text)
            case Image():
                images.append(encode_image(part))
            case Document():
                texts.append(_document_text(part))
            case ToolCall():
                calls.append(encode_call(part))
            case ToolResult() | Opaque():
                pass
            case _:
                assert_never(part)
    fields: JsonObject = {"content": between.join(texts)}
    beside: JsonObject = {"thinking": "".join(thoughts), "images": images, "tool_calls": calls}
    return fields | {name: value for name, value in beside.items() if value}


def _document_text(document: Document) -> str:
    """Ollama has no documents: text is given as text, anything else is at least named."""
    if document.mime.startswith("text/"):
        return document.data.decode(errors="replace")
    return f"[document {document.name or 'without a name'}: {document.mime}, not shown]"


def _encode_result(result: ToolResult, names: dict[str, str]) -> JsonObject:
    content = _encode_content(result.content, "\n")
    if result.is_error:
        content["content"] = f"{_ERROR}{content['content']}"
    name = result.name or names.get(result.id, "")
    link: JsonObject = {"tool_name": name} if name else {}
    attached = own(result.artefact, "ollama")
    return {"role": "tool"} | link | {"tool_call_id": result.id} | content | attached


def _role(wire: JsonObject, where: str) -> str:
    role = optional_string(wire, "role", where)
    if role is None:
        raise Malformed(f"{where}.role", "is missing")
    return role.lower()


def _decode_said(wire: JsonObject, where: str, calls: OpenCalls) -> Message:
    role = _ROLES.get(_role(wire, where))
    if role is None:
        raise Malformed(f"{where}.role", "is not one of system, user, assistant, tool")
    parts: list[Part] = []
    if thinking := optional_string(wire, "thinking", where):
        parts.append(Thinking(text=thinking))
    parts.extend(_decode_content(wire, where))
    for item, at in objects(wire.get("tool_calls") or [], f"{where}.tool_calls"):
        given, name, arguments = decode_call(item, at)
        parts.append(ToolCall(id=calls.call(given, name), name=name, arguments=arguments))
    return Message(role=role, parts=tuple(parts), artefact=_artefact(_attached(wire, _SAID)))


def _decode_result(wire: JsonObject, where: str, calls: OpenCalls) -> ToolResult:
    given = optional_string(wire, "tool_call_id", where) or ""
    call_id, name = calls.answer(given, optional_string(wire, "tool_name", where) or "")
    content = tuple(_decode_content(wire, where))
    failed = False
    match content:
        case (*images, Text(text=text)) if text.startswith(_ERROR):
            failed = True
            rest = text.removeprefix(_ERROR)
            content = (*images, *((Text(text=rest),) if rest else ()))
        case _:
            pass
    artefact = _artefact(_attached(wire, _RESULT))
    return ToolResult(id=call_id, name=name, content=content, is_error=failed, artefact=artefact)


def _decode_content(wire: JsonObject, where: str) -> list[Part]:
    """Pictures first: to the models that take both it is the better order."""
    parts: list[Part] = list(decode_images(wire.get("images"), f"{where}.images"))
    match wire.get("content"):
        case None | "":
            pass
        case str(text):
            parts.append(Text(text=text))
        case list(blocks):
            parts.extend(_decode_block(b, at) for b, at in objects(blocks, f"{where}.content"))
        case _:
            raise Malformed(f"{where}.content", "is not a string")
    return parts


def _decode_block(wire: JsonObject, where: str) -> Text:
    match wire:
        case {"text": str(text)}:
            return Text(text=text)
        case _:
            raise Malformed(where, "is not text; images go into `images`")


def _attached(wire: JsonObject, known: frozenset[str]) -> JsonObject:
    return {name: value for name, value in wire.items() if name not in known and value is not None}


def _artefact(value: JsonObject) -> Artefact | None:
    return Artefact(dialect="ollama", value=value) if value else None


_ROLES: dict[str, Role] = {
    "system": "system",
    "developer": "system",  # no template of the server renders it under its own name
    "user": "user",
    "assistant": "assistant",
}
_SAID = frozenset({"role", "content", "thinking", "images", "tool_calls"})
_RESULT = frozenset({"role", "content", "images", "tool_name", "tool_call_id"})
