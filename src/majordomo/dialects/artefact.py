"""One dialect's artefacts carried by another's clients.

A client of our Anthropic door echoes `thinking.signature` whatever is in it. So an artefact
that Gemini wrote travels through that client sealed in the field the client does echo, and
is unsealed when it comes back. To a *target* a foreign artefact is never sent.
"""

from majordomo.contract import Artefact, DialectName, JsonObject, Malformed

from .json import object_at, read, write
from .media import decode_base64, encode_base64

_MARK = "mjd1."
_NAMES: dict[str, DialectName] = {
    "openai_chat": "openai_chat",
    "openai_responses": "openai_responses",
    "anthropic": "anthropic",
    "ollama": "ollama",
    "gemini": "gemini",
}


def seal(artefact: Artefact) -> str:
    return f"{_MARK}{artefact.dialect}.{encode_base64(write(artefact.value))}"


def unseal(text: str) -> Artefact | None:
    """Give back what `seal` wrote; None for anything else."""
    if not text.startswith(_MARK):
        return None
    name, dot, payload = text.removeprefix(_MARK).partition(".")
    dialect = _NAMES.get(name)
    if dialect is None or not dot:
        return None
    try:
        value = object_at(read(decode_base64(payload, "artefact")), "artefact")
    except Malformed:
        return None  # a client that edits opaque fields loses what was in them
    return Artefact(dialect=dialect, value=value)


def own(artefact: Artefact | None, dialect: DialectName) -> JsonObject:
    """Give what this dialect once attached here; nothing if another one did."""
    return artefact.value if artefact is not None and artefact.dialect == dialect else {}
