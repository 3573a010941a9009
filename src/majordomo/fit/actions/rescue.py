"""Calls that a target with native tools printed as text: taken out and given as calls."""

from collections.abc import Iterable, Sequence
from typing import ClassVar, assert_never

from msgspec.structs import replace

from majordomo.contract import (
    Event,
    Finish,
    Note,
    PartDone,
    ResponseDone,
    Start,
    Text,
    TextDelta,
    ThinkingDelta,
    Tool,
    ToolCall,
    ToolCallDelta,
)
from majordomo.dialects.json import read, write_text
from majordomo.fit.shim import Again, Lift

from .draft import Broken, Called, Piece, Prose
from .finder import Finder
from .names import Offers
from .report import ActionReport
from .seam import Seam


def rescue(tools: Sequence[Tool]) -> Lift:
    """Watch a native target's text for calls; everything else passes unchanged."""
    return RescueLift(tools)


class RescueLift:
    may_ask_again: ClassVar[bool] = False

    def __init__(self, tools: Sequence[Tool]) -> None:
        self._finder = Finder(Offers(tools))
        self._seam = Seam()
        self._deltas = False
        self._rescued: list[tuple[str, str]] = []
        self._native: list[ToolCall] = []
        self._repairs: list[str] = []
        self._over = False

    @property
    def report(self) -> ActionReport:
        return ActionReport(
            active=True, parsed=len(self._rescued), repaired=tuple(self._repairs), state="native"
        )

    @property
    def notes(self) -> tuple[Note, ...]:
        return tuple(
            Note(kind="repaired", what=f"tools.{name}", why="the call was printed as text")
            for name, _ in self._rescued
        )

    def feed(self, event: Event, /) -> list[Event | Again]:
        match event:
            case TextDelta(text=text):
                self._deltas = True
                if not text or not self._finder.passes(text):
                    return self._pieces(self._finder.feed(text))
                return [event] if self._seam.passes(text) else self._prose(text)
            case PartDone(part=Text() as part):
                whole, self._deltas = not self._deltas, False
                return self._pieces(self._finder.feed(part.text)) if whole else []
            case PartDone(part=ToolCall() as call):
                return [] if self._printed(call) else [event]
            case Finish():
                return self._finish(event)
            case Start() | PartDone() | ThinkingDelta() | ToolCallDelta() | ResponseDone():
                return [event]
            case _:
                assert_never(event)

    def close(self) -> list[Event | Again]:
        return [] if self._over else self._rest()

    def _finish(self, finish: Finish) -> list[Event | Again]:
        out = self._rest()
        self._over = True
        if self._rescued and finish.reason in {"stop", "unknown"}:
            finish = replace(finish, reason="tool_calls")
        return [*out, finish]

    def _rest(self) -> list[Event | Again]:
        out = self._pieces(self._finder.close())
        return [*out, *(TextDelta(text=text) for text in self._seam.close())]

    def _pieces(self, pieces: Iterable[Piece]) -> list[Event | Again]:
        out: list[Event | Again] = []
        for piece in pieces:
            match piece:
                case Prose(text=text):
                    out += self._prose(text)
                case Broken(raw=raw):
                    out += self._prose(raw)
                case Called():
                    self._seam.cut()
                    out += self._call(piece)
                case _:
                    assert_never(piece)
        return out

    def _prose(self, text: str) -> list[Event | Again]:
        return [TextDelta(text=said) for said in self._seam.feed(text)]

    def _call(self, piece: Called) -> list[Event | Again]:
        made = (piece.name, write_text(piece.arguments))
        if made in map(_canonical, self._native):
            return []  # it was made as well: one of the two is enough
        self._rescued.append(made)
        self._repairs += piece.repairs
        id = f"call_rescued_{len(self._rescued)}"
        return [PartDone(part=ToolCall(id=id, name=piece.name, arguments=made[1]))]

    def _printed(self, call: ToolCall) -> bool:
        """Say whether a native call only repeats one that was printed as well."""
        self._native.append(call)
        return bool(self._rescued) and _canonical(call) in self._rescued


def _canonical(call: ToolCall) -> tuple[str, str] | None:
    """Give a call in the one way it can be compared in; None when it cannot be read."""
    try:
        return call.name, write_text(read(call.arguments or "{}"))
    except ValueError:
        return None
