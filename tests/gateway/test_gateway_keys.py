"""Who may come in, with which key, and for what; and how many at once."""

import asyncio
from collections.abc import Sequence
from typing import Unpack

import pytest

from majordomo.config.gateway import Gateway, Key, Limits
from majordomo.contract import (
    Event,
    InvalidRequest,
    JsonObject,
    Options,
    Prompt,
    ResponseDone,
)
from majordomo.dialects.json import write
from majordomo.engine.model import Model
from majordomo.engine.stream import Served, Stream
from majordomo.gateway.app import App
from majordomo.gateway.exchange import Received, Scope, Sent
from majordomo.gateway.keys import hashed
from majordomo.gateway.server import check_bind
from majordomo.gateway.service import Service
from majordomo.testing import scripted
from support.asgi import Got, call
from support.gateway import Shelf

pytestmark = pytest.mark.anyio

SECRET = "mjd-open-sesame"
ASK = write({"model": "up", "messages": [{"role": "user", "content": "hi"}]})
CHAT = "/v1/chat/completions"


def gateway(*, allow: tuple[str, ...] = ("*",), limits: Limits | None = None) -> App:
    keys = (
        Key(name="other", sha256=hashed("another")),
        Key(name="ann", sha256=hashed(SECRET).upper(), allow=allow),
    )
    settings = Gateway(keys=keys, limits=limits or Limits())
    model = scripted(lambda _: "Hello!")
    shelf = Shelf(up=model, dear=model)
    return App(Service(shelf, settings, routes={"gpt-*": "up", "claude-*": "dear"}))


async def chat(app: App, query: str = "", model: str = "up", **headers: str) -> Got:
    body: JsonObject = {"model": model, "messages": [{"role": "user", "content": "hi"}]}
    given = {name.replace("_", "-"): value for name, value in headers.items()}
    return await call(app, "POST", CHAT, write(body), query=query, headers=given)


STYLES: dict[str, dict[str, str]] = {
    "bearer": {"authorization": f"Bearer {SECRET}"},
    "bearer in small letters": {"authorization": f"bearer  {SECRET} "},
    "x-api-key": {"x_api_key": SECRET},
    "x-goog-api-key": {"x_goog_api_key": SECRET},
    "api-key": {"api_key": SECRET},
    "in the query": {"query": f"alt=sse&key={SECRET}"},
    "in the query, escaped": {"query": f"key={SECRET.replace('-', '%2D')}"},
    "beside a wrong one": {"x_api_key": "old", "authorization": f"Bearer {SECRET}"},
}


@pytest.mark.parametrize("style", STYLES)
async def test_a_key_opens_wherever_a_client_puts_it(style: str) -> None:
    assert (await chat(gateway(), **STYLES[style])).status == 200


WRONG: dict[str, dict[str, str]] = {
    "none": {},
    "unknown": {"x_api_key": "guess"},
    "almost": {"x_api_key": SECRET[:-1]},
    "its hash": {"x_api_key": hashed(SECRET)},
    "empty": {"authorization": "Bearer "},
    "not bearer": {"authorization": f"Basic {SECRET}"},
    "beyond ASCII": {"x_api_key": "clé"},
}


@pytest.mark.parametrize("case", WRONG)
async def test_without_a_right_key_every_door_is_closed(case: str) -> None:
    app = gateway()
    assert (await chat(app, **WRONG[case])).status == 401
    headers = {name.replace("_", "-"): value for name, value in WRONG[case].items()}
    for method, path in (
        ("POST", "/v1/responses"),
        ("POST", "/v1/messages"),
        ("POST", "/v1/messages/count_tokens"),
        ("POST", "/api/chat"),
        ("POST", "/api/generate"),
        ("POST", "/api/show"),
        ("POST", "/v1beta/models/up:generateContent"),
        ("POST", "/v1beta/models/up:countTokens"),
        ("GET", "/v1/models"),
        ("GET", "/v1/models/up"),
        ("GET", "/api/tags"),
        ("GET", "/v1/responses/resp_1"),
        ("GET", "/metrics"),
    ):
        got = await call(app, method, path, ASK, headers=headers)
        assert got.status == 401, path
    assert (await call(app, "GET", "/healthz")).status == 200


async def test_strangers_are_not_told_whom_we_ask() -> None:
    app = gateway()
    assert "targets" not in (await call(app, "GET", "/readyz")).object
    headers = {"x-api-key": SECRET}
    assert "targets" in (await call(app, "GET", "/readyz", headers=headers)).object


async def test_a_key_opens_only_what_it_is_for() -> None:
    app = gateway(allow=("up",))
    assert (await chat(app, x_api_key=SECRET)).status == 200
    assert (await chat(app, model="gpt-6", x_api_key=SECRET)).status == 200
    for model in ("dear", "claude-x"):
        assert (await chat(app, model=model, x_api_key=SECRET)).status == 403
    override = await chat(app, x_api_key=SECRET, x_majordomo_model="dear")
    assert override.status == 403
    listed = await call(app, "GET", "/v1/models", headers={"x-api-key": SECRET})
    assert b'"up"' in listed.body
    assert b"dear" not in listed.body


@pytest.mark.parametrize("spec", ["cheap/x,dear/y", "dear/y,cheap/x", "cheap/x , dear/y"])
async def test_a_pattern_does_not_reach_over_a_comma(spec: str) -> None:
    app = gateway(allow=("cheap/*",))
    app.service.registry = Shelf(**{spec: scripted("no")})
    assert (await chat(app, model=spec, x_api_key=SECRET)).status == 403


@pytest.mark.parametrize("host", ["0.0.0.0", "192.168.1.5", "::", "example.org"])  # noqa: S104 -- refused
def test_without_keys_it_does_not_listen_to_the_world(host: str) -> None:
    with pytest.raises(InvalidRequest, match="without keys"):
        check_bind(Gateway(host=host))
    check_bind(Gateway(host=host, keys=(Key(name="a", sha256=hashed("a")),)))


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "::1", "127.1.2.3"])
def test_loopback_needs_none(host: str) -> None:
    check_bind(Gateway(host=host))


class Held(Model):
    """A model that does not answer before it is let."""

    def __init__(self) -> None:
        self.go = asyncio.Event()
        self.asked = asyncio.Event()

    @property
    def name(self) -> str:
        return "held/model"

    def stream(
        self, prompt: Prompt, *, partial_tool_calls: bool = False, **options: Unpack[Options]
    ) -> Stream:
        del partial_tool_calls
        return Stream(_Waiting(self, scripted("Hello!").stream(prompt, **options)))


class _Waiting:
    def __init__(self, held: Held, stream: Stream) -> None:
        self._held = held
        self._stream = stream

    async def pull(self) -> Sequence[Event]:
        self._held.asked.set()
        await self._held.go.wait()
        batch = await self._stream.next_batch()
        return () if isinstance(batch[-1], ResponseDone) else batch

    def close(self) -> None:
        self._stream.close()

    def served(self) -> Served:
        return Served(model=self._held.name)


async def test_one_too_many_at_once_is_told_to_come_back() -> None:
    held = Held()
    app = App(Service(Shelf(up=held), Gateway(limits=Limits(concurrency=1))))
    first = asyncio.create_task(call(app, "POST", CHAT, ASK))
    await held.asked.wait()
    second = await call(app, "POST", CHAT, ASK)
    assert second.status == 429
    assert (second.headers["retry-after"], second.headers["x-should-retry"]) == ("1", "true")
    held.go.set()
    assert (await first).status == 200
    assert (await call(app, "POST", CHAT, ASK)).status == 200


async def test_a_request_has_an_end() -> None:
    app = App(Service(Shelf(up=Held()), Gateway(limits=Limits(seconds=0.02))))
    got = await call(app, "POST", CHAT, ASK)
    assert (got.status, b"longer than is allowed" in got.body) == (504, True)


@pytest.mark.parametrize("begun", [(), (b'{"model"',)], ids=["no body", "half a body"])
async def test_a_body_that_does_not_come_is_not_waited_for(begun: tuple[bytes, ...]) -> None:
    app = App(Service(Shelf(up=scripted()), Gateway(limits=Limits(body_seconds=0.02))))
    pieces, sent = [*begun], list[Sent]()

    async def receive() -> Received:
        if not pieces:
            await asyncio.Event().wait()
        return {"type": "http.request", "body": pieces.pop(0), "more_body": True}

    async def send(message: Sent) -> None:
        sent.append(message)

    scope: Scope = {
        "type": "http",
        "method": "POST",
        "path": CHAT,
        "query_string": b"",
        "headers": [],
    }
    await app(scope, receive, send)
    assert sent[0].get("status") == 408


async def test_no_one_new_is_let_in_while_it_drains() -> None:
    app = App(Service(Shelf(up=scripted())))
    app.service.draining = True
    assert (await call(app, "POST", CHAT, ASK)).status in (429, 503)
    assert (await call(app, "GET", "/readyz")).status == 503
    assert (await call(app, "GET", "/healthz")).status == 200


async def test_other_sites_get_no_headers_unless_they_are_named() -> None:
    model = scripted(lambda _: "Hello!")
    origin = {"origin": "https://app.example"}
    closed = App(Service(Shelf(up=model)))
    got = await call(closed, "POST", CHAT, ASK, headers=origin)
    assert "access-control-allow-origin" not in got.headers
    named = App(Service(Shelf(up=model), Gateway(cors=("https://app.example",))))
    got = await call(named, "POST", CHAT, ASK, headers=origin)
    assert got.headers["access-control-allow-origin"] == "https://app.example"
    assert (await call(named, "OPTIONS", CHAT, headers=origin)).status == 204
    got = await call(named, "POST", CHAT, ASK, headers={"origin": "https://evil.example"})
    assert "access-control-allow-origin" not in got.headers


async def test_a_models_name_cannot_write_headers() -> None:
    model = scripted(lambda _: "Hello!", name="up/x\r\nset-cookie: a=b")
    got = await call(App(Service(Shelf(up=model))), "POST", CHAT, ASK)
    assert got.headers["x-majordomo-target"] == "up/x??set-cookie: a=b"
