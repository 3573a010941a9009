"""The prompt contract: the tools, the one form of an action, the rules of this request."""

from collections.abc import Sequence
from hashlib import sha256

from majordomo.contract import Request, Text, Tool, ToolChoice

from .block_text import block
from .kit import Kit
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


def nonce_of(request: Request) -> str:
    """Derive the mark of this conversation's fences.

    From what stays the same over its turns, so that the prompt's beginning stays the same
    too and is not computed anew on every one.
    """
    first = next((m.text for m in request.messages if m.role == "user"), "")
    names = "\x00".join(tool.name for tool in request.tools)
    seed = f"{request.system}\x01{first}\x01{names}"
    return sha256(seed.encode(errors="replace")).hexdigest()[:6]


def contract(
    kit: Kit, names: Sequence[str], choice: ToolChoice, *, nonce: str, longest: int = 1200
) -> str:
    """Write the whole contract for the system prompt."""
    shown = choice.name if choice.name in names else names[0]
    rule = CHOICES[choice.mode].format(name=choice.name)
    if choice.allowed:
        rule += f" Only these tools may be used now: {', '.join(choice.allowed)}."
    return CONTRACT.format(
        example=example(kit, shown, nonce=nonce),
        sequel=SEQUEL.format(tool=shown, id="call_1", result=SEQUEL_RESULT, answer=SEQUEL_ANSWER),
        count=SINGLE if choice.parallel is False else PARALLEL,
        choice=rule,
        signatures=kit.signatures(longest),
    )


def example(kit: Kit, name: str, *, nonce: str) -> str:
    """Write an action block of a tool with placeholder arguments."""
    return block(name, kit.sample(name), nonce=nonce)


def reminder(request: Request, tools: Sequence[Tool], *, nonce: str) -> str:
    """Give the short form when the contract lies far back; nothing while it is near."""
    size = sum(len(p.text) for m in request.messages for p in m.parts if isinstance(p, Text))
    if len(request.messages) < _LONG_HISTORY_MESSAGES and size < _LONG_HISTORY_CHARACTERS:
        return ""
    return REMINDER.format(nonce=nonce, names=", ".join(tool.name for tool in tools))
