"""Events to a reply: the full event lifecycle of a stream, or one response object.

https://platform.openai.com/docs/api-reference/responses-streaming
"""

from typing import assert_never

from majordomo.contract import (
    Document,
    Event,
    Failure,
    Finish,
    Image,
    Json,
    JsonObject,
    Opaque,
    Part,
    PartDone,
    ResponseDone,
    Start,
    Text,
    TextDelta,
    Thinking,
    ThinkingDelta,
    ToolCall,
    ToolCallDelta,
    ToolResult,
    Truncated,
)
from majordomo.contract.pieces import MANY, gather
from majordomo.dialects.dialect import Ask, Stamp
from majordomo.dialects.media import encode_base64

from .failure import encode_error, encode_failure, encode_response_error
from .finish import encode_finish
from .item import call_place, encode_call, is_refusal
from .output import Frames, OpenCall, OpenText, OpenThinking, write_whole
from .response import Envelope
from .tool import places


class ResponsesEncoder:
    __slots__ = (
        *("_begun", "_body", "_call", "_envelope", "_finished", "_frames", "_held", "_known"),
        *("_output", "_refused", "_stamp", "_streaming", "_text", "_thinking"),
    )

    def __init__(self, ask: Ask, stamp: Stamp) -> None:
        self._streaming = ask.stream
        self._stamp = stamp.id
        self._known = places(ask.request.tools)
        self._envelope = Envelope(ask, stamp, self._known)
        self._frames = Frames(streaming=ask.stream)
        self._output: list[Json] = []
        self._text: OpenText | None = None
        self._thinking: OpenThinking | None = None
        self._call: _Fragments | None = None
        self._held: list[Event] = []  # what came while a call was open
        self._begun = False
        self._refused = False
        self._finished = False
        self._body = b""  # the final response object

    @property
    def content_type(self) -> str:
        return "text/event-stream" if self._streaming else "application/json"

    @property
    def id(self) -> str:
        return self._envelope.id

    @property
    def body(self) -> bytes:
        """The response object as it was given at the end; empty before that."""
        return self._body

    def feed(self, event: Event) -> list[bytes]:
        text = self._text
        if type(event) is TextDelta and text is not None:
            # Nearly every event: one frame, with all but its words prepared.
            text.pieces.append(event.text)
            if len(text.pieces) > MANY:
                gather(text.pieces)
            if not event.text or not self._streaming:
                return []
            return [self._frames.delta(text.head, event.text)]
        if self._finished:
            return []
        self._offer(event)
        if isinstance(event, Finish) and not self._streaming:
            return [self._body]
        return self._frames.take()

    def close(self) -> list[bytes]:
        if not self._finished:
            raise Truncated("the reply ended before its finish")
        return []

    def fail(self, failure: Failure) -> bytes:
        """End in an error: `response.failed` for agents, `error` for the official clients.

        Codex acts on the first and knows no second; the official clients give the first to
        whoever looks and raise at the second, if it holds an `error` object beside the flat
        fields of the published type.
        """
        if not self._streaming:
            return encode_failure(failure).body
        self._begin()
        error = encode_response_error(failure)
        response = self._envelope.write("failed", self._output, error=error)
        self._frames.add_response("response.failed", response)
        said = encode_error(failure)
        flat: JsonObject = {name: said[name] for name in ("code", "message", "param")}
        self._frames.add("error", {**flat, "error": said})
        self._finished = True
        return b"".join(self._frames.take())

    def _offer(self, event: Event) -> None:
        """Take an event now, or once the open call is closed: items never overlap."""
        if self._call is not None and not self._call.concerns(event):
            self._held.append(event)
        else:
            self._take(event)

    def _take(self, event: Event) -> None:
        self._begin()
        match event:
            case TextDelta(text=text):
                self._say(text)
            case ThinkingDelta(text=text):
                self._think(text)
            case PartDone(part=part):
                self._whole(part)
            case ToolCallDelta():
                self._fragment(event)
            case Finish():
                self._finish(event)
            case Start() | ResponseDone():
                pass
            case _:
                assert_never(event)

    def _begin(self) -> None:
        if not self._begun:
            self._begun = True
            if not self._streaming:
                return
            response = self._envelope.write("in_progress", [])
            self._frames.add_response("response.created", response)
            self._frames.add_response("response.in_progress", response)

    def _say(self, text: str) -> None:
        if text:
            self._close_thinking(None)
            self._text = self._text or OpenText(self._frames, self._stamp, len(self._output))
            self._text.add(text)

    def _think(self, text: str) -> None:
        if text:
            self._close_text(None)
            index = len(self._output)
            self._thinking = self._thinking or OpenThinking(self._frames, self._stamp, index)
            self._thinking.add(text)

    def _whole(self, part: Part) -> None:
        self._close_others(part)
        match part:
            case Text():
                self._whole_text(part)
            case Thinking():
                index = len(self._output)
                self._thinking = self._thinking or OpenThinking(self._frames, self._stamp, index)
                self._close_thinking(part)
            case ToolCall():
                self._whole_call(part)
            case Opaque(dialect="openai_responses", value=value):
                self._add(write_whole(self._frames, value, len(self._output)))
            case Image(data=data):
                self._add(write_whole(self._frames, self._picture(data), len(self._output)))
            case Document() | ToolResult() | Opaque():
                pass  # a reply cannot say these here
            case _:
                assert_never(part)

    def _close_others(self, part: Part) -> None:
        if not isinstance(part, Text):
            self._close_text(None)
        if not isinstance(part, Thinking):
            self._close_thinking(None)

    def _whole_text(self, part: Text) -> None:
        if self._text is None and is_refusal(part):
            self._refuse(part.text)
        elif self._text is not None or part.text:
            self._text = self._text or OpenText(self._frames, self._stamp, len(self._output))
            self._close_text(part)

    def _fragment(self, event: ToolCallDelta) -> None:
        call = ToolCall(id=event.id, name=event.name, arguments="")
        if call_place(call, self._known).custom:
            return  # pieces of JSON are no pieces of the text inside it
        if self._call is None:
            self._close_text(None)
            self._close_thinking(None)
            item = self._call_item(call)
            opened = OpenCall(self._frames, item, len(self._output))
            self._call = _Fragments(event.id, opened, item)
        self._call.open.add(event.arguments)

    def _whole_call(self, call: ToolCall) -> None:
        if self._call is not None:
            self._close_call(call)
            return
        item = self._call_item(call)
        opened = OpenCall(self._frames, item, len(self._output))
        self._add(opened.close(item, call))

    def _call_item(self, call: ToolCall) -> JsonObject:
        """Write the call under its own name from the service, or one of ours."""
        item = encode_call(call, self._known)
        prefix = "ctc" if item["type"] == "custom_tool_call" else "fc"
        item.pop("status", None)
        return {**item, "id": item.get("id") or f"{prefix}_{self._stamp}_{len(self._output)}"}

    def _close_call(self, call: ToolCall | None) -> None:
        if self._call is None:
            return
        closing, self._call = self._call, None
        self._add(closing.open.close(closing.item, call))
        held, self._held = self._held, []
        for event in held:
            self._offer(event)

    def _close_text(self, part: Text | None) -> None:
        if self._text is not None:
            closing, self._text = self._text, None
            self._add(closing.close(part))

    def _close_thinking(self, part: Thinking | None) -> None:
        if self._thinking is not None:
            closing, self._thinking = self._thinking, None
            self._add(closing.close(part))

    def _refuse(self, text: str) -> None:
        self._refused = True
        self._add(OpenText(self._frames, self._stamp, len(self._output)).refuse(text))

    def _picture(self, data: bytes) -> JsonObject:
        return {
            "id": f"ig_{self._stamp}_{len(self._output)}",
            "type": "image_generation_call",
            "status": "completed",
            "result": encode_base64(data),
        }

    def _add(self, item: JsonObject) -> None:
        self._output.append(item)

    def _finish(self, finish: Finish) -> None:
        while self._call is not None:
            self._close_call(None)
        self._close_text(None)
        self._close_thinking(None)
        if finish.reason == "refusal" and not self._refused:
            self._refuse("")  # the words went out as text before anyone knew what they were
        ending = encode_finish(finish)
        error: JsonObject = {"code": "server_error", "message": "the model ended with an error"}
        self._body = self._envelope.write(
            ending.status,
            self._output,
            usage=finish.usage,
            details=ending.details,
            error=error if ending.status == "failed" else None,
        )
        self._frames.add_response(ending.event, self._body)
        self._finished = True


class _Fragments:
    """A call given in pieces until it is given whole."""

    def __init__(self, id: str, opened: OpenCall, item: JsonObject) -> None:
        self.id = id
        self.open = opened
        self.item = item

    def concerns(self, event: Event) -> bool:
        match event:
            case ToolCallDelta(id=id) | PartDone(part=ToolCall(id=id)):
                return id == self.id
            case Finish():
                return True
            case _:
                return False
