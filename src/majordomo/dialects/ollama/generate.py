"""`/api/generate`, the door for one prompt: server side only, since a client has `/api/chat`.

https://github.com/ollama/ollama/blob/main/docs/api.md#generate-a-completion
"""

from majordomo.contract import JsonObject, Message, Part, Request, Text
from majordomo.dialects.dialect import Ask, Stamp
from majordomo.dialects.json import optional_string

from .encoder import OllamaEncoder
from .image import decode_images
from .request import ask
from .shape import GENERATE


def decode_generate_request(body: JsonObject) -> Ask:
    """Read the prompt as a user's turn; no prompt at all only loads the model."""
    parts: list[Part] = list(decode_images(body.get("images"), "images"))
    if prompt := optional_string(body, "prompt"):
        parts.append(Text(text=prompt))
    request = Request(
        system=optional_string(body, "system") or "",
        messages=(Message(role="user", parts=tuple(parts)),) if parts else (),
    )
    return ask(body, request, known=_KNOWN)


def generate_encoder(ask: Ask, stamp: Stamp) -> OllamaEncoder:
    return OllamaEncoder(GENERATE, stamp, stream=ask.stream)


# `context` is the server's own memory of an earlier answer: we have none, so it is not kept.
_KNOWN = frozenset(
    {"model", "prompt", "system", "images", "stream", "format", "think", "options", "context"}
)
