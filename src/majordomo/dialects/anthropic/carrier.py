"""Another dialect's mark on a call, carried by clients of this one.

A `tool_use` block has no field that clients echo unread, but a thinking block has: its
signature. So the mark (Gemini's thought signature, without which it answers 400) travels in
an empty thinking block of its own before the call, and is put back on it when it returns.
"""

from collections.abc import Iterable

from msgspec.structs import replace

from majordomo.contract import Artefact, JsonObject, Part, Request, Thinking, ToolCall

from .part import NAME


def may_carry(request: Request) -> bool:
    """Tell whether the client asked for thinking, so that it knows such blocks and echoes them."""
    thinking = request.extra.get(NAME, {}).get("thinking")
    return bool(thinking or request.show_thinking or request.reasoning_budget)


def pack(call: ToolCall) -> Thinking | None:
    """Give the block to send before the call; None if it bears no foreign mark."""
    mark = call.artefact
    if mark is None or mark.dialect == NAME:
        return None
    value: JsonObject = {"carried_for_call": call.id, "mark": mark.value}
    return Thinking(text="", artefact=Artefact(dialect=mark.dialect, value=value))


def unpack(parts: Iterable[Part]) -> tuple[Part, ...]:
    """Put each mark back on its call and take its carrier away."""
    marks: dict[str, Artefact] = {}
    kept: list[Part] = []
    for part in parts:
        match part:
            case Thinking(
                text="",
                artefact=Artefact(
                    dialect=dialect, value={"carried_for_call": str(call), "mark": dict(mark)}
                ),
            ):
                marks[call] = Artefact(dialect=dialect, value=mark)
            case _:
                kept.append(part)
    if not marks:
        return tuple(kept)
    return tuple(
        replace(part, artefact=marks[part.id])
        if isinstance(part, ToolCall) and part.artefact is None and part.id in marks
        else part
        for part in kept
    )
