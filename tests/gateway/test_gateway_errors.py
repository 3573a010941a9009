"""What went wrong, said at every door in its own words, with what clients act on."""

from collections.abc import Callable

import pytest

from majordomo.config.gateway import Gateway, Limits
from majordomo.contract import (
    Attempt,
    ContentFiltered,
    ContextTooLong,
    Disconnected,
    Exhausted,
    Failure,
    InvalidRequest,
    Json,
    JsonObject,
    ModelNotFound,
    Overloaded,
    ProtocolBroken,
    QuotaExhausted,
    RateLimited,
    TextDelta,
    Timeout,
    Truncated,
    Unauthorized,
    Unsupported,
)
from majordomo.dialects.json import object_at, read, write
from majordomo.gateway.app import App
from majordomo.gateway.refusal import spoken
from majordomo.gateway.service import Service
from majordomo.testing import Scripted, scripted
from support.asgi import Got, call
from support.gateway import Shelf
from support.gateway_doors import DOORS

pytestmark = pytest.mark.anyio


def exhausted(last: Failure, *targets: str) -> Exhausted:
    attempts = tuple(
        Attempt(target=target, started=0.0, outcome=type(last).__name__, reason=last.message)
        for target in targets
    )
    return Exhausted(attempts, last=last)


# failure: status, then the word for it at the OpenAI, Anthropic and Gemini doors.
WORDS: dict[str, tuple[Callable[[], Failure], int, str, str, str]] = {
    "invalid": (
        lambda: InvalidRequest("no", status=400),
        400,
        "invalid_request_error",
        "invalid_request_error",
        "INVALID_ARGUMENT",
    ),
    "unsupported": (
        lambda: Unsupported("no"),
        400,
        "unsupported_value",
        "invalid_request_error",
        "INVALID_ARGUMENT",
    ),
    "unauthorized": (
        lambda: Unauthorized("no", status=401),
        401,
        "invalid_api_key",
        "authentication_error",
        "UNAUTHENTICATED",
    ),
    "forbidden": (
        lambda: Unauthorized("no", status=403),
        403,
        "invalid_api_key",
        "permission_error",
        "PERMISSION_DENIED",
    ),
    "out of money": (
        lambda: QuotaExhausted("no", status=402),
        402,
        "insufficient_quota",
        "billing_error",
        "RESOURCE_EXHAUSTED",
    ),
    "no such model": (
        lambda: ModelNotFound("no"),
        404,
        "model_not_found",
        "not_found_error",
        "NOT_FOUND",
    ),
    "too long": (
        lambda: ContextTooLong("no"),
        400,
        "context_length_exceeded",
        "invalid_request_error",
        "INVALID_ARGUMENT",
    ),
    "filtered": (
        lambda: ContentFiltered("no"),
        400,
        "content_filter",
        "invalid_request_error",
        "INVALID_ARGUMENT",
    ),
    "garbled": (lambda: ProtocolBroken("no"), 502, "server_error", "api_error", "INTERNAL"),
    "limited": (
        lambda: RateLimited("no", retry_after=2.4),
        429,
        "rate_limit_exceeded",
        "rate_limit_error",
        "RESOURCE_EXHAUSTED",
    ),
    "overloaded": (
        lambda: Overloaded("no", status=529),
        529,
        "e",
        "overloaded_error",
        "INTERNAL",
    ),
    "broken": (lambda: Overloaded("no", status=500), 500, "server_error", "api_error", "INTERNAL"),
    "late": (lambda: Timeout("no"), 504, "server_error", "timeout_error", "DEADLINE_EXCEEDED"),
    "cut": (lambda: Disconnected("no"), 502, "server_error", "api_error", "INTERNAL"),
    "truncated": (lambda: Truncated("no"), 502, "server_error", "api_error", "INTERNAL"),
    "nobody left, limited": (
        lambda: exhausted(RateLimited("no", retry_after=2.4), "a/x", "b/y"),
        429,
        "rate_limit_exceeded",
        "rate_limit_error",
        "RESOURCE_EXHAUSTED",
    ),
    "nobody left, too long": (
        lambda: exhausted(ContextTooLong("no", status=400), "a/x"),
        400,
        "context_length_exceeded",
        "invalid_request_error",
        "INVALID_ARGUMENT",
    ),
    "nobody at all": (lambda: Exhausted(()), 503, "e", "overloaded_error", "UNAVAILABLE"),
}


def gateway(model: Scripted, settings: Gateway | None = None) -> App:
    return App(Service(Shelf(up=model), settings))


async def ask(app: App, door: str, **headers: str) -> Got:
    path, body = DOORS[door]
    names = {name.replace("_", "-"): value for name, value in headers.items()}
    return await call(app, "POST", path, write(body), headers=names)


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("case", WORDS)
async def test_a_failure_has_the_doors_own_status_and_word(case: str, door: str) -> None:
    failure, status, openai, anthropic, gemini = WORDS[case]
    word = {"anthropic": anthropic, "gemini": gemini}.get(door, openai)
    got = await ask(gateway(scripted(failure())), door)
    assert got.status == status
    assert got.headers["x-request-id"] == got.headers["request-id"]
    error = got.object["error"]
    if door == "ollama":
        assert isinstance(error, str)
    else:
        assert isinstance(error, dict)
        said = [error.get("type"), error.get("code"), error.get("status")]
        assert any(word in str(one) for one in said), error
    limited = "limited" in case
    assert got.headers["x-should-retry"] == ("true" if limited else "false")
    assert got.headers.get("retry-after") == ("3" if limited else None)


async def test_a_history_too_long_is_said_so_that_claude_code_shortens_it() -> None:
    failure = exhausted(ContextTooLong("8193 tokens > 8192", status=400), "a/x")
    got = await ask(gateway(scripted(failure)), "anthropic")
    assert b"prompt is too long" in got.body
    assert b"8193 tokens" in got.body


def test_everyone_who_failed_is_named_where_several_did() -> None:
    said = spoken(exhausted(Overloaded("busy"), "a/x", "b/y"))
    assert isinstance(said, Overloaded)
    assert "a/x: Overloaded (busy); b/y: Overloaded (busy)" in said.message
    assert len(said.attempts) == 2
    assert spoken(exhausted(Overloaded("busy"), "a/x", "a/x")).message == "busy"


@pytest.mark.parametrize("door", DOORS)
async def test_an_error_after_the_first_word_comes_in_band_and_in_shape(door: str) -> None:
    model = scripted([TextDelta(text="Hel"), Overloaded("the lights went out", status=503)])
    path, body = DOORS[door]
    path = path.replace("generateContent", "streamGenerateContent")
    got = await call(gateway(model), "POST", path, write({**body, "stream": True}), query="alt=sse")
    assert got.status == 200
    assert b"Hel" in got.body
    assert b"the lights went out" in got.body
    last = got.body.rstrip().rpartition(b"\n")[2].removeprefix(b"data: ")
    if door != "openai_chat":
        assert IN_BAND[door](object_at(read(last), "last"))
    else:
        assert b'data: {"error":{"message":"the lights went out"' in got.body


def _error_of(event: JsonObject) -> Json:
    return event.get("error")


IN_BAND: dict[str, Callable[[JsonObject], bool]] = {
    "openai_responses": lambda event: event["type"] in ("response.failed", "error"),
    "anthropic": lambda event: event["type"] == "error" and isinstance(_error_of(event), dict),
    "ollama": lambda event: isinstance(_error_of(event), str),
    "gemini": lambda event: next(iter(event)) == "error",
}


# What the gateway itself refuses, before any model is asked.
OURS: dict[str, tuple[bytes, dict[str, str], int, bytes]] = {
    "no JSON": (b"{", {}, 400, b"not valid JSON"),
    "not an object": (b"[]", {}, 400, b"not an object"),
    "not UTF-8": (b'{"model":"\xff"}', {}, 400, b"not valid UTF-8"),
    "nothing": (b"", {}, 400, b"not valid JSON"),
    "too large": (b'{"x":"' + b"x" * 2000 + b'"}', {}, 413, b"larger than 1000 bytes"),
    "said to be too large": (b"{}", {"content-length": "9999999"}, 413, b"larger than"),
    "another encoding": (b"{}", {"content-encoding": "br"}, 415, b"content-encoding"),
    "not gzip": (b"{}", {"content-encoding": "gzip"}, 400, b"not valid gzip"),
}


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("case", OURS)
async def test_what_cannot_be_read_is_refused_in_shape(case: str, door: str) -> None:
    body, headers, status, said = OURS[case]
    app = gateway(scripted(), Gateway(limits=Limits(body_bytes=1000)))
    got = await call(app, "POST", DOORS[door][0], body, headers=headers)
    assert got.status == status
    assert said in got.body
    assert "error" in got.object


@pytest.mark.parametrize("door", DOORS)
async def test_an_unknown_model_is_not_found(door: str) -> None:
    path, body = DOORS[door]
    got = await call(
        gateway(scripted()), "POST", path.replace("/up:", "/no:"), write({**body, "model": "no"})
    )
    assert got.status == 404
    assert b"shelf" in got.body


LOST = {
    "/v1/nothing": ("error", dict),
    "/api/nothing": ("error", str),
    "/v1beta/nothing": ("error", dict),
}


@pytest.mark.parametrize("path", LOST)
async def test_a_path_that_is_not_there_is_said_in_the_clients_shape(path: str) -> None:
    field, kind = LOST[path]
    got = await call(gateway(scripted()), "GET", path)
    assert got.status == 404
    assert isinstance(got.object[field], kind)
