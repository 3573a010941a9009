"""Upstreams without sockets: a transport that answers every call with the same words."""

from collections.abc import Iterator, Mapping

from majordomo.contract import DialectName, Part, Request, Response, Text, ToolCall, Usage, unfold
from majordomo.dialects.dialect import Ask, Stamp
from majordomo.dialects.lookup import dialect
from majordomo.engine.http import HttpCall, HttpReply

DSNS: dict[DialectName, str] = {
    "openai_chat": "openai://key@chat.test/v1",
    "openai_responses": "openai-responses://key@responses.test/v1",
    "anthropic": "anthropic://key@anthropic.test",
    "ollama": "ollama://key@ollama.test",
    "gemini": "gemini://key@gemini.test",
}
_HOSTS: dict[str, DialectName] = {f"{name.rpartition('_')[2]}.test": name for name in DSNS}
CALL = ToolCall(id="call_x", name="weather", arguments='{"city":"Paris"}')


class Canned:
    """A `Transport`. Which dialect to speak, the host of the call says."""

    def __init__(self, *parts: Part) -> None:
        self.calls: list[HttpCall] = []
        self._bodies = {name: _body(name, parts or (Text(text="Hello!"), CALL)) for name in DSNS}

    async def send(self, call: HttpCall) -> HttpReply:
        self.calls.append(call)
        return _Reply(self._bodies[_HOSTS[call.url.split("/")[2]]])

    async def aclose(self) -> None:
        """There is nothing to close."""


def _body(name: DialectName, parts: tuple[Part, ...]) -> bytes:
    reply = Response(parts=parts, finish_reason="stop", usage=Usage(input=3, output=2))
    ask = Ask(model="m", stream=True, request=Request(messages=()))
    encoder = dialect(name).encoder(ask, Stamp(id="1", created=1, model="m"))

    def pieces() -> Iterator[bytes]:
        for event in unfold(reply):
            yield from encoder.feed(event)
        yield from encoder.close()

    return b"".join(pieces())


class _Reply:
    status = 200
    headers: Mapping[str, str] = {}

    def __init__(self, body: bytes) -> None:
        self._pieces = [body, b""]

    async def read(self) -> bytes:
        return self._pieces.pop(0) if self._pieces else b""

    async def finish(self) -> None:
        """The end was read."""

    def close(self) -> None:
        self._pieces = []
