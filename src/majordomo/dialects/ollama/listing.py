"""What else Ollama's clients ask a server: which models there are and what one can do.

https://github.com/ollama/ollama/blob/main/docs/api.md#list-local-models
"""

from collections.abc import Iterable

from majordomo.contract import Capabilities, Json, JsonObject
from majordomo.dialects.json import write
from majordomo.dialects.rfc3339 import rfc3339

GREETING = "Ollama is running"  # the body of `GET /`: clients look for it

_DETAILS: JsonObject = {
    "parent_model": "",
    "format": "",
    "family": "",
    "families": [],
    "parameter_size": "",
    "quantization_level": "",
}


def encode_tags(models: Iterable[str], *, created: int) -> bytes:
    """Write `GET /api/tags`. We hold no weights: size and digest are empty."""
    listed: list[Json] = [
        {
            "name": model,
            "model": model,
            "modified_at": rfc3339(created),
            "size": 0,
            "digest": "",
            "details": _DETAILS,
        }
        for model in models
    ]
    return write({"models": listed})


def encode_show(capabilities: Capabilities, *, created: int) -> bytes:
    """Write `POST /api/show`; ollama-python insists on `model_info`."""
    info: JsonObject = {"general.architecture": "majordomo"}
    if capabilities.max_context is not None:
        info["majordomo.context_length"] = capabilities.max_context
    can: list[Json] = ["completion"]
    if capabilities.tools != "off":
        can.append("tools")
    if capabilities.images is not None:
        can.append("vision")
    if capabilities.thinking:
        can.append("thinking")
    return write(
        {
            "modelfile": "",
            "parameters": "",
            "template": "",
            "details": _DETAILS,
            "model_info": info,
            "capabilities": can,
            "modified_at": rfc3339(created),
        }
    )


def encode_version(version: str) -> bytes:
    return write({"version": version})
