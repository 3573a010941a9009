"""The requests of the benchmark, as bytes to be sent: small, agent-like, with an image."""

import json
import struct
import zlib
from base64 import b64encode
from collections.abc import Mapping
from random import Random

_ASKED = "What does the quick brown fox do, and why would anybody want to know that?"
_SYSTEM = "You are a helpful assistant. Answer briefly."
_PATHS = {"chat": "/v1/chat/completions", "anthropic": "/v1/messages", "responses": "/v1/responses"}


def small(door: str, model: str, *, stream: bool) -> bytes:
    return request(door, _worded(door, _SYSTEM, _ASKED) | {"model": model, "stream": stream})


def agent(door: str, model: str, *, stream: bool) -> bytes:
    """About 60 kB, like a coding agent's tenth turn: 25 tools, a long prompt, calls and results."""
    tools = [_tool(door, number) for number in range(25)]
    body = {"model": model, "stream": stream, "tools": tools, "max_tokens": 4096}
    if door == "anthropic":
        system = [{"type": "text", "text": _prose(9000), "cache_control": {"type": "ephemeral"}}]
        return request(door, body | {"system": system, "messages": anthropic_turns()})
    return request(door, body | {"messages": [_system(_prose(9000)), *_chat_turns()]})


def image(door: str, model: str, *, stream: bool) -> bytes:
    """A picture of about 200 kB that needs no change."""
    data = b64encode(_png()).decode()
    text = {"type": "text", "text": _ASKED}
    if door == "anthropic":
        source = {"type": "base64", "media_type": "image/png", "data": data}
        parts = [{"type": "image", "source": source}, text]
    else:
        parts = [{"type": "image_url", "image_url": {"url": f"data:image/png;base64,{data}"}}, text]
    messages = [{"role": "user", "content": parts}]
    body = {"model": model, "stream": stream, "max_tokens": 100, "messages": messages}
    return request(door, body)


def tools(door: str, model: str, *, stream: bool) -> bytes:
    offered = [_tool(door, number) for number in range(4)]
    body = _worded(door, _SYSTEM, "Read src/main.py.") | {"model": model, "stream": stream}
    return request(door, body | {"tools": offered})


def request(door: str, body: Mapping[str, object]) -> bytes:
    data = json.dumps(body, separators=(",", ":")).encode()
    head = (
        f"POST {_PATHS[door]} HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\n"
        "authorization: Bearer sk-bench\r\nx-api-key: sk-bench\r\n"
        "anthropic-version: 2023-06-01\r\n"
        f"content-length: {len(data)}\r\n\r\n"
    )
    return head.encode() + data


def with_headers(asked: bytes, headers: dict[str, str]) -> bytes:
    lines = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
    head, _, body = asked.partition(b"\r\n\r\n")
    return head + b"\r\n" + lines.encode() + b"\r\n" + body


def _worded(door: str, system: str, asked: str) -> dict[str, object]:
    match door:
        case "anthropic":
            return {
                "system": system,
                "messages": [{"role": "user", "content": asked}],
                "max_tokens": 100,
            }
        case "responses":
            return {"instructions": system, "input": asked}
        case _:
            return {"messages": [_system(system), {"role": "user", "content": asked}]}


def _system(text: str) -> dict[str, object]:
    return {"role": "system", "content": text}


def _tool(door: str, number: int) -> dict[str, object]:
    name = "read_file" if not number else f"tool_{number}"
    properties = {
        "path": {"type": "string", "description": "The file, from the project's root."},
        "limit": {"type": "integer", "description": "How many lines at most.", "minimum": 1},
        "mode": {"type": "string", "enum": ["fast", "exact"], "description": "How to look."},
    }
    schema = {"type": "object", "properties": properties, "required": ["path"]}
    description = f"Tool {number}. " + _prose(700)
    if door == "anthropic":
        return {"name": name, "description": description, "input_schema": schema}
    function = {"name": name, "description": description, "parameters": schema}
    return {"type": "function", "function": function}


def anthropic_turns(count: int = 10) -> list[dict[str, object]]:
    turns: list[dict[str, object]] = [{"role": "user", "content": _ASKED}]
    for number in range(count):
        call = {"type": "tool_use", "id": f"toolu_{number}", "name": "read_file"}
        result = {"type": "tool_result", "tool_use_id": f"toolu_{number}", "content": _prose(1800)}
        said = {"type": "text", "text": "I will read it."}
        spoken = [said, {**call, "input": {"path": f"src/{number}.py"}}]
        turns.append({"role": "assistant", "content": spoken})
        turns.append({"role": "user", "content": [result]})
    return turns


def _chat_turns() -> list[dict[str, object]]:
    turns: list[dict[str, object]] = [{"role": "user", "content": _ASKED}]
    for number in range(10):
        function = {"name": "read_file", "arguments": f'{{"path": "src/{number}.py"}}'}
        call = {"id": f"call_{number}x", "type": "function", "function": function}
        said = {"role": "assistant", "content": "I will read it.", "tool_calls": [call]}
        turns.append({**said})
        turns.append({"role": "tool", "tool_call_id": call["id"], "content": _prose(1800)})
    return turns


def _prose(size: int) -> str:
    return ("Lines of code and words about them, \"quoted\" and 'not',\n\tindented. " * 200)[:size]


def _png(side: int = 256) -> bytes:
    """Noise does not compress, so this is as large as it looks."""
    noise = Random(1)  # noqa: S311 -- the same picture every time
    rows = b"".join(b"\0" + noise.randbytes(side * 3) for _ in range(side))
    header = struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0)
    chunks = [(b"IHDR", header), (b"IDAT", zlib.compress(rows)), (b"IEND", b"")]
    made = [
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        for kind, data in chunks
    ]
    return b"\x89PNG\r\n\x1a\n" + b"".join(made)
