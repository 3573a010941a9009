"""Events to replies, streamed or whole.

https://platform.openai.com/docs/api-reference/chat-streaming
"""

from collections.abc import Iterable
from typing import NamedTuple, assert_never

import msgspec

from majordomo.contract import (
    Document,
    Event,
    Failure,
    Finish,
    Fold,
    Image,
    Json,
    JsonObject,
    Opaque,
    Overloaded,
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
from majordomo.dialects.dialect import Stamp
from majordomo.dialects.json import write
from majordomo.dialects.sse import encode_sse

from .call import serve_call
from .failure import encode_error
from .finish import encode_finish
from .part import is_refusal
from .reasoning import DETAILS, SERVED_FIELD, serve_details
from .response import encode_response, serve_image
from .usage import encode_usage

_DONE = b"data: [DONE]\n\n"
_FAILED = Overloaded("the model ended its reply with an error")


class WholeEncoder:
    """Says nothing until the end, then one JSON body."""

    content_type = "application/json"

    __slots__ = ("_done", "_fold", "_stamp")

    def __init__(self, stamp: Stamp) -> None:
        self._stamp = stamp
        self._fold = Fold()
        self._done = False

    def feed(self, event: Event) -> Iterable[bytes]:
        if self._done:
            return ()
        self._fold.add(event)
        if type(event) is not Finish:
            return ()
        self._done = True
        if event.reason == "error":
            return (self.fail(_FAILED),)
        return (write(encode_response(self._fold.response(), self._stamp)),)

    def close(self) -> Iterable[bytes]:
        if not self._done:
            raise Truncated("the reply ended before its finish")
        return ()

    def fail(self, failure: Failure) -> bytes:
        self._done = True
        return write(encode_error(failure))


class _Sent(NamedTuple):
    """What has been said of a call."""

    place: int
    arguments: list[str]


class StreamEncoder:
    """Role once, then deltas, the finish, the usage if asked for, and `[DONE]`."""

    content_type = "text/event-stream"

    __slots__ = (
        *("_after", "_before", "_begun", "_calls", "_counts", "_done", "_head", "_open"),
        *("_refused", "_start", "_tail", "_text", "_usage"),
    )

    def __init__(self, stamp: Stamp, *, usage: bool) -> None:
        self._usage = usage
        self._begun = False
        self._done = False
        self._open: type[Text | Thinking] | None = None  # the kind deltas are coming of
        self._calls: dict[str, _Sent] = {}
        self._counts: dict[str, int] = {}  # of what goes out in lists
        self._refused = False
        self._start: Start | None = None
        # All but the delta is the same in every chunk, so it is written once: a text delta
        # costs one JSON string and one join instead of a whole object.
        self._head = _HEAD % (_encode_text(stamp.id)[1:], stamp.created, _encode_text(stamp.model))
        self._tail = b',"usage":null}\n\n' if usage else b"}\n\n"
        self._before = self._head + b'[{"index":0,"delta":'
        self._after = b',"logprobs":null,"finish_reason":null}]' + self._tail
        self._text = (self._before + b'{"content":', b"}" + self._after)

    def feed(self, event: Event) -> Iterable[bytes]:
        if type(event) is TextDelta and self._open is Text:
            return (self._text[0] + _encode_text(event.text) + self._text[1],)
        if self._done:
            return ()
        chunks: list[bytes] = []
        if not self._begun:
            self._begun = True
            chunks.append(self._before + _ROLE + self._after)
        self._tell(event, chunks)
        return chunks

    def close(self) -> Iterable[bytes]:
        if not self._done:
            raise Truncated("the reply ended before its finish")
        return ()

    def fail(self, failure: Failure) -> bytes:
        self._done = True
        self._open = None
        return encode_sse(write(encode_error(failure)))

    def _tell(self, event: Event, chunks: list[bytes]) -> None:
        match event:
            case TextDelta(text=text):
                self._say(text, chunks)
            case ThinkingDelta(text=text):
                self._think(text, chunks)
            case ToolCallDelta():
                self._fragment(event, chunks)
                self._open = None
            case PartDone(part=part):
                self._part(part, chunks)
                self._open = None
            case Start():
                self._start = event
            case Finish():
                self._finish(event, chunks)
            case ResponseDone():
                pass
            case _:
                assert_never(event)

    def _say(self, text: str, chunks: list[bytes]) -> None:
        self._open = Text
        if text:
            chunks.append(self._text[0] + _encode_text(text) + self._text[1])

    def _think(self, text: str, chunks: list[bytes]) -> None:
        self._open = Thinking
        if text:
            chunks.append(self._before + _THOUGHT + _encode_text(text) + self._text[1])

    def _part(self, part: Part, chunks: list[bytes]) -> None:
        match part:
            case Text():
                self._whole_text(part, chunks)
            case Thinking():
                self._whole_thinking(part, chunks)
            case ToolCall():
                self._whole_call(part, chunks)
            case Image():
                self._list("images", [serve_image(part, self._counts.get("images", 0))], chunks)
            case Opaque(dialect="openai_chat", value=value):
                chunks.append(self._delta({"content": [value]}))
            case Opaque() | Document() | ToolResult():
                pass  # a Chat reply has no place for these
            case _:
                assert_never(part)

    def _whole_text(self, part: Text, chunks: list[bytes]) -> None:
        if self._open is Text:
            return  # its deltas have said it
        if is_refusal(part):
            self._refused = True
            chunks.append(self._delta({"refusal": part.text}))
        else:
            self._say(part.text, chunks)

    def _whole_thinking(self, part: Thinking, chunks: list[bytes]) -> None:
        if self._open is not Thinking:
            self._think(part.text, chunks)
        self._list(DETAILS, serve_details(part, self._counts.get(DETAILS, 0)), chunks)

    def _fragment(self, delta: ToolCallDelta, chunks: list[bytes]) -> None:
        if delta.id not in self._calls:
            call = ToolCall(id=delta.id, name=delta.name, arguments="")
            chunks.append(self._call_head(call))
        self._more_arguments(delta.id, delta.arguments, chunks)

    def _whole_call(self, call: ToolCall, chunks: list[bytes]) -> None:
        wire = serve_call(call)
        if "custom" in wire:
            index = self._open_call(call.id)
            chunks.append(self._delta({"tool_calls": [{"index": index, **wire}]}))
            return
        if call.id not in self._calls:
            chunks.append(self._call_head(call))
        sent = "".join(self._calls[call.id].arguments)
        if call.arguments.startswith(sent):
            self._more_arguments(call.id, call.arguments[len(sent) :], chunks)

    def _call_head(self, call: ToolCall) -> bytes:
        """Open a call: id, type and name are said once, or the official SDK doubles them."""
        wire = {"index": self._open_call(call.id), **serve_call(call)}
        wire["function"] = {"name": call.name, "arguments": ""}
        return self._delta({"tool_calls": [wire]})

    def _open_call(self, id: str) -> int:
        sent = self._calls[id] = _Sent(len(self._calls), [])
        return sent.place

    def _more_arguments(self, id: str, arguments: str, chunks: list[bytes]) -> None:
        if not arguments:
            return
        sent = self._calls[id]
        sent.arguments.append(arguments)
        piece: JsonObject = {"index": sent.place, "function": {"arguments": arguments}}
        chunks.append(self._delta({"tool_calls": [piece]}))

    def _list(self, name: str, values: list[Json], chunks: list[bytes]) -> None:
        if values:
            self._counts[name] = self._counts.get(name, 0) + len(values)
            chunks.append(self._delta({name: values}))

    def _finish(self, event: Finish, chunks: list[bytes]) -> None:
        if event.reason == "error":
            chunks.append(self.fail(_FAILED))
            return
        self._done = True
        self._open = None
        word = encode_finish(event.reason, refused=self._refused).encode()
        chunks.append(
            self._before + b'{},"logprobs":null,"finish_reason":"%b"}]' % word + self._tail
        )
        if self._usage:
            usage = event.usage
            if not usage.known and self._start is not None:
                usage = self._start.usage
            chunks.append(self._head + b'[],"usage":' + write(encode_usage(usage)) + b"}\n\n")
        chunks.append(_DONE)

    def _delta(self, delta: JsonObject) -> bytes:
        return self._before + write(delta) + self._after


_encode_text = msgspec.json.Encoder().encode
_HEAD = (
    b'data: {"id":"chatcmpl-%b,"object":"chat.completion.chunk","created":%d,"model":%b,"choices":'
)
_ROLE = b'{"role":"assistant","content":"","refusal":null}'
_THOUGHT = b'{"%b":' % SERVED_FIELD.encode()
