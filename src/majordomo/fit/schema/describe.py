"""Constraints a target cannot enforce, put where the model at least reads them."""

from majordomo.contract import Json, JsonObject, Malformed
from majordomo.dialects.json import write_text

# Neither structure nor constraint: losing them changes no meaning.
_SILENT = frozenset({"$schema", "$id", "$defs", "definitions", "$comment", "$anchor", "title"})
_MAX_WORDS = 600


def described(schema: JsonObject, lost: dict[str, Json], *, note: str = "") -> JsonObject:
    """Give the description with what was lost behind it; nothing if there is nothing to say."""
    said = schema.get("description")
    words = [said] if isinstance(said, str) and said else []
    if note:
        words.append(note)
    constraints = [f"{key}: {_short(value)}" for key, value in lost.items() if key not in _SILENT]
    if constraints:
        words.append(f"({'; '.join(constraints)})")
    return {"description": " ".join(words)} if words else {}


def _short(value: Json) -> str:
    try:
        text = value if isinstance(value, str) else write_text(value)
    except Malformed:  # nested deeper than anyone would read
        return "…"
    return text if len(text) <= _MAX_WORDS else f"{text[:_MAX_WORDS]}…"
