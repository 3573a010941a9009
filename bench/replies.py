"""What the mock upstream says, as bytes made once: two dialects, whole and streamed."""

import json
from collections.abc import Sequence

SMALL = "The quick brown fox jumps over it all."  # eight pieces as a stream
HUNDRED = "word " * 100
PROSE = "I will look at the file first, because the error names it. " * 65  # about 4 kB
ACTION = '```json action\n{"tool": "read_file", "parameters": {"path": "src/main.py"}}\n```'
_ARGUMENTS = '{"path": "src/main.py"}'
_CALL = {"id": "call_9", "type": "function"}
_CHAT_USAGE = {"prompt_tokens": 10, "completion_tokens": 100, "total_tokens": 110}
_ANTHROPIC_USAGE = {"input_tokens": 10, "output_tokens": 100}


def words(text: str) -> list[str]:
    return [f"{word} " for word in text.rstrip().split(" ")]


def hundredths(text: str) -> list[str]:
    size = max(1, len(text) // 100)
    return [text[at : at + size] for at in range(0, len(text), size)]


def chat_stream(texts: Sequence[str], *, call: bool = False) -> list[bytes]:
    """One event each; a call comes after the text, its arguments in one piece."""
    deltas: list[dict[str, object]] = [{"content": text} for text in texts]
    if call:
        function = {"name": "read_file", "arguments": ""}
        deltas.append({"tool_calls": [{"index": 0, **_CALL, "function": function}]})
        deltas.append({"tool_calls": [{"index": 0, "function": {"arguments": _ARGUMENTS}}]})
    return [
        chat_delta({"role": "assistant", "content": ""}),
        *(chat_delta(delta) for delta in deltas),
        chat_delta({}, "tool_calls" if call else "stop"),
        _sse({**_CHUNK, "choices": [], "usage": _CHAT_USAGE}),
        b"data: [DONE]\n\n",
    ]


_CHUNK: dict[str, object] = {
    "id": "chatcmpl-1",
    "object": "chat.completion.chunk",
    "created": 1700000000,
    "model": "mock",
}


def chat_delta(delta: dict[str, object], finish: str | None = None) -> bytes:
    choice = {"index": 0, "delta": delta, "logprobs": None, "finish_reason": finish}
    return _sse({**_CHUNK, "system_fingerprint": "fp_1", "choices": [choice], "usage": None})


def chat_whole(text: str, *, call: bool = False) -> bytes:
    message: dict[str, object] = {"role": "assistant", "content": text, "refusal": None}
    if call:
        function = {"name": "read_file", "arguments": _ARGUMENTS}
        message["tool_calls"] = [{**_CALL, "function": function}]
    choice = {
        "index": 0,
        "message": message,
        "logprobs": None,
        "finish_reason": "tool_calls" if call else "stop",
    }
    return _json({**_CHUNK, "object": "chat.completion", "choices": [choice], "usage": _CHAT_USAGE})


def anthropic_stream(texts: Sequence[str]) -> list[bytes]:
    message: dict[str, object] = {
        **_MESSAGE,
        "content": [],
        "stop_reason": None,
        "usage": _ANTHROPIC_USAGE,
    }
    block = {"type": "text", "text": ""}
    return [
        _event("message_start", message=message),
        _event("content_block_start", index=0, content_block=block),
        *(anthropic_delta(text) for text in texts),
        _event("content_block_stop", index=0),
        _event(
            "message_delta",
            delta={"stop_reason": "end_turn", "stop_sequence": None},
            usage={"output_tokens": 100},
        ),
        _event("message_stop"),
    ]


_MESSAGE: dict[str, object] = {
    "id": "msg_1",
    "type": "message",
    "role": "assistant",
    "model": "mock",
    "stop_sequence": None,
}


def anthropic_delta(text: str) -> bytes:
    return _event("content_block_delta", index=0, delta={"type": "text_delta", "text": text})


def anthropic_whole(text: str) -> bytes:
    content = [{"type": "text", "text": text}]
    stop = {"stop_reason": "end_turn", "usage": _ANTHROPIC_USAGE}
    return _json({**_MESSAGE, "content": content, **stop})


def _event(kind: str, **fields: object) -> bytes:
    return b"event: %b\n%b" % (kind.encode(), _sse({"type": kind, **fields}))


def _sse(value: dict[str, object]) -> bytes:
    return b"data: %b\n\n" % _json(value)


def _json(value: dict[str, object]) -> bytes:
    return json.dumps(value, separators=(",", ":")).encode()
