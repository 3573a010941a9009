"""The smallest dialect there can be: one line of JSON an event. For tests of what carries it."""

from collections.abc import Iterable, Mapping

from msgspec import json

from majordomo.contract import (
    DialectName,
    Event,
    Failure,
    Finish,
    JsonObject,
    Malformed,
    Request,
    TextDelta,
    Truncated,
    user,
)
from majordomo.dialects.dialect import Ask, Call, Reply, Stamp, Wire
from majordomo.dialects.failure import Said, failure_of, request_id, retry_after, status_of
from majordomo.dialects.json import object_at, read, string_at


class EchoDialect:
    """Speaks `{"text": …}` lines on Ollama's path, and `{"done": true}` at the end."""

    @property
    def name(self) -> DialectName:
        return "ollama"

    def encode_request(self, request: Request, *, model: str, stream: bool, wire: Wire) -> Call:
        del wire
        body: JsonObject = {
            "model": model,
            "stream": stream,
            "text": request.messages[-1].text,
        }
        return Call(path="/api/chat", body=json.encode(body))

    def decoder(
        self, *, stream: bool, partial_tool_calls: bool = False, joined_text: bool = False
    ) -> "EchoDecoder":
        del stream, partial_tool_calls, joined_text
        return EchoDecoder()

    def decode_failure(self, status: int, headers: Mapping[str, str], body: bytes) -> Failure:
        said = Said(
            message=body.decode(errors="replace"),
            request_id=request_id(headers),
            retry_after=retry_after(headers),
        )
        return failure_of(status, said)

    def decode_request(
        self, body: JsonObject, *, model: str = "", stream: bool | None = None
    ) -> Ask:
        del stream
        text = string_at(body.get("text"), "text")
        return Ask(
            model=model or string_at(body.get("model"), "model"),
            stream=bool(body.get("stream")),
            request=Request(messages=(user(text),)),
        )

    def encoder(self, ask: Ask, stamp: Stamp) -> "EchoEncoder":
        del ask, stamp
        return EchoEncoder()

    def encode_failure(self, failure: Failure, *, request_id: str = "") -> Reply:
        del request_id
        return Reply(status=status_of(failure), body=failure.message.encode())


class EchoDecoder:
    def __init__(self) -> None:
        self._rest = b""
        self._lines = 0
        self._finish: Finish | None = None

    def feed(self, chunk: bytes) -> Iterable[Event]:
        *lines, self._rest = (self._rest + chunk).split(b"\n")
        return [event for line in lines if line for event in self._line(line)]

    def close(self) -> Iterable[Event]:
        if self._finish is None:
            raise Truncated("no done line")
        return ()

    def _line(self, line: bytes) -> Iterable[Event]:
        self._lines += 1
        where = f"event {self._lines}"
        match object_at(read(line, where), where):
            case {"text": str(text)}:
                return (TextDelta(text=text),)
            case {"done": True}:
                self._finish = Finish(reason="stop")
                return (self._finish,)
            case {"error": str(error)}:
                raise failure_of(500, Said(message=error))
            case _:
                raise Malformed(where, "is no event")


class EchoEncoder:
    content_type = "application/x-ndjson"

    def feed(self, event: Event) -> Iterable[bytes]:
        match event:
            case TextDelta(text=text):
                return (json.encode({"text": text}) + b"\n",)
            case Finish():
                return (b'{"done":true}\n',)
            case _:
                return ()

    def close(self) -> Iterable[bytes]:
        return ()

    def fail(self, failure: Failure) -> bytes:
        return json.encode({"error": failure.message}) + b"\n"
