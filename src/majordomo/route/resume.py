"""Taking up an answer that broke off: never a word twice, never one lost.

A second target is asked the same question. While its text repeats what was already sent it is
swallowed; from there on it is forwarded. Where it says something else it is of no use as it
is: a target that goes on from an unfinished turn may be asked to (`continuation`), another may
not. Tool calls are only ever sent whole, so one that was open when the stream broke was never
sent at all.
"""

from collections.abc import Iterator
from typing import assert_never

from msgspec.structs import replace

from majordomo.contract import (
    Capabilities,
    Event,
    Finish,
    Fold,
    PartDone,
    Request,
    ResponseDone,
    Start,
    Text,
    TextDelta,
    Thinking,
    ThinkingDelta,
    ToolCallDelta,
    assistant,
)

_RESTATED = 20  # a continuation that begins with this much of the answer is starting over


class Mismatch(Exception):
    """The new answer does not begin as the old one did."""


class Said:
    """What of the answer the caller has been given so far, read off what it adds up to."""

    __slots__ = ("_fold",)

    def __init__(self, fold: Fold) -> None:
        self._fold = fold

    @property
    def text(self) -> str:
        return "".join(part.text for part in self._fold.parts if isinstance(part, Text))

    @property
    def open(self) -> str:
        """The text part that is not closed yet."""
        return self._fold.open_text

    @property
    def beyond(self) -> bool:
        """Whether a call or a block went out: no second voice can repeat that."""
        parts = self._fold.parts
        return self._fold.fragments or not all(isinstance(p, Text | Thinking) for p in parts)


class Splice:
    """Joins a second answer to what was sent of the first: feed it events, forward what it gives.

    Thinking is not forwarded: the caller has seen some of another mind's already, and what
    counts is the answer.
    """

    __slots__ = ("_delta", "_expected", "_open")

    def __init__(self, *, expected: str, open: str) -> None:
        self._expected = expected  # still to be repeated before anything is new
        self._open = open  # the caller's open text part
        self._delta = False  # this answer's current text part came as deltas

    def feed(self, event: Event) -> Iterator[Event]:
        match event:
            case TextDelta(text=text):
                self._delta = True
                yield from self._text(text)
            case PartDone(part=Text() as part):
                yield from self._done(part)
            case Start() | ThinkingDelta() | PartDone(part=Thinking()) | ResponseDone():
                pass
            case PartDone() | ToolCallDelta() | Finish():
                if self._expected:
                    raise Mismatch
                yield event
            case _:
                assert_never(event)

    def _text(self, text: str) -> Iterator[Event]:
        rest = self._unsaid(text)
        if rest:
            self._open += rest
            yield TextDelta(text=rest)

    def _unsaid(self, text: str) -> str:
        expected = self._expected
        if not expected:
            return text
        common = min(len(text), len(expected))
        if text[:common] != expected[:common]:
            raise Mismatch
        self._expected = expected[common:]
        return text[common:]

    def _done(self, part: Text) -> Iterator[Event]:
        """Close the caller's open part only with a part that says the same."""
        if not self._delta:
            yield from self._text(part.text)
        self._delta = False
        if self._open and part.text == self._open:
            self._open = ""
            yield PartDone(part=part)


class Continued:
    """Joins a continuation to what was sent.

    It was asked from the text without its trailing space, which some targets refuse; and some
    targets start over all the same, which is noticed by their first words.
    """

    __slots__ = ("_held", "_said", "_splice")

    def __init__(self, said: Said) -> None:
        self._said = said
        self._held = ""
        self._splice: Splice | None = None  # once it is clear which of the two it is

    def feed(self, event: Event) -> Iterator[Event]:
        if self._splice is None:
            match event:
                case TextDelta(text=text):
                    yield from self._hold(text)
                    return
                case PartDone() | ToolCallDelta() | Finish():
                    yield from self._decide()
                case Start() | ThinkingDelta() | ResponseDone():
                    return
                case _:
                    assert_never(event)
        if self._splice is not None:
            yield from self._splice.feed(event)

    def _hold(self, text: str) -> Iterator[Event]:
        self._held += text
        beginning = self._said.text[:_RESTATED]
        if len(self._held) >= _RESTATED or not beginning.startswith(self._held):
            yield from self._decide()

    def _decide(self) -> Iterator[Event]:
        text = self._said.text
        if len(text) >= _RESTATED and self._held.startswith(text[:_RESTATED]):
            self._splice = Splice(expected=text, open=self._said.open)
            held = self._held
        else:
            self._splice = Splice(expected="", open=self._said.open)
            held = self._held[_common(self._held, text[len(text.rstrip()) :]) :]
        if held:
            yield from self._splice.feed(TextDelta(text=held))


def can_continue(request: Request, capabilities: Capabilities, said: Said) -> bool:
    """Say whether this target may be asked to go on from an unfinished turn.

    Targets that take a prefill still refuse one together with a schema, with thinking or with
    a forced tool; and an emulated tool call lives in the very text that would be prefilled.
    """
    return (
        capabilities.prefill
        and bool(said.text.strip())
        and request.schema is None
        and request.reasoning_effort in {None, "none"}
        and not request.reasoning_budget
        and request.tool_choice.mode in {"auto", "none"}
        and not (request.tools and capabilities.tools == "emulated")
    )


def continuation(request: Request, said: Said) -> Request:
    """Ask to go on from what was sent."""
    sent = Text(text=said.text.rstrip())
    *before, last = request.messages
    if last.role == "assistant":  # the caller's own prefill
        return replace(request, messages=(*before, replace(last, parts=(*last.parts, sent))))
    return replace(request, messages=(*request.messages, assistant(sent)))


def _common(one: str, other: str) -> int:
    """Count the characters both begin with."""
    for index, (a, b) in enumerate(zip(one, other, strict=False)):
        if a != b:
            return index
    return min(len(one), len(other))
