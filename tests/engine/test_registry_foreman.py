"""The round trip that has to work: a foreman behind TLS, named by one environment variable."""

import pytest

from majordomo.contract import Disconnected, Exhausted, Tool, Usage
from majordomo.dialects.json import read, write
from majordomo.engine.registry import Registry
from majordomo.engine.transport import AiohttpTransport
from majordomo.route import Patience
from majordomo.testing import DialectServer, Status
from support.certificate import Certificate
from support.chains import reply

pytestmark = pytest.mark.anyio

# What a foreman sends for `"stream": true`: one object, where Ollama would send lines.
BUFFERED = Status(
    code=200,
    body=write(
        {
            "model": "qwen3",
            "created_at": "2026-01-01T00:00:00Z",
            "message": {
                "role": "assistant",
                "content": "All of it at once.",
                "tool_calls": [{"function": {"name": "look", "arguments": {"at": 1}}}],
            },
            "done": True,
            "done_reason": "stop",
            "prompt_eval_count": 11,
            "eval_count": 5,
        }
    ),
)


def env_for(server: DialectServer) -> dict[str, str]:
    host = server.url.removeprefix("https://")
    return {"LLM_SITE_FOREMAN": f"foreman://s%40cret@{host}"}


async def test_a_buffered_stream_comes_through_tls_from_an_environment_dsn(
    certificate: Certificate,
) -> None:
    transport = AiohttpTransport(tls=certificate.client)
    async with DialectServer("ollama", [BUFFERED], tls=certificate.server) as server:
        registry = Registry(env=env_for(server), http_client=transport)
        model = registry.parse("site-foreman/qwen3:32b")
        response = await model.generate("Hi", tools=(Tool(name="look"),))
        (seen,) = server.requests
        await transport.aclose()
    assert response.text == "All of it at once."
    assert [(call.name, call.arguments) for call in response.tool_calls] == [("look", '{"at":1}')]
    assert response.usage == Usage(input=11, output=5)
    assert response.model == "site-foreman/qwen3:32b"
    assert seen.path == "/api/chat"
    assert seen.headers["authorization"] == "Bearer s@cret"
    body = read(seen.body)
    assert isinstance(body, dict)
    assert (body["model"], body["stream"]) == ("qwen3:32b", True)


async def test_a_streamed_reply_comes_through_as_well(certificate: Certificate) -> None:
    transport = AiohttpTransport(tls=certificate.client)
    async with DialectServer(
        "ollama", [reply("Bit ", "by bit.")], tls=certificate.server
    ) as server:
        registry = Registry(env=env_for(server), http_client=transport)
        text = [piece async for piece in registry.parse("site-foreman/qwen3").stream("Hi").text()]
        await transport.aclose()
    assert text == ["Bit ", "by bit."]


async def test_an_unknown_certificate_is_refused_and_the_key_is_never_shown(
    certificate: Certificate,
) -> None:
    async with DialectServer("ollama", [], tls=certificate.server) as server:
        registry = Registry(env=env_for(server), patience=Patience(backoff=0.001))
        async with registry:
            with pytest.raises(Exhausted) as error:
                await registry.parse("site-foreman/qwen3").generate("Hi")
    assert isinstance(error.value.last, Disconnected)
    assert "s@cret" not in f"{error.value!r} {error.value} {error.value.attempts!r}"
    assert server.requests == []
