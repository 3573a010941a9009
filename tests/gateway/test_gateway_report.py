"""What the operator sees: health, counts, one log line a request, and traces."""

import logging
import re
from pathlib import Path

import pytest

from majordomo.config.gateway import Gateway
from majordomo.contract import (
    Attempt,
    Exhausted,
    Json,
    JsonObject,
    Note,
    Overloaded,
    Response,
    Text,
    Usage,
)
from majordomo.dialects.json import object_at, objects, read, write
from majordomo.gateway.app import App
from majordomo.gateway.metrics import MOST_SERIES, Counter
from majordomo.gateway.service import Service, count
from majordomo.testing import Scripted, scripted
from majordomo.trace import Trace
from majordomo.trace.sqlite import SqliteStore
from support.asgi import call
from support.gateway import Shelf
from support.gateway_doors import DOORS

pytestmark = pytest.mark.anyio

HELLO = Response(parts=(Text(text="Hello!"),), finish_reason="stop", usage=Usage(input=5, output=3))


def gateway(model: Scripted, store: SqliteStore | None = None, *, contents: bool = False) -> App:
    return App(Service(Shelf(up=model), Gateway(trace_contents=contents), store=store))


async def through_all_doors(app: App) -> None:
    for path, body in DOORS.values():
        await call(app, "POST", path, write(body))


def values(metrics: bytes) -> dict[str, float]:
    lines = [line for line in metrics.decode().splitlines() if not line.startswith("#")]
    return {name: float(value) for name, _, value in (line.rpartition(" ") for line in lines)}


async def test_everything_is_counted() -> None:
    app = gateway(scripted(*[HELLO] * 5, Overloaded("busy", status=503)))
    await through_all_doors(app)
    await call(app, "POST", "/v1/messages", write(DOORS["anthropic"][1]))
    got = await call(app, "GET", "/metrics")
    assert got.headers["content-type"].startswith("text/plain; version=0.0.4")
    found = values(got.body)
    for door in DOORS:
        assert found[f'majordomo_requests_total{{door="{door}",status="200"}}'] >= 1
    assert found['majordomo_requests_total{door="anthropic",status="503"}'] == 1
    assert found['majordomo_attempts_total{target="scripted/model",outcome="served"}'] == 5
    assert found['majordomo_attempts_total{target="scripted/model",outcome="Overloaded"}'] == 1
    assert found['majordomo_tokens_total{kind="input"}'] == 25
    assert found['majordomo_tokens_total{kind="output"}'] == 15
    assert found["majordomo_request_seconds_count"] == 6
    assert found['majordomo_request_seconds_bucket{le="+Inf"}'] == 6
    assert found["majordomo_first_token_seconds_count"] == 5
    assert found["majordomo_in_flight"] == 0


def test_failovers_emulation_and_clients_gone_are_counted() -> None:
    service = Service(Shelf())
    trace = Trace(
        id="1",
        at=0.0,
        door="anthropic",
        status=200,
        outcome="gone",
        served="b/y",
        attempts=(
            Attempt(target="a/x", started=0.0, outcome="Overloaded"),
            Attempt(target="b/y", started=1.0, outcome="served"),
        ),
        notes=(
            Note(kind="emulated", what="tools", why="it has none"),
            Note(kind="retried", what="reply", why="no action in it"),
            Note(kind="dropped", what="seed", why="not known"),
        ),
    )
    count(service.metrics, trace, None)
    found = values(service.metrics.render({"a/x": True, "b/y": False}))
    assert found["majordomo_failovers_total"] == 1
    assert found["majordomo_clients_gone_total"] == 1
    assert found['majordomo_emulation_total{event="emulated"}'] == 1
    assert found['majordomo_emulation_total{event="retried"}'] == 1
    assert found['majordomo_benched{target="a/x"}'] == 1
    assert found['majordomo_benched{target="b/y"}'] == 0


def test_names_that_clients_choose_cannot_grow_the_counts() -> None:
    counter = Counter("things_total", "Things.", ("target",))
    for number in range(MOST_SERIES + 50):
        counter.add(f'a"\\\n{number}')
    assert len(counter.values) == MOST_SERIES + 1
    assert counter.values[("other",)] == 50
    plain = re.compile(r'things_total\{target="(?:[^"\\\n]|\\.)*"\} \d+|# .*')
    assert all(plain.fullmatch(line) for line in counter.lines())


async def test_each_request_is_one_line(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "majordomo.gateway")
    app = gateway(scripted(lambda _: HELLO))
    await through_all_doors(app)
    await call(app, "POST", "/v1/messages", b"{")
    await call(app, "GET", "/v1/models")
    lines = [object_at(read(record.getMessage()), "line") for record in caplog.records]
    assert [line["door"] for line in lines] == [*DOORS, "anthropic", "openai_chat"]
    assert [line["status"] for line in lines] == [200, 200, 200, 200, 200, 400, 200]
    assert len({str(line["id"]) for line in lines}) == 7
    assert "Hello!" not in caplog.text


@pytest.mark.parametrize("contents", [False, True])
async def test_a_trace_says_what_happened_and_what_was_said_only_when_asked(
    tmp_path: Path, *, contents: bool
) -> None:
    store = SqliteStore(tmp_path / "traces.db")
    app = gateway(scripted(HELLO, Exhausted(())), store, contents=contents)
    got = await call(app, "POST", "/v1/messages", write(DOORS["anthropic"][1]))
    failed = await call(app, "POST", "/v1/messages", write(DOORS["anthropic"][1]))
    store.flush()
    trace = store.find(got.headers["request-id"])
    assert trace is not None
    assert (trace.door, trace.asked, trace.spec, trace.served) == (
        "anthropic",
        "up",
        "up",
        "scripted/model",
    )
    assert (trace.status, trace.outcome, trace.usage) == (200, "served", HELLO.usage)
    assert trace.attempts[0].target == "scripted/model"
    assert ("Hello!" in str(trace.response)) == contents
    assert ("hi" in str(trace.request)) == contents
    (failure,) = store.latest(9, failed=True)
    assert failure.id == failed.headers["request-id"]
    assert (failure.status, failure.outcome) == (503, "Exhausted")
    store.close()


async def test_health_is_told_without_a_key_or_a_model() -> None:
    app = App(Service(Shelf()))
    assert (await call(app, "GET", "/healthz")).object == {"status": "ok"}
    ready = await call(app, "GET", "/readyz")
    assert ready.object == {"status": "ready", "draining": False, "targets": {}}


class Benched(Shelf):
    def benched(self) -> dict[str, bool]:
        return {"a/x": True, "b/y": True}


async def test_it_is_not_ready_when_everyone_is_out() -> None:
    got = await call(App(Service(Benched())), "GET", "/readyz")
    assert got.status == 503
    assert got.object["targets"] == {"a/x": "benched", "b/y": "benched"}


ROUTED: dict[str, tuple[str, dict[str, str], str]] = {
    "the name itself": ("up", {}, "up"),
    "a route": ("claude-opus-9", {}, "dear"),
    "a route that keeps the rest of the name": ("local-x", {}, "home/x"),
    "the default": ("never heard of", {}, "up"),
    "what the header says": ("up", {"x-majordomo-model": "dear"}, "dear"),
}


@pytest.mark.parametrize("case", ROUTED)
async def test_a_model_is_found_by_name_route_header_or_default(case: str) -> None:
    asked, headers, served = ROUTED[case]
    shelf = Shelf(
        **{name: scripted("Hello!", name=name) for name in ("up", "dear", "home/x")},
    )
    routes = {"claude-*": "dear", "local-*": "home/*"}
    app = App(Service(shelf, routes=routes, default="up"))
    body = write({**DOORS["openai_chat"][1], "model": asked})
    got = await call(app, "POST", "/v1/chat/completions", body, headers=headers)
    assert got.headers["x-majordomo-target"] == served
    assert got.object["model"] == asked


async def test_models_are_listed_in_the_asking_clients_shape() -> None:
    service = Service(Shelf(up=scripted()), routes={"fast": "up", "gpt-*": "up"})
    app = App(service)
    openai = await call(app, "GET", "/v1/models")
    assert [each["id"] for each in _objects(openai.object["data"])] == ["fast", "up"]
    headers = {"anthropic-version": "2023-06-01"}
    anthropic = await call(app, "GET", "/v1/models", query="limit=1000", headers=headers)
    assert anthropic.object["first_id"] == "fast"
    assert [each["type"] for each in _objects(anthropic.object["data"])] == ["model"] * 2
    gemini = await call(app, "GET", "/v1beta/models")
    assert [each["name"] for each in _objects(gemini.object["models"])] == [
        "models/fast",
        "models/up",
    ]
    ollama = await call(app, "GET", "/api/tags")
    assert [each["name"] for each in _objects(ollama.object["models"])] == ["fast", "up"]
    assert (await call(app, "GET", "/v1/models/up")).object["id"] == "up"
    assert (await call(app, "GET", "/v1/models/none")).status == 404
    shown = await call(app, "POST", "/api/show", b'{"model":"up"}')
    assert "model_info" in shown.object


def _objects(items: Json) -> list[JsonObject]:
    return [item for item, _ in objects(items, "items")]
