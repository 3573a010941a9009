"""What steers the reply, both ways: `options`, `format` and `think`.

https://github.com/ollama/ollama/blob/main/docs/modelfile.mdx#valid-parameters-and-values
"""

from majordomo.contract import Json, JsonObject, Malformed, Options, ReasoningEffort, Request
from majordomo.dialects.json import items, object_at, optional_int, optional_number, string_at

_WORDS = ("temperature", "top_p", "top_k", "seed", "presence_penalty", "frequency_penalty")
_LEVELS: dict[ReasoningEffort, Json] = {
    "none": False,
    "minimal": "low",
    "low": "low",
    "medium": "medium",
    "high": "high",
    "xhigh": "max",
    "max": "max",
}
_EFFORTS: dict[str, ReasoningEffort] = {
    "low": "low",
    "medium": "medium",
    "high": "high",
    "max": "max",
}


def encode_options(request: Request) -> JsonObject:
    options: dict[str, Json] = {
        "num_predict": request.max_tokens,
        "temperature": request.temperature,
        "top_p": request.top_p,
        "top_k": request.top_k,
        "seed": request.seed,
        "presence_penalty": request.presence_penalty,
        "frequency_penalty": request.frequency_penalty,
        "stop": list(request.stop) or None,
    }
    return {name: value for name, value in options.items() if value is not None}


def decode_options(wire: Json) -> tuple[Options, JsonObject]:
    """Give what the contract has words for, and the rest as it came."""
    rest = dict(object_at({} if wire is None else wire, "options"))
    options: Options = {
        "temperature": optional_number(rest, "temperature", "options"),
        "top_p": optional_number(rest, "top_p", "options"),
        "top_k": optional_int(rest, "top_k", "options"),
        "seed": optional_int(rest, "seed", "options"),
        "presence_penalty": optional_number(rest, "presence_penalty", "options"),
        "frequency_penalty": optional_number(rest, "frequency_penalty", "options"),
        "stop": _decode_stop(rest.pop("stop", None)),
    }
    for name in _WORDS:
        rest.pop(name, None)
    limit = optional_int(rest, "num_predict", "options")
    if limit is None or limit > 0:  # -1 is "no limit" and -2 "fill the context": only Ollama's
        options["max_tokens"] = limit
        rest.pop("num_predict", None)
    return options, {name: value for name, value in rest.items() if value is not None}


def encode_format(schema: JsonObject | None) -> Json:
    return "json" if schema == {} else schema


def decode_format(wire: Json) -> JsonObject | None:
    match wire:
        case None | "":
            return None
        case "json":
            return {}
        case dict(schema):
            return schema
        case _:
            raise Malformed("format", 'is neither "json" nor a JSON Schema')


def encode_think(request: Request) -> Json:
    """Say how hard to think; asking to see thoughts, or granting a budget, turns it on."""
    if request.reasoning_effort is not None:
        return _LEVELS[request.reasoning_effort]
    if request.reasoning_budget is not None:
        return request.reasoning_budget != 0
    return True if request.show_thinking else None


def decode_think(wire: Json) -> Options:
    match wire:
        case None:
            return {}
        case False:
            return {"reasoning_effort": "none"}
        case True:
            return {"reasoning_budget": -1, "show_thinking": True}
        case str(level) if level in _EFFORTS:
            return {"reasoning_effort": _EFFORTS[level]}
        case _:
            raise Malformed("think", "is not true, false, low, medium, high or max")


def _decode_stop(wire: Json) -> tuple[str, ...]:
    if isinstance(wire, str):
        return (wire,)
    return tuple(string_at(item, at) for item, at in items(wire or [], "options.stop"))
