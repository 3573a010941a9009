"""The prompt contract: the tools, the one form of an action, the rules of this request."""

from collections.abc import Sequence
from hashlib import sha256

from majordomo.contract import Json, JsonObject, Request, Text, Tool, ToolChoice
from majordomo.dialects.json import write_text

from .block_text import block
from .schema import properties, required, resolve, types
from .signature import signatures
from .wording import (
    CHOICES,
    CONTRACT,
    PARALLEL,
    REMINDER,
    SEQUEL,
    SEQUEL_ANSWER,
    SEQUEL_RESULT,
    SINGLE,
)

_LONG_HISTORY_MESSAGES = 12
_LONG_HISTORY_CHARACTERS = 24_000
_SAMPLES: dict[str, Json] = {
    "string": "…",
    "integer": 1,
    "number": 1,
    "boolean": True,
    "array": [],
    "object": {},
}


def nonce_of(request: Request) -> str:
    """Derive the mark of this conversation's fences.

    From what stays the same over its turns, so that the prompt's beginning stays the same
    too and is not computed anew on every one.
    """
    first = next((m.text for m in request.messages if m.role == "user"), "")
    names = "\x00".join(tool.name for tool in request.tools)
    seed = f"{request.system}\x01{first}\x01{names}"
    return sha256(seed.encode(errors="replace")).hexdigest()[:6]


def contract(tools: Sequence[Tool], choice: ToolChoice, *, nonce: str, longest: int = 1200) -> str:
    """Write the whole contract for the system prompt."""
    shown = next((tool for tool in tools if tool.name == choice.name), tools[0])
    rule = CHOICES[choice.mode].format(name=choice.name)
    if choice.allowed:
        rule += f" Only these tools may be used now: {', '.join(choice.allowed)}."
    return CONTRACT.format(
        example=example(shown, nonce=nonce),
        sequel=SEQUEL.format(
            tool=shown.name, id="call_1", result=SEQUEL_RESULT, answer=SEQUEL_ANSWER
        ),
        count=SINGLE if choice.parallel is False else PARALLEL,
        choice=rule,
        signatures=signatures(tools, longest=longest),
    )


def example(tool: Tool, *, nonce: str) -> str:
    """Write an action block of a tool with placeholder arguments."""
    return block(tool.name, write_text(_sample(tool)), nonce=nonce)


def reminder(request: Request, tools: Sequence[Tool], *, nonce: str) -> str:
    """Give the short form when the contract lies far back; nothing while it is near."""
    size = sum(len(p.text) for m in request.messages for p in m.parts if isinstance(p, Text))
    if len(request.messages) < _LONG_HISTORY_MESSAGES and size < _LONG_HISTORY_CHARACTERS:
        return ""
    return REMINDER.format(nonce=nonce, names=", ".join(tool.name for tool in tools))


def _sample(tool: Tool) -> JsonObject:
    root = tool.parameters
    declared = properties(root, root)
    sample: JsonObject = {}
    for name in required(root, root):
        schema = resolve(declared.get(name), root)
        listed = schema.get("enum")
        if isinstance(listed, list) and listed:
            sample[name] = listed[0]
        else:
            kind = next(iter(types(schema, root)), "string")
            sample[name] = _SAMPLES.get(kind, "…")
    return sample
