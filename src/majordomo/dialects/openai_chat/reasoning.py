"""Reasoning beside the content, both ways: a field of OpenAI's compatibles, not of its own API.

DeepSeek and llama.cpp call it `reasoning_content`, Ollama, vLLM and Groq `reasoning`,
OpenRouter adds `reasoning_details`: https://openrouter.ai/docs/use-cases/reasoning-tokens
"""

from collections.abc import Iterable

from majordomo.contract import Json, JsonObject, Thinking
from majordomo.dialects.artefact import seal, unseal
from majordomo.dialects.json import objects, optional_string

from .attribute import NAME, artefact_of, attributes_of
from .part import is_content_thinking

FIELDS = ("reasoning_content", "reasoning")
SERVED_FIELD = "reasoning_content"  # the one most clients read
DETAILS = "reasoning_details"
KNOWN = (*FIELDS, DETAILS)

_GROWING = ("text", "summary")  # what a later fragment of one detail adds to; the rest replaces


def encode_reasoning(thoughts: Iterable[Thinking], field: str) -> JsonObject:
    """Send reasoning back where it came from, or in the field this provider reads.

    A provider that has such a field may insist on it (DeepSeek: 400 when it is missing), so
    there it is never left out.
    """
    said: dict[str, str] = {field: ""} if field else {}
    details: list[Json] = []
    for thinking in thoughts:
        if is_content_thinking(thinking):
            continue
        attributes = attributes_of(thinking.artefact)
        details += _details(attributes)
        name = field or attributes.get("field")
        if isinstance(name, str) and thinking.text:
            said[name] = said.get(name, "") + thinking.text
    return {**said, DETAILS: details} if details else {**said}


def decode_reasoning(wire: JsonObject, where: str, *, sealed: bool) -> list[Thinking]:
    """Read the reasoning of a message; `sealed`: from a client that echoes what we served."""
    own: list[JsonObject] = []
    thoughts: list[Thinking] = []
    for detail in _decode_details(wire, where):
        thinking = _unseal(detail) if sealed else None
        if thinking is None:
            own.append(detail)
        else:
            thoughts.append(thinking)
    field, text = reasoning_text(wire, where)
    if own or (text and not thoughts):  # sealed details repeat the text they belong to
        thoughts.insert(0, thinking_of(field, text, own))
    return thoughts


def reasoning_text(wire: JsonObject, where: str) -> tuple[str, str]:
    """Give the field that says something and what it says; some servers fill both alike."""
    for field in FIELDS:
        text = optional_string(wire, field, where)
        if text:
            return field, text
    return "", ""


def thinking_of(field: str, text: str, details: Iterable[JsonObject]) -> Thinking:
    attributes: JsonObject = {"field": field} if field else {}
    whole: list[Json] = [*merge_details(details)]
    if whole:
        attributes[DETAILS] = whole
    return Thinking(text=text or _details_text(whole), artefact=artefact_of(attributes))


def merge_details(fragments: Iterable[JsonObject]) -> list[JsonObject]:
    """Join the fragments a stream cut a detail into; they follow each other and share an index."""
    whole: list[JsonObject] = []
    for fragment in fragments:
        if whole and _continues(whole[-1], fragment):
            whole[-1] = _joined(whole[-1], fragment)
        else:
            whole.append(fragment)
    return whole


def serve_details(thinking: Thinking, count: int) -> list[Json]:
    """Give what a client should echo: our own details as they came, a foreign artefact sealed.

    Each one has an index: the official SDK's accumulator refuses list items without.
    """
    artefact = thinking.artefact
    if artefact is None:
        return []
    if artefact.dialect == NAME:
        return [
            detail if "index" in detail else {**detail, "index": count + place}
            for place, detail in enumerate(_details(artefact.value))
        ]
    if thinking.text:
        sealed = {"type": "reasoning.text", "text": thinking.text, "signature": seal(artefact)}
    else:
        sealed = {"type": "reasoning.encrypted", "data": seal(artefact)}
    return [{**sealed, "format": "majordomo", "index": count}]


def _unseal(detail: JsonObject) -> Thinking | None:
    match detail:
        case {"type": "reasoning.text", "text": str(text), "signature": str(sealed)}:
            artefact = unseal(sealed)
        case {"type": "reasoning.encrypted", "data": str(sealed)}:
            text, artefact = "", unseal(sealed)
        case _:
            return None
    return Thinking(text=text, artefact=artefact) if artefact is not None else None


def _decode_details(wire: JsonObject, where: str) -> Iterable[JsonObject]:
    if wire.get(DETAILS) is None:
        return ()
    return (detail for detail, _ in objects(wire[DETAILS], f"{where}.{DETAILS}"))


def _details(attributes: JsonObject) -> list[JsonObject]:
    details = attributes.get(DETAILS)
    if not isinstance(details, list):
        return []
    return [detail for detail in details if isinstance(detail, dict)]


def _details_text(details: list[Json]) -> str:
    said: list[str] = []
    for detail in details:
        match detail:
            case {"text": str(text)} | {"summary": str(text)}:
                said.append(text)
            case _:
                pass
    return "".join(said)


def _continues(last: JsonObject, fragment: JsonObject) -> bool:
    return (
        fragment.get("type") in ("reasoning.text", "reasoning.summary")
        and fragment.get("type") == last.get("type")
        and "index" in fragment
        and fragment.get("index") == last.get("index")
        and not last.get("signature")  # which ends a block
    )


def _joined(last: JsonObject, fragment: JsonObject) -> JsonObject:
    joined = {**last}
    for name, value in fragment.items():
        before = joined.get(name)
        if name in _GROWING and isinstance(before, str) and isinstance(value, str):
            joined[name] = before + value
        elif value is not None:
            joined[name] = value
    return joined
