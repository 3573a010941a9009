"""A reply as it happens, and the reply it adds up to.

Events are named noun-then-verb. A finished reply is nothing but a folded stream, so there is
one code path, not a streaming one and a plain one.

    stream := Start? (TextDelta | ThinkingDelta | ToolCallDelta | PartDone)* Finish ResponseDone?

- A delta extends the open part of its kind, or opens one and thereby closes the other kind's.
- `PartDone` gives a part whole. After deltas of its kind it closes that part and is the
  authority on it (it may bring the artefact the deltas could not); otherwise it adds a part.
  Two neighbouring parts of one kind therefore need a `PartDone` between them.
- A tool call is given once, whole, as `PartDone`. `ToolCallDelta` comes before it only when
  the caller asked for fragments, and adds nothing to the reply.
"""

from collections.abc import Iterable, Iterator
from typing import TypeAlias

from msgspec import Struct

from .attempt import Attempt
from .error import Truncated
from .json import Json
from .note import Note
from .part import Part, Text, Thinking
from .pieces import MANY, gather
from .response import FinishReason, Response
from .usage import UNKNOWN, Usage


class Start(Struct, frozen=True, kw_only=True):
    """Who is answering; what is known of the usage before the first word."""

    model: str = ""
    id: str = ""
    usage: Usage = UNKNOWN


class TextDelta(Struct, frozen=True, kw_only=True):
    text: str


class ThinkingDelta(Struct, frozen=True, kw_only=True):
    text: str


class ToolCallDelta(Struct, frozen=True, kw_only=True):
    """A fragment of the call that a later `PartDone` gives whole."""

    id: str
    name: str
    arguments: str  # the next piece of it


class PartDone(Struct, frozen=True, kw_only=True):
    part: Part


class Finish(Struct, frozen=True, kw_only=True):
    reason: FinishReason
    native: str = ""
    stop_sequence: str | None = None
    usage: Usage = UNKNOWN
    raw: Json = None


class ResponseDone(Struct, frozen=True, kw_only=True):
    """The last event a caller sees: everything added up."""

    response: Response


Event: TypeAlias = (
    Start | TextDelta | ThinkingDelta | ToolCallDelta | PartDone | Finish | ResponseDone
)


class Fold:
    """Adds events up as they pass, so the whole reply is there when the stream ends."""

    __slots__ = ("_deltas", "_finish", "_kind", "_parts", "_start", "fragments")

    def __init__(self) -> None:
        self._start = Start()
        self._finish: Finish | None = None
        self._parts: list[Part] = []
        self._deltas: list[str] = []
        self._kind: type[Text | Thinking] | None = None
        self.fragments = False  # of a tool call went by; they add nothing, but they were said

    def add(self, event: Event) -> None:
        """Add one event."""
        self.extend((event,))

    def extend(self, events: Iterable[Event]) -> None:  # noqa: C901 -- a row for each kind
        """Add what came together."""
        # Every event of every stream comes through here: `match` would cost several times this.
        for event in events:
            if type(event) is TextDelta:
                deltas = self._deltas
                if self._kind is Text and len(deltas) < MANY:
                    deltas.append(event.text)
                else:
                    self._open(Text, event.text)
            elif type(event) is PartDone:
                self._close(event.part)
            elif type(event) is Finish:
                self._finish = event
            elif type(event) is Start:
                self._start = event
            elif type(event) is ThinkingDelta:
                self._open(Thinking, event.text)
            elif type(event) is ToolCallDelta:
                self.fragments = True

    @property
    def parts(self) -> tuple[Part, ...]:
        """What has been said so far."""
        if self._kind is None:
            return tuple(self._parts)
        return (*self._parts, self._kind(text="".join(self._deltas)))

    @property
    def open_text(self) -> str:
        """What has been said of a text that may go on."""
        return "".join(self._deltas) if self._kind is Text else ""

    @property
    def finished(self) -> bool:
        return self._finish is not None

    def response(
        self,
        model: str | None = None,
        attempts: tuple[Attempt, ...] = (),
        notes: tuple[Note, ...] = (),
    ) -> Response:
        """Give the reply, with what is known of it besides its own words."""
        finish = self._finish
        if finish is None:
            raise Truncated("the stream ended before its finish")
        return Response(
            parts=self.parts,
            finish_reason=finish.reason,
            finish_native=finish.native,
            stop_sequence=finish.stop_sequence,
            usage=finish.usage if finish.usage.known else self._start.usage,
            model=self._start.model if model is None else model,
            id=self._start.id,
            raw=finish.raw,
            attempts=attempts,
            notes=notes,
        )

    def _open(self, kind: type[Text | Thinking], delta: str) -> None:
        if kind is not self._kind:
            self._close(None)
            self._kind = kind
        self._deltas.append(delta)
        if len(self._deltas) > MANY:
            gather(self._deltas)

    def _close(self, whole: Part | None) -> None:
        if self._kind is not None:
            if not isinstance(whole, self._kind):
                self._parts.append(self._kind(text="".join(self._deltas)))
            self._kind = None
            self._deltas = []
        if whole is not None:
            self._parts.append(whole)


def fold(events: Iterable[Event]) -> Response:
    """Add a whole stream up into the reply it describes."""
    whole = Fold()
    whole.extend(events)
    return whole.response()


def unfold(response: Response) -> Iterator[Event]:
    """Tell a finished reply as a stream: the inverse of `fold`, notes and attempts aside."""
    yield Start(model=response.model, id=response.id)
    for part in response.parts:
        match part:
            case Text(text=text) if text:
                yield TextDelta(text=text)
            case Thinking(text=text) if text:
                yield ThinkingDelta(text=text)
            case _:
                pass
        yield PartDone(part=part)
    yield Finish(
        reason=response.finish_reason,
        native=response.finish_native,
        stop_sequence=response.stop_sequence,
        usage=response.usage,
        raw=response.raw,
    )
