"""Requests as real clients sent them: path, query, headers and body."""

from functools import cache
from pathlib import Path

import msgspec
from msgspec import Struct

from majordomo.contract import Json, JsonObject

FOLDER = Path(__file__).parents[1] / "recordings" / "gateway"
_PNG = (
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVQI12P4z8AAAAMBAQAY3Y2wAAAAAElFTkSuQmCC"
)
_MEDIA = ("data", "image_url", "url", "images")  # whose contents were left out when captured


class Capture(Struct, frozen=True, kw_only=True):
    name: str
    method: str
    path: str
    query: str
    headers: tuple[tuple[str, str], ...]
    body: Json = None

    @property
    def fields(self) -> JsonObject:
        return self.body if isinstance(self.body, dict) else {}


@cache
def captures() -> dict[str, Capture]:
    found: dict[str, Capture] = {}
    for path in sorted(FOLDER.glob("*.jsonl")):
        for line in path.read_bytes().splitlines():
            capture = msgspec.json.decode(line, type=Capture)
            whole = msgspec.structs.replace(capture, body=_with_media(capture.body))
            found[f"{path.stem}/{capture.name}"] = whole
    return found


def _with_media(value: Json, name: str = "") -> Json:
    """Put a small picture where the captured one was left out."""
    match value:
        case dict():
            return {key: _with_media(item, key) for key, item in value.items()}
        case list():
            return [_with_media(item, name) for item in value]
        case str() if "[[redacted" in value and name in _MEDIA:
            return f"data:image/png;base64,{_PNG}" if name in ("image_url", "url") else _PNG
        case _:
            return value
