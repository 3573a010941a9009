"""`generationConfig`, both ways: sampling, structured output, thinking.

https://ai.google.dev/api/generate-content#generationconfig
"""

from majordomo.contract import Json, JsonObject, Malformed, Options, ReasoningEffort, Request
from majordomo.dialects.json import (
    items,
    object_at,
    optional_bool,
    optional_int,
    optional_number,
    optional_string,
    sparse,
    string_at,
)

from .casing import camel
from .family import thinks_by_budget
from .schema import decode_schema

_WHERE = "generationConfig"
_LEVELS: dict[ReasoningEffort, str] = {
    "none": "MINIMAL",
    "minimal": "MINIMAL",
    "low": "LOW",
    "medium": "MEDIUM",
    "high": "HIGH",
    "xhigh": "HIGH",
    "max": "HIGH",
}
# What Google's own OpenAI door makes of each effort.
# https://ai.google.dev/gemini-api/docs/openai#thinking
_BUDGETS: dict[ReasoningEffort, int] = {
    "none": 0,
    "minimal": 1024,
    "low": 1024,
    "medium": 8192,
    "high": 24_576,
    "xhigh": 24_576,
    "max": 24_576,
}
_EFFORTS: dict[str, ReasoningEffort | None] = {
    "MINIMAL": "minimal",
    "LOW": "low",
    "MEDIUM": "medium",
    "HIGH": "high",
    "THINKING_LEVEL_UNSPECIFIED": None,
}


def encode_config(request: Request, model: str) -> JsonObject:
    config: JsonObject = {
        "maxOutputTokens": request.max_tokens,
        "temperature": request.temperature,
        "topP": request.top_p,
        "topK": request.top_k,
        "seed": request.seed,
        "presencePenalty": request.presence_penalty,
        "frequencyPenalty": request.frequency_penalty,
        "stopSequences": list(request.stop) or None,
    }
    if request.schema is not None:
        config["responseMimeType"] = "application/json"
        config["responseJsonSchema"] = request.schema or None
    config["thinkingConfig"] = _encode_thinking(request, model) or None
    return sparse(config)


def decode_config(wire: Json) -> tuple[Options, JsonObject]:
    """Give what the contract has words for, and the rest as it came."""
    rest = dict(camel(object_at({} if wire is None else wire, _WHERE)))
    options: Options = {
        "max_tokens": optional_int(rest, "maxOutputTokens", _WHERE),
        "temperature": optional_number(rest, "temperature", _WHERE),
        "top_p": optional_number(rest, "topP", _WHERE),
        "top_k": optional_int(rest, "topK", _WHERE),
        "seed": optional_int(rest, "seed", _WHERE),
        "presence_penalty": optional_number(rest, "presencePenalty", _WHERE),
        "frequency_penalty": optional_number(rest, "frequencyPenalty", _WHERE),
        "stop": _decode_stop(rest.get("stopSequences")),
    }
    for name in _SAMPLING:
        rest.pop(name, None)
    options |= _decode_thinking(rest)
    options |= _decode_output(rest)
    return options, sparse(rest)


_SAMPLING = (
    *("maxOutputTokens", "temperature", "topP", "topK", "seed"),
    *("presencePenalty", "frequencyPenalty", "stopSequences"),
)


def _decode_stop(wire: Json) -> tuple[str, ...]:
    return tuple(string_at(s, at) for s, at in items(wire or [], f"{_WHERE}.stopSequences"))


def _encode_thinking(request: Request, model: str) -> JsonObject:
    """Say how much to think, in one of the two words; both together are refused."""
    config: JsonObject = {"includeThoughts": request.show_thinking}
    effort, budget = request.reasoning_effort, request.reasoning_budget
    if thinks_by_budget(model):
        given = _BUDGETS[effort] if effort is not None else None
        config["thinkingBudget"] = given if budget is None else budget
    elif effort is not None:
        config["thinkingLevel"] = _LEVELS[effort]
    else:
        config["thinkingBudget"] = budget
    return sparse(config)


def _decode_thinking(rest: JsonObject) -> Options:
    where = f"{_WHERE}.thinkingConfig"
    given = rest.pop("thinkingConfig", None)
    config = camel(object_at({} if given is None else given, where))
    level = (optional_string(config, "thinkingLevel", where) or "").upper()
    if level and level not in _EFFORTS:
        raise Malformed(f"{where}.thinkingLevel", "is not MINIMAL, LOW, MEDIUM or HIGH")
    known = {"includeThoughts", "thinkingBudget", "thinkingLevel"}
    if more := {name: value for name, value in config.items() if name not in known}:
        rest["thinkingConfig"] = more
    return {
        "show_thinking": optional_bool(config, "includeThoughts", where),
        "reasoning_budget": optional_int(config, "thinkingBudget", where),
        "reasoning_effort": _EFFORTS.get(level),
    }


def _decode_output(rest: JsonObject) -> Options:
    """Read the two notations of a schema; other formats than JSON stay Gemini's own."""
    mime = optional_string(rest, "responseMimeType", _WHERE)
    field = "responseSchema" if rest.get("responseJsonSchema") is None else "responseJsonSchema"
    schema = rest.get(field)
    if mime not in {None, "application/json"} or (mime is None and schema is None):
        return {}
    for name in ("responseMimeType", "responseSchema", "responseJsonSchema"):
        rest.pop(name, None)
    if schema is None or schema is True:
        return {"schema": {}}
    return {"schema": decode_schema(schema, f"{_WHERE}.{field}")}
