"""Thinking, effort and output format, both ways: `thinking` and `output_config`.

https://platform.claude.com/docs/en/build-with-claude/adaptive-thinking
"""

from majordomo.contract import Json, JsonObject, Options, ReasoningEffort, Request
from majordomo.dialects.json import optional_int, sparse


def decode_thinking(wire: JsonObject) -> tuple[Options, JsonObject]:
    """Give what the contract has words for, and the object itself if they do not rebuild it."""
    options: Options = {}
    match wire.get("type"):
        case "disabled":
            options["reasoning_effort"] = "none"
        case "enabled":
            options["reasoning_budget"] = optional_int(wire, "budget_tokens", "thinking")
        case _:
            pass  # adaptive is neither an effort nor a budget; it goes back as it came
    display = wire.get("display")
    if isinstance(display, str) and display in _SHOWN:
        options["show_thinking"] = _SHOWN[display]
    rebuilt = encode_thinking(Request(messages=()).with_options(**options))
    return options, ({} if rebuilt == wire else {"thinking": wire})


def encode_thinking(request: Request) -> JsonObject | None:
    """Write the thinking asked for; None leaves it to the model's own default."""
    budget = request.reasoning_budget
    display = None if request.show_thinking is None else _DISPLAYS[request.show_thinking]
    if request.reasoning_effort == "none" or budget == 0:
        return {"type": "disabled"}
    if budget is not None and budget > 0:
        return sparse({"type": "enabled", "budget_tokens": budget, "display": display})
    if budget is not None or request.show_thinking:
        # Newer models think without showing it, so showing has to be asked for.
        return sparse({"type": "adaptive", "display": display})
    return None


def decode_output(wire: JsonObject, *, disabled: bool) -> tuple[Options, JsonObject]:
    """Read `output_config`; what the contract has no word for stays in it.

    With thinking disabled the contract's effort is taken by "none", and the wire's own,
    which still steers how much is said, is kept beside it.
    """
    options: Options = {}
    rest = dict(wire)
    effort = wire.get("effort")
    if isinstance(effort, str) and effort in _EFFORTS and not disabled:
        options["reasoning_effort"] = _EFFORTS[effort]
        del rest["effort"]
    schema = decode_format(wire.get("format"))
    if schema is not None:
        options["schema"] = schema
        del rest["format"]
    return options, rest


def encode_output(request: Request) -> JsonObject:
    effort = request.reasoning_effort
    word = None if effort is None else _WORDS.get(effort)
    schema = request.schema  # there is no JSON without a schema here: `{}` cannot be asked for
    shape: JsonObject | None = {"type": "json_schema", "schema": schema} if schema else None
    return sparse({"effort": word, "format": shape})


def decode_format(wire: Json) -> JsonObject | None:
    """Give the schema, if the format says that and nothing else."""
    if not isinstance(wire, dict) or wire.keys() != {"type", "schema"}:
        return None
    schema = wire["schema"]
    return schema if wire["type"] == "json_schema" and isinstance(schema, dict) and schema else None


_SHOWN: dict[str, bool] = {"summarized": True, "omitted": False}
_DISPLAYS: dict[bool, str] = {shown: word for word, shown in _SHOWN.items()}
_EFFORTS: dict[str, ReasoningEffort] = {
    "low": "low",
    "medium": "medium",
    "high": "high",
    "xhigh": "xhigh",
    "max": "max",
}
_WORDS: dict[ReasoningEffort, str] = {
    "minimal": "low",  # the least it has
    "low": "low",
    "medium": "medium",
    "high": "high",
    "xhigh": "xhigh",
    "max": "max",
}
