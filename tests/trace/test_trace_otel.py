"""Requests as OpenTelemetry spans: one of the gateway's, one below it for every attempt."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from msgspec import Struct
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import SpanKind, StatusCode

from majordomo.config.gateway import Gateway
from majordomo.contract import Json, JsonObject, Unauthorized
from majordomo.dialects.json import read, write
from majordomo.engine.registry import Registry
from majordomo.gateway.app import App
from majordomo.gateway.service import Service
from majordomo.testing import DialectServer
from majordomo.testing.turn import Script
from majordomo.trace import Trace
from majordomo.trace.both import Both
from majordomo.trace.otel import OtelStore
from majordomo.trace.sqlite import SqliteStore
from support.asgi import call
from support.gateway import Known

SECRET = "sk-very-secret"
PARENT = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"


class Spans(Struct, frozen=True):
    request: ReadableSpan
    attempts: Sequence[ReadableSpan]


async def ask(
    first: Script,
    second: Script = (),
    *,
    contents: bool = False,
    parent: str = "",
    **more: Json,
) -> Spans:
    """Ask a gateway over two targets, and give the spans that came of it."""
    exporter = InMemorySpanExporter()
    provider = TracerProvider(shutdown_on_exit=False)
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    async with DialectServer("openai_chat", first) as one, DialectServer("gemini", second) as two:
        environ = {
            "LLM_ONE": f"openai+http://{SECRET}@{one.url.removeprefix('http://')}/v1",
            "LLM_TWO": f"gemini+http://{SECRET}@{two.url.removeprefix('http://')}",
        }
        async with Registry(env=environ) as registry:
            store = OtelStore(provider, lambda _: ("models.example", 443))
            settings = Gateway(trace_contents=contents)
            app = App(Service(Known(registry), settings, store=store))
            body: JsonObject = {
                "model": "one/m,two/n",
                "stream": True,
                "messages": [
                    {"role": "system", "content": "Be brief."},
                    {"role": "user", "content": "What do you know?"},
                ],
                **more,
            }
            headers = {"traceparent": parent} if parent else {}
            await call(app, "POST", "/v1/chat/completions", write(body), headers=headers)
    store.close()
    spans = exporter.get_finished_spans()
    (root,) = [span for span in spans if span.kind is SpanKind.SERVER]
    return Spans(root, [span for span in spans if span is not root])


def attributes(span: ReadableSpan) -> dict[str, object]:
    return dict(span.attributes or {})


@pytest.mark.anyio
async def test_a_request_is_a_span_and_every_attempt_one_below_it() -> None:
    spans = await ask([Unauthorized("who are you?", status=401)], ["Forty-two."])
    assert (
        attributes(spans.request).items()
        >= {
            "gen_ai.operation.name": "chat",
            "gen_ai.request.model": "one/m,two/n",
            "gen_ai.response.model": "n",
            "gen_ai.provider.name": "two",
            "gen_ai.request.stream": True,
            "http.response.status_code": 200,
            "majordomo.door": "openai_chat",
            "majordomo.outcome": "served",
        }.items()
    )
    failed, served = spans.attempts
    assert (
        attributes(failed).items()
        >= {
            "gen_ai.operation.name": "chat",
            "gen_ai.provider.name": "one",
            "gen_ai.request.model": "m",
            "error.type": "Unauthorized",
            "http.response.status_code": 401,
            "server.address": "models.example",
            "server.port": 443,
        }.items()
    )
    assert failed.status.status_code is StatusCode.ERROR
    assert (
        attributes(served).items()
        >= {
            "gen_ai.request.model": "n",
            "gen_ai.response.model": "n",
        }.items()
    )
    assert served.status.status_code is StatusCode.UNSET
    assert [span.name for span in (spans.request, failed, served)] == [
        "chat one/m,two/n",
        "chat m",
        "chat n",
    ]
    assert spans.request.context is not None
    for span in spans.attempts:
        assert span.kind is SpanKind.CLIENT
        assert span.parent is not None
        assert span.parent.span_id == spans.request.context.span_id


@pytest.mark.anyio
async def test_times_are_when_it_happened() -> None:
    spans = await ask([Unauthorized("no", status=401)], ["Yes."])
    root = spans.request
    for span in (root, *spans.attempts):
        assert root.start_time is not None
        assert root.end_time is not None
        assert span.start_time is not None
        assert span.end_time is not None
        assert root.start_time <= span.start_time < span.end_time <= root.end_time
    first, second = spans.attempts
    assert first.end_time is not None
    assert second.start_time is not None
    assert first.end_time <= second.start_time


@pytest.mark.anyio
async def test_tokens_are_counted_once_under_the_model_that_is_paid() -> None:
    spans = await ask(["A few words of an answer."])
    (served,) = spans.attempts
    tokens = {name for name in attributes(served) if name.startswith("gen_ai.usage")}
    assert tokens >= {"gen_ai.usage.input_tokens", "gen_ai.usage.output_tokens"}
    assert not any(name.startswith("gen_ai.usage") for name in attributes(spans.request))


@pytest.mark.anyio
async def test_a_request_that_nobody_served_is_an_error() -> None:
    spans = await ask(
        [Unauthorized("no", status=401)], [Unauthorized("no", status=401, code="denied")]
    )
    assert spans.request.status.status_code is StatusCode.ERROR
    assert attributes(spans.request)["error.type"] == "Exhausted"
    assert "gen_ai.response.model" not in attributes(spans.request)
    assert [attributes(span)["error.type"] for span in spans.attempts] == ["Unauthorized"] * 2


@pytest.mark.anyio
async def test_what_was_said_is_in_no_span_unless_it_is_recorded() -> None:
    spans = await ask(["Forty-two."])
    for span in (spans.request, *spans.attempts):
        assert "Forty" not in span.to_json()
        assert "What do you know" not in span.to_json()


@pytest.mark.anyio
async def test_what_is_recorded_is_in_the_form_of_the_conventions() -> None:
    spans = await ask(["Forty-two."], contents=True)
    found = attributes(spans.request)
    assert read(str(found["gen_ai.input.messages"])) == [
        {"role": "user", "parts": [{"type": "text", "content": "What do you know?"}]}
    ]
    assert read(str(found["gen_ai.system_instructions"])) == [
        {"type": "text", "content": "Be brief."}
    ]
    assert read(str(found["gen_ai.output.messages"])) == [
        {
            "role": "assistant",
            "parts": [{"type": "text", "content": "Forty-two."}],
            "finish_reason": "stop",
        }
    ]


@pytest.mark.anyio
async def test_no_key_is_in_any_span() -> None:
    spans = await ask(
        [Unauthorized(f"the key {SECRET} is tired", status=401)], ["Hello."], contents=True
    )
    for span in (spans.request, *spans.attempts):
        assert SECRET not in span.to_json()


@pytest.mark.anyio
async def test_what_was_changed_on_the_way_is_an_event_of_the_attempt() -> None:
    spans = await ask([Unauthorized("no", status=401)], ["Hello."], logprobs=True)
    (event,) = spans.attempts[1].events
    assert event.name == "majordomo.note"
    assert dict(event.attributes or {}).items() >= {"kind": "dropped", "what": "logprobs"}.items()


@pytest.mark.anyio
async def test_a_client_that_is_traced_itself_is_the_parent() -> None:
    spans = await ask(["Hello."], parent=PARENT)
    assert spans.request.parent is not None
    assert f"{spans.request.parent.span_id:016x}" == "b7ad6b7169203331"
    for span in (spans.request, *spans.attempts):
        assert span.context is not None
        assert f"{span.context.trace_id:032x}" == "0af7651916cd43dd8448eb211c80319c"


@pytest.mark.anyio
async def test_a_parent_that_makes_no_sense_is_none() -> None:
    assert (await ask(["Hello."], parent="00-nonsense")).request.parent is None


def test_a_file_and_spans_at_once(tmp_path: Path) -> None:
    exporter = InMemorySpanExporter()
    provider = TracerProvider(shutdown_on_exit=False)
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    file = SqliteStore(tmp_path / "traces.db")
    both = Both(file, OtelStore(provider))
    trace = Trace(id="req_1", at=1.0, asked="m", outcome="gone", status=499)
    both.save(trace)
    file.flush()
    assert (both.find("req_1"), both.latest(3)) == (trace, [trace])
    both.close()
    (span,) = exporter.get_finished_spans()
    assert span.status.status_code is StatusCode.UNSET  # it was the client that left
