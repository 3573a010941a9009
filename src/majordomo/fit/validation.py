"""Whether JSON text is what a schema demands. The validator is compiled once per schema."""

from functools import lru_cache
from typing import TYPE_CHECKING

from majordomo.contract import InvalidRequest, Json, JsonObject, Malformed
from majordomo.dialects.json import read, write

if TYPE_CHECKING:
    from jsonschema_rs import Validator

_MAX_VIOLATIONS = 8


def check_schema(schema: JsonObject) -> None:
    """Raise `InvalidRequest` for what is no JSON Schema: no target would take it."""
    _validator(write(schema))


def violations(value: Json, schema: JsonObject) -> tuple[str, ...]:
    """Say what is wrong, each with its place; nothing if it is valid."""
    found: list[str] = []
    for error in _validator(write(schema)).iter_errors(value):
        place = "".join(f"[{step!r}]" for step in error.instance_path) or "the value"
        found.append(f"{place}: {error.message}")
        if len(found) == _MAX_VIOLATIONS:
            break
    return tuple(found)


@lru_cache(maxsize=128)
def _validator(schema: bytes) -> "Validator":
    import jsonschema_rs  # noqa: PLC0415 -- only those who ask for structure should pay for it

    document = read(schema)
    try:
        # Offline: a reference must not make us fetch what a caller names.
        return jsonschema_rs.validator_for(
            document if isinstance(document, dict) else True, offline=True
        )
    except (ValueError, jsonschema_rs.ReferencingError) as error:
        raise InvalidRequest(f"schema is no valid JSON Schema: {error}") from error


def json_in(text: str) -> Json:
    """Read the JSON a model wrote, with or without a fence or prose around it.

    Raises `Malformed` when there is none.
    """
    stripped = text.strip()
    try:
        return read(stripped)
    except Malformed:
        inner = _between(stripped)
        if inner is None:
            raise
        return read(inner)


def _between(text: str) -> str | None:
    """Give what stands between the first opening and the last closing bracket."""
    starts = [at for at in (text.find("{"), text.find("[")) if at >= 0]
    if not starts:
        return None
    start = min(starts)
    end = text.rfind("}" if text[start] == "{" else "]")
    return text[start : end + 1] if end > start else None
