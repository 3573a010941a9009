"""Traces as OpenTelemetry spans, by its conventions for generative models. An extra.

https://github.com/open-telemetry/semantic-conventions-genai/blob/main/docs/gen-ai/gen-ai-spans.md

A request is a server's span; every attempt in it is a client's span, and those carry the tokens:
who asks a backend to add up all spans counts each token once, under the model that is paid for.
"""

from collections.abc import Callable, Mapping
from importlib.metadata import entry_points

from opentelemetry.context import Context
from opentelemetry.sdk.resources import SERVICE_NAME, Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor, SpanExporter
from opentelemetry.trace import Span, SpanKind, Status, StatusCode, set_span_in_context
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

from majordomo.contract import Attempt, InvalidRequest, Note, Usage

from .record import Trace
from .said import answered_attributes, asked_attributes

Address = Callable[[str], tuple[str, int]]  # of a target: host and port, or ("", 0)

_PROTOCOLS = {"http/protobuf": "otlp_proto_http", "grpc": "otlp_proto_grpc"}
_PROVIDERS = {  # the conventions' own words, where they have one
    "openai-responses": "openai",
    "azure": "azure.ai.openai",
    "gemini": "gcp.gemini",
    "mistral": "mistral_ai",
    "xai": "x_ai",
}
_parent = TraceContextTextMapPropagator()


class OtelStore:
    """`save` makes spans and queues them; a thread of the SDK's exports them, in batches."""

    def __init__(self, provider: TracerProvider, address: Address | None = None) -> None:
        self._provider = provider
        self._tracer = provider.get_tracer("majordomo")
        self._address = address or _nowhere

    def save(self, trace: Trace) -> None:
        span = self._tracer.start_span(
            f"chat {trace.asked}".rstrip(),
            context=_parent.extract({"traceparent": trace.parent}, Context()),
            kind=SpanKind.SERVER,
            attributes=_asked(trace),
            start_time=_nanoseconds(trace.at),
        )
        for attempt in trace.attempts:
            self._attempt(attempt, trace, set_span_in_context(span, Context()))
        if trace.outcome not in ("served", "gone"):
            span.set_status(Status(StatusCode.ERROR, trace.reason))
        span.end(_nanoseconds(trace.at + trace.seconds))

    def latest(self, count: int, *, failed: bool = False) -> list[Trace]:  # noqa: ARG002 -- the seam's
        """Give nothing: spans are looked at where they were sent."""
        return []

    def find(self, id: str) -> Trace | None:  # noqa: ARG002 -- the seam's
        return None

    def close(self) -> None:
        """Export what is still in hand."""
        self._provider.shutdown()

    def _attempt(self, attempt: Attempt, trace: Trace, parent: Context) -> None:
        began = max(attempt.started, trace.at)
        ended = max(trace.at + trace.seconds if attempt.ended is None else attempt.ended, began)
        provider, _, model = attempt.target.partition("/")
        span = self._tracer.start_span(
            f"chat {model}",
            context=parent,
            kind=SpanKind.CLIENT,
            attributes={**_tried(attempt, provider, model), **self._server(attempt.target)},
            start_time=_nanoseconds(began),
        )
        for note in attempt.notes:
            _add(span, note, began)
        if attempt.first_byte is not None:
            span.set_attribute("gen_ai.response.time_to_first_chunk", attempt.first_byte - began)
        if attempt.outcome != "served":
            span.set_status(Status(StatusCode.ERROR, attempt.reason))
        span.end(_nanoseconds(ended))

    def _server(self, target: str) -> dict[str, str | int]:
        host, port = self._address(target)
        return {"server.address": host, "server.port": port} if host else {}


def otel_store(environ: Mapping[str, str], address: Address | None = None) -> OtelStore:
    """Build one from the usual OTEL_ variables; OTLP over HTTP where they say nothing."""
    resource = Resource.create()
    if str(resource.attributes.get(SERVICE_NAME, "")).startswith("unknown_service"):
        resource = resource.merge(Resource({SERVICE_NAME: "majordomo"}))
    provider = TracerProvider(resource=resource, shutdown_on_exit=False)
    for exporter in exporters(environ):
        provider.add_span_processor(BatchSpanProcessor(exporter()))
    return OtelStore(provider, address)


def exporters(environ: Mapping[str, str]) -> list[Callable[[], SpanExporter]]:
    """Find what makes the exporters that are named; raise where one is not installed."""
    names = (name.strip() for name in environ.get("OTEL_TRACES_EXPORTER", "otlp").split(","))
    return [_found(name, environ) for name in names if name not in ("", "none")]


def _found(name: str, environ: Mapping[str, str]) -> Callable[[], SpanExporter]:
    if name == "otlp":
        protocol = (
            environ.get("OTEL_EXPORTER_OTLP_TRACES_PROTOCOL")
            or environ.get("OTEL_EXPORTER_OTLP_PROTOCOL")
            or "http/protobuf"
        )
        name = _PROTOCOLS.get(protocol, protocol)
    found = entry_points(group="opentelemetry_traces_exporter", name=name)
    if not found:
        raise InvalidRequest(
            f"OTEL_TRACES_EXPORTER: no exporter {name!r} is installed "
            f"(try: pip install opentelemetry-exporter-{name.replace('_', '-')})"
        )
    exporter: Callable[[], SpanExporter] = next(iter(found)).load()
    return exporter


def _asked(trace: Trace) -> dict[str, str | int | float | bool]:
    """Say what was asked and what came of it; what was said only where that was recorded."""
    attributes: dict[str, str | int | float | bool] = {
        "gen_ai.operation.name": "chat",
        "gen_ai.request.model": trace.asked,
        "gen_ai.request.stream": trace.stream,
        "http.response.status_code": trace.status,
        "majordomo.request.id": trace.id,
        "majordomo.door": trace.door,
        "majordomo.spec": trace.spec,
        "majordomo.outcome": trace.outcome,
    }
    if trace.key:
        attributes["majordomo.key"] = trace.key  # its name
    if trace.served:
        provider, _, model = trace.served.partition("/")
        attributes["gen_ai.response.model"] = model
        attributes["gen_ai.provider.name"] = _PROVIDERS.get(provider, provider)
    if trace.outcome not in ("served", "gone"):
        attributes["error.type"] = trace.outcome
    if trace.first is not None:
        attributes["gen_ai.response.time_to_first_chunk"] = trace.first
    if trace.request is not None:
        attributes.update(asked_attributes(trace.request))
    if trace.response is not None:
        attributes.update(answered_attributes(trace.response))
    return attributes


def _tried(attempt: Attempt, provider: str, model: str) -> dict[str, str | int]:
    attributes: dict[str, str | int] = {
        "gen_ai.operation.name": "chat",
        "gen_ai.provider.name": _PROVIDERS.get(provider, provider),
        "gen_ai.request.model": model,
        "majordomo.target": attempt.target,
        **_tokens(attempt.usage),
    }
    if attempt.status is not None:
        attributes["http.response.status_code"] = attempt.status
    if attempt.request_id:
        attributes["majordomo.upstream.request.id"] = attempt.request_id
    if attempt.outcome == "served":
        attributes["gen_ai.response.model"] = model
    elif attempt.outcome:
        attributes["error.type"] = attempt.outcome
    return attributes


def _tokens(usage: Usage) -> dict[str, int]:
    if not usage.known:
        return {}
    counted = {
        "gen_ai.usage.cache_read.input_tokens": usage.cached,
        "gen_ai.usage.cache_creation.input_tokens": usage.cache_write,
        "gen_ai.usage.reasoning.output_tokens": usage.reasoning,
    }
    return {
        "gen_ai.usage.input_tokens": usage.input,
        "gen_ai.usage.output_tokens": usage.output,
        **{name: count for name, count in counted.items() if count},
    }


def _add(span: Span, note: Note, at: float) -> None:
    attributes = {"kind": note.kind, "what": note.what, "why": note.why}
    span.add_event("majordomo.note", attributes, _nanoseconds(at))


def _nowhere(_: str) -> tuple[str, int]:
    return "", 0


def _nanoseconds(seconds: float) -> int:
    return int(seconds * 1_000_000_000)
