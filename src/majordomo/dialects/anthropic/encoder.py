"""Events to a stream's bytes.

https://platform.claude.com/docs/en/build-with-claude/streaming
"""

from typing import TypeAlias, assert_never

from majordomo.contract import (
    Event,
    Failure,
    Finish,
    JsonObject,
    Part,
    PartDone,
    Request,
    ResponseDone,
    Start,
    Text,
    TextDelta,
    Thinking,
    ThinkingDelta,
    ToolCall,
    ToolCallDelta,
    Truncated,
    Usage,
)
from majordomo.dialects.artefact import own
from majordomo.dialects.dialect import Stamp
from majordomo.dialects.estimate import estimate
from majordomo.dialects.json import arguments_object, write_text

from .carrier import may_carry, pack
from .failure import encode_error
from .finish import encode_ending
from .frame import BLOCK_STOP, INPUT, STOP, TEXT, THINKING, Shape, frame, opening, piece, start
from .part import NAME, REDACTED, encode_call
from .response import encode_reply_part, encode_signature
from .usage import encode_usage
from .whole import broken

_Kind: TypeAlias = type[Text | Thinking | ToolCall]


class StreamEncoder:
    """Keeps one block open at a time; its index is its place in the content."""

    content_type = "text/event-stream"

    __slots__ = (
        "_called",
        "_finished",
        "_held",
        "_index",
        "_kind",
        "_prefix",
        "_request",
        "_sent",
        "_stamp",
        "_started",
        "_tool",
        "_usage",
    )

    def __init__(self, request: Request, stamp: Stamp) -> None:
        self._request = request
        self._stamp = stamp
        self._usage = Usage()
        self._started = False
        self._finished = False
        self._called = False
        self._index = -1
        self._kind: _Kind | None = None  # of the open block
        self._prefix = b""  # of each of its deltas
        self._tool: str | None = None  # its id, if it is a call told in fragments
        self._sent: list[str] = []  # what has gone out of that call's arguments
        self._held: list[Event] = []  # what was told before that call was whole

    def feed(self, event: Event) -> tuple[bytes, ...]:
        # The way of nearly every event: one small write into a block that is open.
        if self._kind is Text and isinstance(event, TextDelta) and event.text:
            return (piece(self._prefix, event.text),)
        if self._finished:
            return ()
        out: list[bytes] = []
        if not self._started:
            self._start(event.usage if isinstance(event, Start) else Usage(), out)
        self._take(event, out)
        return (b"".join(out),) if out else ()

    def close(self) -> tuple[bytes, ...]:
        if not self._finished:
            raise Truncated("the stream ended before its finish")
        return ()

    def fail(self, failure: Failure) -> bytes:
        self._finished = True
        self._kind = None
        return frame(encode_error(failure))

    def _take(self, event: Event, out: list[bytes]) -> None:
        """Say one event; but a call begun in fragments is said to its end before all else."""
        if self._tool is not None and not self._continues(event):
            self._held.append(event)
            return
        match event:
            case TextDelta(text=text):
                self._extend(Text, TEXT, text, out)
            case ThinkingDelta(text=text):
                self._extend(Thinking, THINKING, text, out)
            case ToolCallDelta():
                self._fragment(event, out)
            case PartDone(part=part):
                self._part(part, out)
            case Finish():
                self._finish(event, out)
            case Start() | ResponseDone():
                pass
            case _:
                assert_never(event)

    def _start(self, usage: Usage, out: list[bytes]) -> None:
        """Open the message. Clients read the size of the prompt here, so a guess beats zero.

        The true count follows in `message_delta`, which overrules it.
        """
        self._started = True
        self._usage = usage
        known = usage if usage.known else Usage(input=estimate(self._request))
        out.append(start(self._stamp.id, self._stamp.model, encode_usage(known)))

    def _extend(
        self, kind: type[Text | Thinking], shape: Shape, text: str, out: list[bytes]
    ) -> None:
        if not text:
            return
        if self._kind is not kind:
            self._open(kind, shape, out)
        out.append(piece(self._prefix, text))

    def _fragment(self, event: ToolCallDelta, out: list[bytes]) -> None:
        if self._tool is None:
            self._open_call(ToolCall(id=event.id, name=event.name, arguments=""), out)
            self._tool = event.id
        if event.arguments:
            self._sent.append(event.arguments)
            out.append(piece(self._prefix, event.arguments))

    def _part(self, part: Part, out: list[bytes]) -> None:
        match part:
            case Text():
                self._text(part, out)
            case Thinking() if REDACTED not in own(part.artefact, NAME):
                self._thinking(part, out)
            case ToolCall():
                self._call(part, out)
            case _:
                self._block(part, out)

    def _text(self, part: Text, out: list[bytes]) -> None:
        if self._kind is not Text:
            self._extend(Text, TEXT, part.text, out)
        if self._kind is not Text:
            return  # nothing was said
        citations = own(part.artefact, NAME).get("citations")
        out.extend(
            self._delta({"type": "citations_delta", "citation": citation})
            for citation in (citations if isinstance(citations, list) else ())
        )
        self._close(out)

    def _thinking(self, part: Thinking, out: list[bytes]) -> None:
        if self._kind is not Thinking:
            self._open(Thinking, THINKING, out)
            self._extend(Thinking, THINKING, part.text, out)
        self._close(out, signature=encode_signature(part.artefact))

    def _call(self, part: ToolCall, out: list[bytes]) -> None:
        if self._tool is None:
            carrier = pack(part) if may_carry(self._request) else None
            if carrier is not None:
                self._close(out)
                self._thinking(carrier, out)
            self._open_call(part, out)
        arguments = _object_text(part.arguments)
        sent = "".join(self._sent)
        if arguments.startswith(sent) and arguments != sent:
            out.append(piece(self._prefix, arguments.removeprefix(sent)))
        self._close(out)
        self._release(out)

    def _continues(self, event: Event) -> bool:
        match event:
            case ToolCallDelta(id=call) | PartDone(part=ToolCall(id=call)):
                return call == self._tool
            case _:
                return isinstance(event, Finish)

    def _release(self, out: list[bytes]) -> None:
        """Say what waited for the open call, which may begin another."""
        self._tool = None
        held, self._held = self._held, []
        for event in held:
            self._take(event, out)

    def _open_call(self, part: ToolCall, out: list[bytes]) -> None:
        self._open_block(ToolCall, {**encode_call(part), "input": {}}, INPUT, out)
        self._called = True
        self._sent = []

    def _block(self, part: Part, out: list[bytes]) -> None:
        """Write a block no deltas were told of: redacted thinking, the provider's own tools."""
        block = encode_reply_part(part)
        if block is None:
            return
        given = block.get("input")
        if isinstance(given, dict):  # clients collect it from deltas and overlook the start's
            self._open_block(None, {**block, "input": {}}, INPUT, out)
            out.append(piece(self._prefix, write_text(given)))
        else:
            self._open_block(None, block, b"", out)
        out.append(BLOCK_STOP % self._index)

    def _open(self, kind: _Kind, shape: Shape, out: list[bytes]) -> None:
        self._close(out)
        self._index += 1
        self._kind = kind
        self._prefix = shape.delta % self._index
        out.append(shape.opening % self._index)

    def _open_block(
        self, kind: _Kind | None, block: JsonObject, delta: bytes, out: list[bytes]
    ) -> None:
        self._close(out)
        self._index += 1
        self._kind = kind
        self._prefix = delta % self._index if delta else b""
        out.append(opening(self._index, block))

    def _close(self, out: list[bytes], *, signature: str = "") -> None:
        if self._kind is None:
            return
        if self._kind is Thinking:  # signed once, last, even if by nobody
            out.append(self._delta({"type": "signature_delta", "signature": signature}))
        self._kind = None
        out.append(BLOCK_STOP % self._index)

    def _delta(self, delta: JsonObject) -> bytes:
        return frame({"type": "content_block_delta", "index": self._index, "delta": delta})

    def _finish(self, event: Finish, out: list[bytes]) -> None:
        while self._tool is not None:  # never given whole: what came of it has to do
            self._close(out)
            self._release(out)
        self._close(out)
        if event.reason == "error":
            out.append(self.fail(broken(event)))
            return
        self._finished = True
        usage = event.usage if event.usage.known else self._usage
        counts: JsonObject = encode_usage(usage) if usage.known else {"output_tokens": 0}
        ending = encode_ending(event, called=self._called)
        out.append(frame({"type": "message_delta", "delta": ending, "usage": counts}))
        out.append(STOP)


def _object_text(arguments: str) -> str:
    """Give arguments as they are if they are an object; clients choke on anything else."""
    value = arguments_object(arguments)
    kept = arguments.strip() and value != {"_raw": arguments}
    return arguments if kept else write_text(value)
