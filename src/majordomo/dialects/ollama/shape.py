"""The two shapes of a reply: `/api/chat` says `message`, `/api/generate` says `response`."""

from collections.abc import Callable

from msgspec import Struct

from majordomo.contract import Json, JsonObject


class Shape(Struct, frozen=True, kw_only=True):
    """How said things are laid out in a line; `text` and `thinking` frame one delta each."""

    text: tuple[bytes, bytes]
    thinking: tuple[bytes, bytes]
    whole: Callable[[str, JsonObject], JsonObject]
    """Lay out the text and what stands beside it: thinking, images, tool_calls."""


def _chat(text: str, beside: JsonObject) -> JsonObject:
    message: dict[str, Json] = {"role": "assistant", "content": text}
    return {"message": message | beside}


def _generate(text: str, beside: JsonObject) -> JsonObject:
    thinking = beside.get("thinking")
    return {"response": text, "thinking": thinking} if thinking else {"response": text}


CHAT = Shape(
    text=(b'"message":{"role":"assistant","content":', b"}"),
    thinking=(b'"message":{"role":"assistant","content":"","thinking":', b"}"),
    whole=_chat,
)
GENERATE = Shape(
    text=(b'"response":', b""),
    thinking=(b'"response":"","thinking":', b""),
    whole=_generate,
)
