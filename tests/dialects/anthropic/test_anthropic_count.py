"""Counting tokens: the call both ways, and the guess where nobody counts."""

from majordomo.contract import (
    Request,
    Tool,
    user,
)
from majordomo.dialects.anthropic import (
    DIALECT,
    decode_count_request,
    decode_count_response,
    encode_count_request,
    encode_count_response,
)
from majordomo.dialects.dialect import Wire
from majordomo.dialects.json import object_at, read
from support.schemas import assert_valid, assert_valid_bytes

ASK = Request(
    messages=(user("hi"),),
    system="be kind",
    tools=(Tool(name="f", parameters={"type": "object"}),),
    reasoning_budget=1024,
)


def test_a_count_is_asked_without_what_only_an_answer_needs() -> None:
    request = ASK.with_options(max_tokens=5, temperature=1, stop=("x",), metadata={"user_id": "u"})
    call = encode_count_request(request, model="m", wire=Wire(version="2026-10-21"))
    assert (call.path, call.headers) == (
        "/v1/messages/count_tokens",
        {"anthropic-version": "2026-10-21"},
    )
    body = object_at(read(call.body), "body")
    assert_valid(body, "anthropic.count_tokens.request")
    ask = decode_count_request(body)
    assert (ask.model, ask.stream, ask.request) == ("m", False, ASK)


def test_a_dialect_knows_its_name() -> None:
    assert DIALECT.name == "anthropic"


def test_a_count_is_answered() -> None:
    body = encode_count_response(42)
    assert_valid_bytes(body, "anthropic.count_tokens.response")
    assert decode_count_response(body) == 42
