"""A target's own count where it has one; who has none is asked once."""

from collections.abc import Mapping

import pytest

from majordomo.contract import DialectName, JsonObject, Request, Tool, user
from majordomo.dialects.json import object_at, read
from majordomo.engine.http import HttpCall, HttpReply
from majordomo.engine.registry import Registry
from support.canned import DSNS

pytestmark = pytest.mark.anyio

ASK = Request(
    messages=(user("What is the weather in Paris?"),),
    system="Be brief.",
    tools=(Tool(name="weather", parameters={"type": "object"}),),
    max_tokens=9,
    temperature=0.5,
)


class Answers:
    """A transport that gives the same status and body to every call."""

    def __init__(self, status: int, body: bytes) -> None:
        self.calls: list[HttpCall] = []
        self._status = status
        self._body = body

    async def send(self, call: HttpCall) -> HttpReply:
        self.calls.append(call)
        return _Reply(self._status, self._body)

    async def aclose(self) -> None:
        """There is nothing to close."""


class _Reply:
    headers: Mapping[str, str] = {}

    def __init__(self, status: int, body: bytes) -> None:
        self.status = status
        self._pieces = [body]

    async def read(self) -> bytes:
        return self._pieces.pop() if self._pieces else b""

    async def finish(self) -> None:
        """The end was read."""

    def close(self) -> None:
        """There is nothing to close."""


def sent(call: HttpCall) -> JsonObject:
    return object_at(read(call.body), "body")


async def counted(name: DialectName, answers: Answers, times: int = 1) -> list[int | None]:
    registry = Registry(providers={"up": DSNS[name]}, env={}, http_client=answers)
    model = registry.parse("up/some-model")
    return [await model.count(ASK) for _ in range(times)]


ASKED: dict[DialectName, tuple[str, bytes, set[str]]] = {
    "anthropic": (
        "https://anthropic.test/v1/messages/count_tokens",
        b'{"input_tokens":42}',
        {"model", "messages", "system", "tools"},
    ),
    "openai_responses": (
        "https://responses.test/v1/responses/input_tokens",
        b'{"object":"response.input_tokens","input_tokens":42}',
        {"model", "input", "instructions", "tools"},
    ),
    "gemini": (
        "https://gemini.test/v1beta/models/some-model:countTokens",
        b'{"totalTokens":42}',
        {"generateContentRequest"},
    ),
}


@pytest.mark.parametrize("name", ASKED)
async def test_the_target_counts_itself(name: DialectName) -> None:
    url, reply, fields = ASKED[name]
    answers = Answers(200, reply)
    assert await counted(name, answers) == [42]
    (call,) = answers.calls
    assert call.url == url
    assert set(sent(call)) == fields
    assert any("key" in value for value in call.headers.values())


@pytest.mark.parametrize("name", ["openai_chat", "ollama"])
async def test_who_has_no_counter_is_not_asked(name: DialectName) -> None:
    answers = Answers(200, b"{}")
    assert await counted(name, answers) == [None]
    assert not answers.calls


@pytest.mark.parametrize("status", [404, 405, 501])
async def test_who_says_it_cannot_is_asked_once(status: int) -> None:
    answers = Answers(status, b"not here")
    assert await counted("anthropic", answers, times=3) == [None] * 3
    assert len(answers.calls) == 1


FAILING = {
    "busy": (529, b'{"type":"error"}'),
    "no number": (200, b"{}"),
    "a word for a number": (200, b'{"input_tokens":"many"}'),
    "no JSON": (200, b"<html>"),
}


@pytest.mark.parametrize("case", FAILING)
async def test_who_fails_is_asked_again(case: str) -> None:
    answers = Answers(*FAILING[case])
    assert await counted("anthropic", answers, times=2) == [None, None]
    assert len(answers.calls) == 2
