"""Which models a server has, as Gemini's clients ask for them.

https://ai.google.dev/api/models
"""

from collections.abc import Iterable

from majordomo.contract import Json, JsonObject
from majordomo.dialects.json import write

_METHODS: list[Json] = ["generateContent", "streamGenerateContent", "countTokens"]


def encode_models(models: Iterable[str]) -> bytes:
    """Write `GET /{version}/models`, all on one page."""
    return write({"models": [_model(model) for model in models]})


def encode_model(model: str) -> bytes:
    """Write `GET /{version}/models/{model}`."""
    return write(_model(model))


def _model(model: str) -> JsonObject:
    return {
        "name": f"models/{model}",
        "displayName": model,
        "supportedGenerationMethods": _METHODS,
    }
