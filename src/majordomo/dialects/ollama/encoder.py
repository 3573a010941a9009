"""Replies as Ollama sends them: lines of JSON, or one object.

https://github.com/ollama/ollama/blob/main/docs/api.md#response
"""

from collections.abc import Iterable
from typing import assert_never

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
from majordomo.dialects.ndjson import encode_line
from majordomo.dialects.rfc3339 import rfc3339

from .failure import encode_error
from .finish import encode_finish
from .image import encode_image
from .shape import Shape
from .tool import encode_call
from .usage import encode_usage


class OllamaEncoder:
    """Every line is a whole object with a message in it; ollama-python insists."""

    __slots__ = (
        "_calls",
        "_fold",
        "_head",
        "_kind",
        "_over",
        "_shape",
        "_stream",
        "_text",
        "_thinking",
    )

    def __init__(self, shape: Shape, stamp: Stamp, *, stream: bool) -> None:
        self._shape = shape
        self._stream = stream
        self._head: JsonObject = {"model": stamp.model, "created_at": rfc3339(stamp.created)}
        # All but the words of a delta is the same in every line: written once, it saves two
        # thirds of the time a line costs.
        head = write(self._head)[:-1] + b","
        self._text = head + shape.text[0], shape.text[1] + b',"done":false}\n'
        self._thinking = head + shape.thinking[0], shape.thinking[1] + b',"done":false}\n'
        self._fold = Fold()
        self._kind: type[Text | Thinking] | None = None  # of the part whose deltas are out
        self._calls = 0
        self._over = False

    @property
    def content_type(self) -> str:
        return "application/x-ndjson" if self._stream else "application/json"

    def feed(self, event: Event) -> Iterable[bytes]:
        if self._over or not self._stream:
            return self._collect(event)
        match event:
            case TextDelta(text=text):
                self._kind = Text
                return (_framed(self._text, text),) if text else ()
            case ThinkingDelta(text=text):
                self._kind = Thinking
                return (_framed(self._thinking, text),) if text else ()
            case PartDone(part=part):
                return self._part(part)
            case Finish():
                self._over = True
                return (encode_line(write(self._final(event, "", {}))),)
            case Start() | ToolCallDelta() | ResponseDone():
                return ()
            case _:
                assert_never(event)

    def close(self) -> Iterable[bytes]:
        if not self._over:
            raise Truncated("the reply ended before its finish")
        return ()

    def fail(self, failure: Failure) -> bytes:
        self._over = True
        return encode_line(encode_error(failure))

    def _part(self, part: Part) -> Iterable[bytes]:
        said, self._kind = self._kind, None
        if said is not None and isinstance(part, said):
            return ()
        match part:
            case Text(text=text):
                return (_framed(self._text, text),) if text else ()
            case Thinking(text=text):
                return (_framed(self._thinking, text),) if text else ()
            case ToolCall():
                return self._line({"tool_calls": [self._call(part)]})
            case Image():
                return self._line({"images": [encode_image(part)]})
            case Document() | ToolResult() | Opaque():
                return ()
            case _:
                assert_never(part)

    def _line(self, beside: JsonObject) -> Iterable[bytes]:
        wire = self._head | self._shape.whole("", beside) | {"done": False}
        return (encode_line(write(wire)),)

    def _call(self, call: ToolCall) -> JsonObject:
        wire = encode_call(call, index=self._calls)
        self._calls += 1
        return wire

    def _collect(self, event: Event) -> Iterable[bytes]:
        """Keep everything for one object; nothing follows the end of a stream either."""
        if not self._over:
            self._fold.add(event)
        if self._over or not isinstance(event, Finish):
            return ()
        self._over = True
        response = self._fold.response()
        images: list[Json] = [encode_image(p) for p in response.parts if isinstance(p, Image)]
        calls: list[Json] = [self._call(call) for call in response.tool_calls]
        beside: dict[str, Json] = {
            "thinking": response.thinking,
            "images": images,
            "tool_calls": calls,
        }
        filled: JsonObject = {name: value for name, value in beside.items() if value}
        return (write(self._final(event, response.text, filled)),)

    def _final(self, finish: Finish, text: str, beside: JsonObject) -> JsonObject:
        ending: JsonObject = {
            "done": True,
            "done_reason": encode_finish(finish.reason, finish.native),
        }
        said = self._shape.whole(text, beside)
        return self._head | said | ending | encode_usage(finish.usage)


def _framed(frame: tuple[bytes, bytes], text: str) -> bytes:
    return frame[0] + write(text) + frame[1]
