"""Replies as Gemini sends them: chunks that each are a small reply, or one whole reply.

https://ai.google.dev/api/generate-content#generatecontentresponse

Events are bare `data:` lines. Its clients bear no comment, no event name, no [DONE].
"""

from collections.abc import Iterable
from typing import assert_never

from majordomo.contract import (
    Event,
    Failure,
    Finish,
    Fold,
    JsonObject,
    Part,
    PartDone,
    ResponseDone,
    Start,
    Text,
    TextDelta,
    Thinking,
    ThinkingDelta,
    ToolCallDelta,
    Truncated,
)
from majordomo.dialects.dialect import Stamp
from majordomo.dialects.json import write
from majordomo.dialects.sse import encode_sse

from .failure import encode_error
from .finish import encode_finish
from .part import encode_part
from .response import encode_response
from .signature import to_client
from .usage import encode_usage

_BEFORE = b'data: {"candidates":[{"content":{"role":"model","parts":['
_TEXT = _BEFORE + b'{"text":'


class GeminiEncoder:
    __slots__ = ("_fold", "_kind", "_over", "_stamp", "_stream", "_tail", "_text", "_thought")

    def __init__(self, stamp: Stamp, *, stream: bool) -> None:
        self._stamp = stamp
        self._stream = stream
        self._fold = Fold()
        self._kind: type[Text | Thinking] | None = None  # of the part whose deltas are out
        self._over = False
        # All but the words of a delta is the same in every chunk: written once, it saves most
        # of the time a chunk costs.
        signed = write({"modelVersion": stamp.model, "responseId": stamp.id})[1:]
        self._tail = b']},"index":0}],' + signed + b"\n\n"
        self._text = b"}" + self._tail
        self._thought = b',"thought":true}' + self._tail

    @property
    def content_type(self) -> str:
        return "text/event-stream" if self._stream else "application/json"

    def feed(self, event: Event) -> Iterable[bytes]:
        if self._over or not self._stream:
            return self._collect(event)
        match event:
            case TextDelta(text=text):
                self._kind = Text
                return (_TEXT + write(text) + self._text,) if text else ()
            case ThinkingDelta(text=text):
                self._kind = Thinking
                return (_TEXT + write(text) + self._thought,) if text else ()
            case PartDone(part=part):
                return self._part(part)
            case Finish():
                self._over = True
                return (encode_sse(write(self._final(event))),)
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
        return encode_sse(encode_error(failure)) if self._stream else encode_error(failure)

    def _part(self, part: Part) -> Iterable[bytes]:
        """Write a part; of one whose words are out, what they could not bring: the signature."""
        said, self._kind = self._kind, None
        if isinstance(part, Text | Thinking) and isinstance(part, said or ()):
            part = type(part)(text="", artefact=part.artefact)
        wire = encode_part(part, to_client)
        return (_BEFORE + write(wire) + self._tail,) if wire else ()

    def _collect(self, event: Event) -> Iterable[bytes]:
        """Keep everything for one object; nothing follows the end of a stream either."""
        if not self._over:
            self._fold.add(event)
        if self._over or not isinstance(event, Finish):
            return ()
        self._over = True
        return (write(encode_response(self._fold.response(), self._stamp)),)

    def _final(self, finish: Finish) -> JsonObject:
        """End with an empty text, as Google does: clients print each chunk's `text`."""
        candidate: JsonObject = {
            "content": {"role": "model", "parts": [{"text": ""}]},
            "finishReason": encode_finish(finish.reason, finish.native),
            "index": 0,
        }
        return {
            "candidates": [candidate],
            "usageMetadata": encode_usage(finish.usage),
            "modelVersion": self._stamp.model,
            "responseId": self._stamp.id,
        }
