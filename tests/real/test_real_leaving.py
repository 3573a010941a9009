"""A client that leaves frees the model at once: seen in the slots of a real server."""

import asyncio
import socket

import pytest

from majordomo.contract import JsonObject
from majordomo.dialects.json import write
from majordomo.engine.registry import Registry
from majordomo.local import Address
from support.real_model import MODEL, busy, dsn, until_idle

ESSAY = "Write a very long story about the sea, with many chapters."
LONG = 1500  # tokens: at least half a minute of work
GOAL = 0.2  # seconds, on a machine with time for it; printed
MOST = 5.0  # seconds, on a machine with none; asserted


def _messages(**more: int) -> JsonObject:
    message: JsonObject = {"role": "user", "content": ESSAY}
    return {"model": f"real/{MODEL}", "messages": [message], "stream": True, **more}


BODIES: dict[str, tuple[str, JsonObject]] = {
    "openai_chat": ("/v1/chat/completions", _messages(max_tokens=LONG)),
    "openai_responses": (
        "/v1/responses",
        {"model": f"real/{MODEL}", "input": ESSAY, "stream": True, "max_output_tokens": LONG},
    ),
    "anthropic": ("/v1/messages", _messages(max_tokens=LONG)),
    "ollama": ("/api/chat", {**_messages(), "options": {"num_predict": LONG}}),
    "gemini": (
        f"/v1beta/models/real/{MODEL}:streamGenerateContent?alt=sse",
        {
            "contents": [{"role": "user", "parts": [{"text": ESSAY}]}],
            "generationConfig": {"maxOutputTokens": LONG},
        },
    ),
}


@pytest.mark.anyio
async def test_leaving_a_stream_frees_the_model(llama: Address) -> None:
    model = Registry(providers={"real": dsn(llama)}).parse(f"real/{MODEL}")
    async with model.stream(ESSAY, max_tokens=LONG) as stream:
        words = stream.text()  # held: to drop it is to leave
        assert await anext(words)
        assert await asyncio.to_thread(busy, llama)
    seconds = await asyncio.to_thread(until_idle, llama, MOST)
    _judge("the library", seconds)


@pytest.mark.parametrize(
    ("path", "body"),
    [
        pytest.param(*row, id=door, marks=() if door == "anthropic" else pytest.mark.full)
        for door, row in BODIES.items()
    ],
)
def test_leaving_the_gateway_frees_the_model(
    llama: Address, real_gateway: str, path: str, body: JsonObject
) -> None:
    host, _, port = real_gateway.removeprefix("http://").partition(":")
    with socket.create_connection((host, int(port))) as client:
        client.sendall(_post(path, write(body)))
        _first_words(client)
        assert busy(llama)
    _judge(path, until_idle(llama, MOST))


def _post(path: str, body: bytes) -> bytes:
    head = f"POST {path} HTTP/1.1\r\nhost: here\r\ncontent-length: {len(body)}\r\n"
    return head.encode() + b"content-type: application/json\r\n\r\n" + body


def _first_words(client: socket.socket) -> None:
    """Read until the model has begun to speak: a good part of a body, not only its first event."""
    client.settimeout(60)
    seen = b""
    while len(seen) < 1500:
        data = client.recv(4096)
        assert data, f"it ended after {seen!r}"
        seen += data
    assert seen.startswith(b"HTTP/1.1 200"), seen


def _judge(who: str, seconds: float) -> None:
    print(f"  idle {seconds:.2f} s after {who} was left (goal {GOAL} s)")  # noqa: T201 -- `make real` shows it
    assert seconds < MOST
