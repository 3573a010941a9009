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
    Text,
    Thinking,
    ToolResult,
)
from majordomo.dialects.artefact import own, unseal
from majordomo.dialects.json import list_at, object_at, string_at

from .carrier import unpack
from .part import NAME, attributes, decode_part, encode_parts, only_text, plain
from .plain import ROLES, plain_message, plain_part

_KNOWN = frozenset({"role", "content"})


def decode_messages(wire: Json, where: str = "messages") -> list[Message]:
    """Read the history, results apart; neighbouring results are one message."""
    messages: list[Message] = []
    for index, item in enumerate(list_at(wire, where)):
        turn = plain_message(item)
        if turn is None:
            at = f"{where}[{index}]"
            turn = _decode_message(object_at(item, at), at)
        if turn.role != "user":
            messages.append(turn)
            continue
        for message in _results_apart(turn):
            last = messages[-1] if messages else None
            if message.role == "tool" and last is not None and _both_bare_results(last, message):
                messages[-1] = Message(role="tool", parts=(*last.parts, *message.parts))
            else:
                messages.append(message)
    return messages


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
    if not leading:
        return system or None
    prompt = [Text(text=system), *(part for message in leading for part in message.parts)]
    blocks = encode_parts(prompt)
    return plain(blocks) if blocks else None


def split_system(messages: Sequence[Message]) -> tuple[Sequence[Message], Sequence[Message]]:
    """Part the system messages that open from the rest: "system" may not come first here."""
    for index, message in enumerate(messages):
        if message.role != "system" or own(message.artefact, NAME):
            return messages[:index], messages[index:]
    return messages, ()


def _decode_message(wire: JsonObject, where: str) -> Message:
    word = wire.get("role")
    role = ROLES.get(word) if isinstance(word, str) else None
    if role is None:
        word = string_at(word, f"{where}.role")
        raise Malformed(f"{where}.role", f"is {word!r}, not user, assistant or system")
    parts = _decode_content(wire.get("content"), f"{where}.content")
    return Message(role=role, parts=parts, artefact=attributes(wire, _KNOWN))


def _results_apart(message: Message) -> Sequence[Message]:
    """Give the results in a user's turn as a message of their own, which comes first."""
    parts, artefact = message.parts, message.artefact
    results = [part for part in parts if type(part) is ToolResult]
    if not results:
        return (message,)
    if len(results) == len(parts):
        return (Message(role="tool", parts=parts, artefact=artefact),)
    rest = tuple(part for part in parts if type(part) is not ToolResult)
    return (
        Message(role="tool", parts=tuple(results)),
        Message(role="user", parts=rest, artefact=artefact),
    )


def _decode_content(wire: Json, where: str) -> tuple[Part, ...]:
    if wire is None or wire == "":
        return ()
    if isinstance(wire, str):
        return (Text(text=wire),)
    parts: list[Part] = []
    carried = False  # a thought may carry a mark for another part
    for index, item in enumerate(list_at(wire, where)):
        part = plain_part(item)
        if part is None:
            at = f"{where}[{index}]"
            part = _unsealed(decode_part(object_at(item, at), at))
            carried = carried or type(part) is Thinking
        parts.append(part)
    return unpack(parts) if carried else tuple(parts)


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
    beside: JsonObject = {}
    parts: list[Part] = []
    for message in turn:
        parts += message.parts
        if message.artefact is not None:
            beside |= own(message.artefact, NAME)
    text = only_text(parts)
    if text:  # nearly every turn that has no tools
        return {"role": role, "content": text, **beside}
    if role == "user" and len(parts) > 1:
        parts.sort(key=_comes_later)
    blocks = encode_parts(parts)
    if not blocks and not beside:
        return None
    return {"role": role, "content": plain(blocks), **beside}


def _comes_later(part: Part) -> bool:
    """Sort results first."""
    return type(part) is not ToolResult
