"""Counting without running: the upstream's number where it has one, else an honest estimate."""

import asyncio

import pytest

from majordomo.contract import Image, Json, JsonObject, Request
from majordomo.dialects.estimate import estimate
from majordomo.dialects.json import write
from majordomo.gateway.app import App
from majordomo.gateway.service import Service
from majordomo.testing import Scripted
from support.asgi import Got, call
from support.gateway import Shelf

pytestmark = pytest.mark.anyio


class Counts(Scripted):
    """A model that may say how long a request is."""

    def __init__(self, exact: int | None) -> None:
        super().__init__((), "counts/model")
        self.asked: list[Request] = []
        self._exact = exact

    async def count(self, request: Request) -> int | None:
        self.asked.append(request)
        await asyncio.sleep(0)
        return self._exact


PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVQI12P4z8AAAAMBAQAY3Y2wAAAAAElFTkSuQmCC"
PICTURE: Json = {"type": "base64", "media_type": "image/png", "data": PNG}
BODIES: dict[str, tuple[str, JsonObject, str]] = {
    "anthropic": (
        "/v1/messages/count_tokens",
        {
            "model": "up",
            "messages": [
                {"role": "user", "content": "look"},
                {
                    "role": "assistant",
                    "content": [{"type": "tool_use", "id": "a", "name": "see", "input": {}}],
                },
                {
                    "role": "user",
                    "content": [
                        {
                            "type": "tool_result",
                            "tool_use_id": "a",
                            "content": [{"type": "image", "source": PICTURE}],
                        }
                    ],
                },
            ],
            "tools": [{"name": "see", "input_schema": {"type": "object"}}],
        },
        "input_tokens",
    ),
    "openai_responses": (
        "/v1/responses/input_tokens",
        {"model": "up", "input": "How long is this?"},
        "input_tokens",
    ),
    "gemini": (
        "/v1beta/models/up:countTokens",
        {"contents": [{"parts": [{"text": "How long is this?"}]}]},
        "totalTokens",
    ),
}


async def count(app: App, door: str) -> Got:
    path, body, _ = BODIES[door]
    return await call(app, "POST", path, write(body))


@pytest.mark.parametrize("door", BODIES)
async def test_the_upstream_knows_best(door: str) -> None:
    got = await count(App(Service(Shelf(up=Counts(42)))), door)
    assert got.object[BODIES[door][2]] == 42
    assert "x-majordomo-estimate" not in got.headers


@pytest.mark.parametrize("door", BODIES)
async def test_an_estimate_says_that_it_is_one(door: str) -> None:
    model = Counts(None)
    got = await count(App(Service(Shelf(up=model))), door)
    assert got.headers["x-majordomo-estimate"] == "true"
    assert got.object[BODIES[door][2]] == estimate(model.asked[0])


async def test_an_estimate_counts_pictures_in_tool_results() -> None:
    model = Counts(None)
    got = await count(App(Service(Shelf(up=model))), "anthropic")
    (result,) = model.asked[0].messages[-1].tool_results
    assert isinstance(result.content[0], Image)
    tokens = got.object["input_tokens"]
    assert isinstance(tokens, int)
    assert tokens > 1000


async def test_many_count_at_once() -> None:
    app = App(Service(Shelf(up=Counts(7))))
    found = await asyncio.gather(*(count(app, "anthropic") for _ in range(25)))
    assert [got.object["input_tokens"] for got in found] == [7] * 25


async def test_what_cannot_be_counted_is_refused_in_shape() -> None:
    app = App(Service(Shelf(up=Counts(7))))
    got = await call(app, "POST", "/v1/messages/count_tokens", b'{"messages":[]}')
    assert (got.status, got.object["type"]) == (400, "error")
    got = await call(app, "POST", "/v1/messages/count_tokens", b'{"model":"x","messages":[]}')
    assert got.status in (400, 404)
