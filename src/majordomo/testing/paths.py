"""Where each dialect's clients knock to have text generated."""

import re
from urllib.parse import unquote, urlsplit

from msgspec import Struct

from majordomo.contract import DialectName


class Door(Struct, frozen=True, kw_only=True):
    """A generate path, and what of the request it already says."""

    dialect: DialectName
    model: str = ""
    stream: bool | None = None


def door(path: str) -> Door | None:
    """Read a request's path, query and all; None if nothing is generated there."""
    bare = unquote(urlsplit(path).path)
    if bare in _FIXED:
        return Door(dialect=_FIXED[bare])
    if found := _GEMINI.fullmatch(bare):
        return Door(
            dialect="gemini",
            model=found["model"],
            stream=found["verb"] == "streamGenerateContent",
        )
    return None


_FIXED: dict[str, DialectName] = {
    "/v1/chat/completions": "openai_chat",
    "/chat/completions": "openai_chat",
    "/v1/responses": "openai_responses",
    "/responses": "openai_responses",
    "/v1/messages": "anthropic",
    "/api/chat": "ollama",
}

_GEMINI = re.compile(
    r"(?:/v1(?:alpha|beta)?)?/models/(?P<model>.+):(?P<verb>(?:g|streamG)enerateContent)"
)
