"""What an HTTP error means and which status an error gets: one policy for all dialects."""

import pytest

from majordomo.contract import (
    Attempt,
    ContentFiltered,
    ContextTooLong,
    Disconnected,
    Exhausted,
    Failure,
    InvalidRequest,
    ModelNotFound,
    Overloaded,
    ProtocolBroken,
    QuotaExhausted,
    RateLimited,
    Timeout,
    Truncated,
    Unauthorized,
    Unsupported,
)
from majordomo.dialects.failure import Said, failure_of, request_id, retry_after, status_of

# (status, code, message) as the providers say it.
Row = tuple[int, str, str]

ROWS: dict[type[Failure], dict[str, Row]] = {
    Unauthorized: {
        "OpenAI": (401, "invalid_api_key", "Incorrect API key provided: sk-x."),
        "Anthropic": (401, "authentication_error", "invalid x-api-key"),
        "Anthropic's permission": (
            403,
            "permission_error",
            "Your API key does not have permission",
        ),
        "Gemini says 400": (
            400,
            "INVALID_ARGUMENT",
            "API key not valid. Please pass a valid API key.",
        ),
        "Gemini's reason": (400, "API_KEY_INVALID", "API key expired."),
        "Gemini's 403": (403, "PERMISSION_DENIED", "Method doesn't allow unregistered callers"),
        "Ollama's cloud": (401, "", "unauthorized"),
        "llama.cpp": (401, "authentication_error", "Invalid API Key"),
        "Azure": (401, "401", "Access denied due to invalid subscription key"),
    },
    QuotaExhausted: {
        "OpenAI": (
            429,
            "insufficient_quota",
            "You exceeded your current quota, please check your plan and billing details.",
        ),
        "OpenAI's prepaid credit": (429, "credit_balance_exhausted", "Add credits to continue"),
        "OpenAI's spend limit": (429, "organization_spend_limit_exceeded", "Limit reached"),
        "Anthropic's credit": (
            400,
            "invalid_request_error",
            "Your credit balance is too low to access the Anthropic API.",
        ),
        "Anthropic's billing": (402, "billing_error", "There is a billing issue"),
        "OpenRouter": (402, "", "Insufficient credits. Add more using https://openrouter.ai"),
        "DeepSeek": (402, "", "Insufficient Balance"),
    },
    RateLimited: {
        "OpenAI": (429, "rate_limit_exceeded", "Rate limit reached for gpt-4o on tokens per min"),
        "OpenAI asks to slow down": (429, "slow_down", "Slow down"),
        "Anthropic": (429, "rate_limit_error", "This request would exceed your rate limit"),
        "Gemini": (429, "RESOURCE_EXHAUSTED", "Resource has been exhausted (e.g. check quota)."),
        "Groq, tokens per minute": (
            429,
            "rate_limit_exceeded",
            "Rate limit reached for model on tokens per minute (TPM): Limit 6000, Used 5900",
        ),
        "Ollama's cloud": (429, "", "too many requests"),
        "a word about tokens does not make it the context": (
            429,
            "rate_limit_error",
            "too many tokens per minute: reduce the length of your prompts",
        ),
    },
    ContextTooLong: {
        "OpenAI": (
            400,
            "context_length_exceeded",
            "This model's maximum context length is 8192 tokens.",
        ),
        "Anthropic": (400, "invalid_request_error", "prompt is too long: 210000 tokens > 200000"),
        "Anthropic's body": (413, "request_too_large", "Request exceeds the maximum size"),
        "Gemini": (
            400,
            "INVALID_ARGUMENT",
            "The input token count (1200000) exceeds the maximum number of tokens allowed",
        ),
        "llama.cpp": (
            400,
            "exceed_context_size_error",
            "request (20033 tokens) exceeds the available context size (8192 tokens)",
        ),
        "vLLM": (400, "BadRequestError", "This model's maximum context length is 4096 tokens."),
        "Ollama": (500, "", "the prompt exceeds the context length of the model"),
        "Mistral": (
            400,
            "invalid_request_error",
            "Prompt contains 40000 tokens, too large for model with 32768 maximum context length",
        ),
        "OpenAI's longest string": (
            400,
            "string_above_max_length",
            "Invalid 'messages[0].content': string too long.",
        ),
        "nginx": (413, "", "Request Entity Too Large"),
    },
    ModelNotFound: {
        "OpenAI": (404, "model_not_found", "The model `x` does not exist"),
        "Anthropic": (404, "not_found_error", "model: claude-x"),
        "Gemini": (404, "NOT_FOUND", "models/x is not found for API version v1beta"),
        "Ollama": (404, "", "model 'x' not found"),
        "vLLM": (404, "NotFoundError", "The model `nope` does not exist."),
        "OpenRouter says 400": (400, "", "x/y is not a valid model ID"),
        "Groq": (404, "model_not_found", "The model `x` does not exist or you have no access"),
        "Mistral says 400": (400, "invalid_model", "Invalid model: x"),
        "DeepSeek says 400": (400, "invalid_request_error", "Model Not Exist"),
        "transformers": (400, "", "Server is pinned to 'a'; requested 'b'."),
    },
    ContentFiltered: {
        "Azure": (
            400,
            "content_filter",
            "The prompt triggered Azure OpenAI's content management policy.",
        ),
        "OpenAI": (400, "content_policy_violation", "Your request was rejected"),
        "OpenAI's safety system": (400, "", "Your request was rejected by our safety system."),
        "Responses": (400, "bio_policy", "blocked"),
        "Gemini": (400, "PROHIBITED_CONTENT", "blocked"),
        "Alibaba": (400, "data_inspection_failed", "Input data may contain inappropriate content."),
    },
    Unsupported: {
        "OpenAI's parameter": (
            400,
            "unsupported_parameter",
            "Unsupported parameter: 'max_tokens' is not supported with this model.",
        ),
        "OpenAI's value": (
            400,
            "unsupported_value",
            "Unsupported value: 'temperature' does not support 0.8 with this model.",
        ),
        "OpenAI's tools with reasoning": (
            400,
            "invalid_request_error",
            "Function tools with reasoning_effort are not supported for gpt-x",
        ),
        "OpenAI's unknown argument": (400, "", "Unrecognized request argument supplied: top_k"),
        "Anthropic's sampling": (
            400,
            "invalid_request_error",
            "temperature: Extra inputs are not permitted",
        ),
        "Mistral": (422, "extra_forbidden", "body.strict: Extra inputs are not permitted"),
        "Ollama's tools": (400, "", "registry.ollama.ai/library/gemma does not support tools"),
        "Ollama's thinking": (400, "", '"gemma" does not support thinking'),
        "vLLM's images": (400, "BadRequestError", "smollm2 is not a multimodal model"),
        "llama.cpp's images": (500, "server_error", "image input is not supported - hint: mmproj"),
        "llama.cpp's tools": (500, "server_error", "tools param requires --jinja flag"),
        "OpenRouter's tools": (404, "", "No endpoints found that support tool use"),
        "OpenRouter's images": (404, "", "No endpoints found that support image input"),
        "vLLM's tools": (
            400,
            "BadRequestError",
            '"auto" tool choice requires --enable-auto-tool-choice and a parser',
        ),
        "a model that is there but lacks something": (
            400,
            "",
            "The model is fine, but with it the parameter logprobs is not supported",
        ),
        "DeepSeek's tool choice": (
            400,
            "invalid_request_error",
            "deepseek-reasoner does not support this tool_choice",
        ),
    },
    InvalidRequest: {
        "OpenAI": (400, "invalid_type", "Invalid type for 'messages': expected an array"),
        "OpenAI's call id": (
            400,
            "string_above_max_length",
            "Invalid 'messages[1].tool_calls[0].id': string too long.",
        ),
        "Anthropic": (
            400,
            "invalid_request_error",
            "messages: text content blocks must be non-empty",
        ),
        "Gemini": (400, "INVALID_ARGUMENT", "Please ensure that function call turn comes ..."),
        "Gemini's signature": (400, "INVALID_ARGUMENT", "missing a thought_signature"),
        "DeepSeek's reasoning": (
            400,
            "invalid_request_error",
            "The reasoning_content in the thinking mode must be passed back",
        ),
        "Groq": (400, "tool_use_failed", "Failed to call a function."),
        "llama.cpp": (400, "invalid_request_error", "'messages' is required"),
        "FastAPI": (422, "missing", "body.messages: Field required"),
        "a model that names itself while it complains": (
            400,
            "invalid_request_error",
            "The model said: unexpected keyword; see the documentation of unknown fields",
        ),
        "a method": (405, "", "Method Not Allowed"),
    },
    Overloaded: {
        "OpenAI": (500, "server_error", "The server had an error while processing your request"),
        "OpenAI is full": (503, "server_is_overloaded", "Our servers are currently overloaded"),
        "Anthropic": (529, "overloaded_error", "Overloaded"),
        "Anthropic's lock": (409, "conflict_error", "try again"),
        "Gemini": (503, "UNAVAILABLE", "The model is overloaded. Please try again later."),
        "Gemini's deadline": (504, "DEADLINE_EXCEEDED", "Deadline exceeded"),
        "Ollama's queue": (503, "", "server busy, please try again. maximum pending requests"),
        "a gateway's page": (502, "", "<html>502 Bad Gateway</html>"),
        "request timeout": (408, "", "Request Timeout"),
        "llama.cpp still loading": (503, "unavailable_error", "Loading model"),
    },
    Disconnected: {"Ollama saw the client leave": (499, "", "context canceled")},
    ProtocolBroken: {"a redirect": (302, "", "Found"), "nonsense": (204, "", "")},
}
TABLE = {
    f"{kind.__name__}: {name}": (kind, *row)
    for kind, rows in ROWS.items()
    for name, row in rows.items()
}


@pytest.mark.parametrize(("kind", "status", "code", "message"), TABLE.values(), ids=TABLE.keys())
def test_an_error_is_sorted_by_who_can_act(
    kind: type[Failure], status: int, code: str, message: str
) -> None:
    failure = failure_of(status, Said(message=message, code=code))
    assert type(failure) is kind
    assert (failure.status, failure.code, failure.message) == (status, code, message)


def test_a_quota_that_says_when_to_come_back_is_a_rate_limit() -> None:
    words = "You exceeded your current quota, please check your plan and billing details."
    said = Said(message=words, code="RESOURCE_EXHAUSTED", retry_after=44.0)
    assert type(failure_of(429, said)) is RateLimited
    assert type(failure_of(429, Said(message=words))) is QuotaExhausted


def test_all_that_was_said_is_kept() -> None:
    said = Said(
        message="m", code="c", parameter="p", request_id="r", retry_after=2.0, body={"x": 1}
    )
    failure = failure_of(429, said)
    assert (failure.parameter, failure.request_id) == ("p", "r")
    assert (failure.retry_after, failure.body) == (2.0, {"x": 1})


WAITS: dict[str, tuple[dict[str, str], float | None]] = {
    "nothing said": ({}, None),
    "seconds": ({"Retry-After": "7"}, 7.0),
    "fractions": ({"retry-after": "0.5"}, 0.5),
    "milliseconds win": ({"retry-after": "7", "Retry-After-Ms": "250"}, 0.25),
    "never negative": ({"retry-after": "-3"}, 0.0),
    "a date, by the sender's clock": (
        {
            "date": "Sun, 15 Nov 2026 09:00:00 GMT",
            "retry-after": "Sun, 15 Nov 2026 09:00:30 GMT",
        },
        30.0,
    ),
    "a date gone by": (
        {
            "date": "Sun, 15 Nov 2026 09:01:00 GMT",
            "retry-after": "Sun, 15 Nov 2026 09:00:30 GMT",
        },
        0.0,
    ),
    "a date and no clock": ({"retry-after": "Sun, 15 Nov 2026 09:00:30 GMT"}, None),
    "words": ({"retry-after": "soon"}, None),
    "not a number": ({"retry-after": "nan"}, None),
    "for ever": ({"retry-after": "inf"}, None),
}


@pytest.mark.parametrize(("headers", "seconds"), WAITS.values(), ids=WAITS.keys())
def test_how_long_to_wait_is_read(headers: dict[str, str], seconds: float | None) -> None:
    assert retry_after(headers) == seconds


IDS: dict[str, tuple[dict[str, str], str]] = {
    "x-request-id": ({"X-Request-Id": "a", "request-id": "b"}, "a"),
    "request-id": ({"request-id": "b"}, "b"),
    "generation id": ({"X-Generation-Id": "c"}, "c"),
    "none": ({}, ""),
}


@pytest.mark.parametrize(("headers", "expected"), IDS.values(), ids=IDS.keys())
def test_the_request_id_is_found(headers: dict[str, str], expected: str) -> None:
    assert request_id(headers) == expected


STATUSES: dict[str, tuple[Failure, int]] = {
    "invalid": (InvalidRequest("x"), 400),
    "invalid keeps its own": (InvalidRequest("x", status=422), 422),
    "unsupported": (Unsupported("x"), 400),
    "unauthorized": (Unauthorized("x"), 401),
    "forbidden": (Unauthorized("x", status=403), 403),
    "a key that Gemini called a 400": (Unauthorized("x", status=400), 401),
    "quota": (QuotaExhausted("x"), 402),
    "quota as OpenAI says it": (QuotaExhausted("x", status=429), 429),
    "model": (ModelNotFound("x", status=400), 404),
    "context": (ContextTooLong("x"), 400),
    "context that was a 500": (ContextTooLong("x", status=500), 400),
    "body": (ContextTooLong("x", status=413), 413),
    "filter": (ContentFiltered("x"), 400),
    "rate": (RateLimited("x"), 429),
    "overloaded": (Overloaded("x"), 503),
    "overloaded keeps its own": (Overloaded("x", status=529), 529),
    "overloaded after a lock": (Overloaded("x", status=409), 503),
    "timeout": (Timeout("x"), 504),
    "disconnected": (Disconnected("x"), 502),
    "truncated": (Truncated("x"), 502),
    "broken": (ProtocolBroken("x", status=204), 502),
    "exhausted says what the last one said": (
        Exhausted((), last=RateLimited("x", status=429)),
        429,
    ),
    "exhausted with nobody to ask": (Exhausted((Attempt(target="a/x", started=0.0),)), 503),
    "any other": (Failure("x"), 500),
}


@pytest.mark.parametrize(("failure", "status"), STATUSES.values(), ids=STATUSES.keys())
def test_every_failure_has_a_status(failure: Failure, status: int) -> None:
    assert status_of(failure) == status
