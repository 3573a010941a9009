"""Messages and the system prompt, both ways.

A tool message is no message here: its results are the first blocks of the next user turn.
"""

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from majordomo.contract import (
    Json,
    JsonObject,
    Malformed,
    Message,
    Part,
    Role,
    Text,
    Thinking,
    ToolResult,
)
from majordomo.dialects.artefact import own, unseal
from majordomo.dialects.json import objects, string_at

from .carrier import unpack
from .part import NAME, attributes, decode_part, encode_part, plain

_ROLES: dict[str, Role] = {"user": "user", "assistant": "assistant", "system": "system"}


def decode_messages(wire: Json, where: str = "messages") -> Iterator[Message]:
    """Read the history, results apart; neighbouring results are one message."""
    held: Message | None = None
    for item, at in objects(wire, where):
        for message in _decode_message(item, at):
            if held is not None and _both_bare_results(held, message):
                held = replace(held, parts=(*held.parts, *message.parts))
                continue
            if held is not None:
                yield held
            held = message
    if held is not None:
        yield held


def encode_messages(messages: Sequence[Message]) -> list[Json]:
    """Write the history; what would be an empty turn is left out."""
    return [wire for turn in _turns(messages) if (wire := _encode_turn(turn)) is not None]


def decode_system(wire: Json, where: str = "system") -> tuple[str, tuple[Message, ...]]:
    """Give the plain prompt, or the message that keeps blocks apart and their cache marks."""
    if wire is None:
        return "", ()
    if isinstance(wire, str):
        return wire, ()
    parts = _decode_content(wire, where)
    match parts:
        case ():
            return "", ()
        case (Text(text=text, artefact=None),):
            return text, ()
        case _:
            return "", (Message(role="system", parts=parts),)


def encode_system(system: str, leading: Sequence[Message]) -> Json:
    """Write the top-level prompt from the plain one and the system messages that open."""
    prompt = [Text(text=system), *(part for message in leading for part in message.parts)]
    blocks = _encode_parts(prompt)
    return plain(blocks) if blocks else None


def split_system(messages: Sequence[Message]) -> tuple[Sequence[Message], Sequence[Message]]:
    """Part the system messages that open from the rest: "system" may not come first here."""
    for index, message in enumerate(messages):
        if message.role != "system" or own(message.artefact, NAME):
            return messages[:index], messages[index:]
    return messages, ()


def _decode_message(wire: JsonObject, where: str) -> Iterator[Message]:
    word = string_at(wire.get("role"), f"{where}.role")
    role = _ROLES.get(word)
    if role is None:
        raise Malformed(f"{where}.role", f"is {word!r}, not user, assistant or system")
    parts = _decode_content(wire.get("content"), f"{where}.content")
    artefact = attributes(wire, "role", "content")
    results = tuple(part for part in parts if isinstance(part, ToolResult))
    if role != "user" or not results:
        yield Message(role=role, parts=parts, artefact=artefact)
        return
    rest = tuple(part for part in parts if not isinstance(part, ToolResult))
    yield Message(role="tool", parts=results, artefact=None if rest else artefact)
    if rest:
        yield Message(role="user", parts=rest, artefact=artefact)


def _decode_content(wire: Json, where: str) -> tuple[Part, ...]:
    if wire is None or wire == "":
        return ()
    if isinstance(wire, str):
        return (Text(text=wire),)
    return unpack(_unsealed(decode_part(item, at)) for item, at in objects(wire, where))


def _unsealed(part: Part) -> Part:
    """Give back another dialect's artefact that travelled as a signature."""
    if not isinstance(part, Thinking):
        return part
    signature = own(part.artefact, NAME).get("signature")
    foreign = unseal(signature) if isinstance(signature, str) else None
    return part if foreign is None else replace(part, artefact=foreign)


def _both_bare_results(one: Message, two: Message) -> bool:
    return one.role == two.role == "tool" and one.artefact is None and two.artefact is None


def _turns(messages: Sequence[Message]) -> Iterator[list[Message]]:
    """Join results to the user message that follows them."""
    results: list[Message] = []
    for message in messages:
        if message.role == "tool":
            results.append(message)
            continue
        if results and message.role != "user":
            yield results
            results = []
        yield [*results, message]
        results = []
    if results:
        yield results


def _encode_turn(turn: Sequence[Message]) -> JsonObject | None:
    role = "user" if turn[-1].role == "tool" else turn[-1].role
    parts = [part for message in turn for part in message.parts]
    if role == "user":
        parts.sort(key=lambda part: not isinstance(part, ToolResult))  # results come first
    blocks = _encode_parts(parts)
    beside: JsonObject = {}
    for message in turn:
        beside |= own(message.artefact, NAME)
    if not blocks and not beside:
        return None
    return {"role": role, "content": plain(blocks), **beside}


def _encode_parts(parts: Sequence[Part]) -> list[JsonObject]:
    return [block for part in parts if (block := encode_part(part)) is not None]
