"""Every request a real client was seen to send is answered as that client needs."""

import pytest

from majordomo.contract import Json
from majordomo.dialects.json import write
from majordomo.gateway.app import App
from majordomo.gateway.service import Service
from majordomo.testing import scripted
from support.asgi import Got, call
from support.captures import Capture, captures
from support.gateway import Shelf

pytestmark = pytest.mark.anyio

NOT_OFFERED = ("embed", "Embed")  # only replies of models go through the gateway


@pytest.fixture
def app() -> App:
    model = scripted(lambda _: "Hello!")
    return App(Service(Shelf(up=model), default="up"))


async def sent(app: App, capture: Capture) -> Got:
    body = b"" if capture.body is None else write(capture.body)
    return await call(
        app,
        capture.method,
        capture.path,
        body,
        query=capture.query,
        headers=dict(capture.headers),
    )


def expected(capture: Capture) -> int:
    if any(word in capture.path for word in NOT_OFFERED):
        return 404
    if capture.path.endswith("/responses") and capture.method == "GET":
        return 426
    if capture.fields.get("thread") is not None or _refers(capture.fields.get("input")):
        return 400  # said so that the client sends everything again; see below
    return 200


def _refers(items: Json) -> bool:
    return isinstance(items, list) and any(
        isinstance(item, dict) and item.get("type") == "item_reference" for item in items
    )


@pytest.mark.parametrize("name", captures())
async def test_a_captured_request_is_answered(name: str, app: App) -> None:
    capture = captures()[name]
    got = await sent(app, capture)
    assert got.status == expected(capture), got.body
    assert got.headers["x-request-id"] == got.headers["request-id"]
    if got.status == 200 and capture.fields.get("messages") and "count" not in capture.path:
        assert b"Hello!" in got.body


async def test_a_thread_is_refused_in_the_words_that_make_the_sdks_send_all_of_it(app: App) -> None:
    got = await sent(app, captures()["py-anthropic-threads/x/02"])
    error = got.object["error"]
    assert isinstance(error, dict)
    assert error["type"] == "invalid_request_error"
    assert error["details"] == {
        "error_code": "thread_unsupported_request",
        "unsupported": ["thread"],
    }


async def test_an_item_is_found_again_by_its_id(app: App) -> None:
    first = await call(app, "POST", "/v1/responses", b'{"model":"up","input":"hi"}')
    output = first.object["output"]
    assert isinstance(output, list)
    assert isinstance(output[0], dict)
    reference = {"type": "item_reference", "id": output[0]["id"]}
    body = write({"model": "up", "input": [reference, {"role": "user", "content": "and?"}]})
    assert (await call(app, "POST", "/v1/responses", body)).status == 200
