"""Whole replies, both ways.

https://platform.openai.com/docs/api-reference/chat/object
"""

from typing import assert_never

from msgspec.structs import replace

from majordomo.contract import (
    Document,
    Failure,
    Image,
    Json,
    JsonObject,
    Malformed,
    Opaque,
    Part,
    Response,
    Text,
    Thinking,
    ToolCall,
    ToolResult,
)
from majordomo.dialects.call_ids import CallIds
from majordomo.dialects.dialect import Stamp
from majordomo.dialects.failure import Said, failure_of
from majordomo.dialects.json import items, object_at

from .call import serve_call
from .failure import failure_in_band
from .finish import decode_finish, encode_finish
from .message import decode_assistant_parts
from .part import decode_part, encode_image, is_refusal
from .reasoning import DETAILS, SERVED_FIELD, serve_details
from .usage import decode_usage, encode_usage


def encode_response(response: Response, stamp: Stamp) -> JsonObject:
    """Write the reply; `refusal` and `logprobs` are required keys though they may be null."""
    wire, refused = _encode_message(response)
    choice: JsonObject = {
        "index": 0,
        "message": wire,
        "logprobs": None,
        "finish_reason": encode_finish(response.finish_reason, refused=refused),
    }
    return {
        "id": f"chatcmpl-{stamp.id}",
        "object": "chat.completion",
        "created": stamp.created,
        "model": stamp.model,
        "choices": [choice],
        "usage": encode_usage(response.usage),
    }


def _encode_message(response: Response) -> tuple[JsonObject, bool]:
    """Write the message; tell whether it is a refusal."""
    parts, refused = response.parts, response.finish_reason == "refusal"
    if len(parts) == 1 and not refused:
        part = parts[0]
        if type(part) is Text and part.artefact is None:  # nearly every answer
            return {"role": "assistant", "content": part.text, "refusal": None}, False
    message = _Message()
    for part in parts:
        message.add(part)
    refused = message.settle(refused=refused)
    return message.wire(), refused


def decode_response(wire: JsonObject) -> Response:
    check(wire)
    choice = _first_choice(wire)
    message = object_at(choice.get("message"), "choices[0].message")
    parts = [*decode_assistant_parts(message, "choices[0].message", sealed=False)]
    parts = [*parts, *decode_images(message, "choices[0].message")]
    ids = CallIds()
    said = tuple(
        replace(part, id=ids.take(part.id)) if isinstance(part, ToolCall) else part
        for part in parts
    )
    native = finish_word(choice)
    reason = decode_finish(
        native,
        calls=any(isinstance(part, ToolCall) for part in said),
        refused=any(isinstance(part, Text) and is_refusal(part) for part in said),
    )
    if reason == "error":
        raise failed(native, wire)
    return Response(
        parts=said,
        finish_reason=reason,
        finish_native=native,
        stop_sequence=stop_sequence(choice),
        usage=decode_usage(wire),
        model=text_of(wire, "model"),
        id=text_of(wire, "id"),
        raw=wire,
    )


def check(wire: JsonObject) -> None:
    """Raise the error a reply with status 200 brings, at the top or in its first choice."""
    failure = failure_in_band(wire)
    if failure is None:
        match wire.get("choices"):
            case [{"error": dict() | str() as error}, *_]:
                failure = failure_in_band({"error": error})
            case _:
                pass
    if failure is not None:
        raise failure


def failed(native: str, wire: JsonObject) -> Failure:
    """Give the failure of a reply whose only word about it is how it ended."""
    message = f"the provider ended its reply with {native!r}"
    return failure_of(503, Said(message=message, code=native, body=wire))


def finish_word(choice: JsonObject) -> str:
    return text_of(choice, "finish_reason")


def stop_sequence(choice: JsonObject) -> str | None:
    """Give the stop string that matched; vLLM says it, or a token id, in `stop_reason`."""
    return text_of(choice, "stop_reason") or None


def text_of(wire: JsonObject, name: str) -> str:
    value = wire.get(name)
    return value if isinstance(value, str) else ""


def decode_images(wire: JsonObject, where: str) -> list[Part]:
    """Read the images a model drew, where OpenRouter puts them."""
    if wire.get("images") is None:
        return []
    return [decode_part(item, at) for item, at in items(wire["images"], f"{where}.images")]


def serve_image(image: Image, index: int) -> JsonObject:
    """Give an image the model drew; indexed, or the official SDK's accumulator refuses it."""
    return encode_image(image) | {"index": index}


class _Message:
    """One assistant message being put together."""

    def __init__(self) -> None:
        self._said: list[str] = []
        self._refused: list[str] = []
        self._thought: list[str] = []
        self._lists: dict[str, list[Json]] = {"tool_calls": [], DETAILS: [], "images": []}
        self._opaque: list[Json] = []

    def add(self, part: Part) -> None:
        match part:
            case Text(text=text):
                (self._refused if is_refusal(part) else self._said).append(text)
            case Thinking(text=text):
                self._thought.append(text)
                details = self._lists[DETAILS]
                details += serve_details(part, len(details))
            case ToolCall():
                self._lists["tool_calls"].append(serve_call(part))
            case Image():
                images = self._lists["images"]
                images.append(serve_image(part, len(images)))
            case Opaque(dialect="openai_chat", value=value):
                self._opaque.append(value)
            case Opaque() | Document() | ToolResult():
                pass  # a Chat reply has no place for these
            case _:
                assert_never(part)

    def settle(self, *, refused: bool) -> bool:
        """Move what was said to where a refusal is said; tell whether there is one."""
        if refused and not self._refused:
            self._said, self._refused = [], self._said
        return any(self._refused)

    def wire(self) -> JsonObject:
        message: JsonObject = {
            "role": "assistant",
            "content": self._content(),
            "refusal": "".join(self._refused) or None,
        }
        if any(self._thought):
            message[SERVED_FIELD] = "".join(self._thought)
        for name, values in self._lists.items():
            if values:
                message[name] = values
        return message

    def _content(self) -> Json:
        text = "".join(self._said)
        if self._opaque:
            spoken: list[Json] = [{"type": "text", "text": text}] if text else []
            return [*spoken, *self._opaque]
        # Clients read the content of a plain answer without asking whether there is one.
        return text or (None if self._lists["tool_calls"] or any(self._refused) else "")


def _first_choice(wire: JsonObject) -> JsonObject:
    match wire.get("choices"):
        case [dict(first), *_]:
            return first
        case _:
            raise Malformed("choices", "holds no choice")
