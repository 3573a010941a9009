"""Many slow streams through one gateway at once: what was lost, mixed up, and what it weighed."""

import asyncio
import os
import re
import subprocess
import sys
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

from msgspec import Struct

from majordomo.contract import JsonObject
from majordomo.dialects.json import write
from majordomo.gateway.open_files import allow_many

from .served import majordomo_process

_UPSTREAM = Path(__file__).parent / "paced_upstream.py"
_WORD = re.compile(rb"(stream-\d{6}):(\d+) ")
_MIXED = "has a word of another's"
_WARM_UP = 50  # streams, so that what is made once is made before it is weighed


class DoorAsked(Struct, frozen=True):
    """How a stream is asked for at a door, and how its end is known."""

    path: str
    body: JsonObject  # `%s` stands for what the user says
    end: bytes
    again: bytes = b""  # from here on everything is said once more


DOORS = {
    "openai_chat": DoorAsked(
        "/v1/chat/completions",
        {"model": "up/m", "stream": True, "messages": [{"role": "user", "content": "%s"}]},
        b"data: [DONE]",
    ),
    "openai_responses": DoorAsked(
        "/v1/responses",
        {"model": "up/m", "stream": True, "input": "%s"},
        b"event: response.completed",
        b"event: response.output_text.done",
    ),
    "anthropic": DoorAsked(
        "/v1/messages",
        {
            "model": "up/m",
            "stream": True,
            "max_tokens": 4096,
            "messages": [{"role": "user", "content": "%s"}],
        },
        b"event: message_stop",
    ),
    "gemini": DoorAsked(
        "/v1beta/models/up/m:streamGenerateContent?alt=sse",
        {"contents": [{"role": "user", "parts": [{"text": "%s"}]}]},
        b'"finishReason":"STOP"',
    ),
    "ollama": DoorAsked(
        "/api/chat",
        {"model": "up/m", "messages": [{"role": "user", "content": "%s"}]},
        b'"done":true',
    ),
}


class Load(Struct, frozen=True, kw_only=True):
    streams: int
    chunks: int
    pause: float  # seconds between two chunks of a stream


class Outcome(Struct, frozen=True, kw_only=True):
    lost: dict[str, str]  # streams that are not whole, and how they ended
    mixed_up: tuple[str, ...]  # streams with a word of another's
    idle: int  # bytes the gateway held when it was warm and had nothing to do
    weights: tuple[int, ...]  # bytes it held, every now and then, while all streams flowed
    seconds: float


async def put_under(load: Load, doors: tuple[str, ...] = tuple(DOORS)) -> Outcome:
    """Serve the streams through `majordomo serve`, one process, and listen to each of them."""
    allow_many()
    with (
        _upstream(load.chunks, load.pause) as slow,
        _upstream(1, 0.0) as quick,
        majordomo_process({"LLM_UP": slow, "LLM_QUICK": quick}) as gateway,
    ):
        await _warm_up(gateway.url, doors)
        idle = resident(gateway.pid)
        began = time.monotonic()
        names = [f"stream-{number:06d}" for number in range(load.streams)]
        weighing = asyncio.create_task(_weigh(gateway.pid, load))
        bodies = await asyncio.gather(
            *(
                _listen(gateway.url, DOORS[doors[number % len(doors)]], name)
                for number, name in enumerate(names)
            )
        )
        seconds = time.monotonic() - began
        weights = await weighing
    judged = {
        name: judge(DOORS[doors[number % len(doors)]], name, bodies[number], load.chunks)
        for number, name in enumerate(names)
    }
    return Outcome(
        lost={name: why for name, why in judged.items() if why and why != _MIXED},
        mixed_up=tuple(name for name, why in judged.items() if why == _MIXED),
        idle=idle,
        weights=weights,
        seconds=seconds,
    )


def judge(door: DoorAsked, name: str, body: bytes | str, chunks: int) -> str:
    """Say what is wrong with a stream; nothing: nothing is."""
    if isinstance(body, str):
        return body
    words = _WORD.findall(body.partition(door.again)[0] if door.again else body)
    if any(said != name.encode() for said, _ in words):
        return _MIXED
    if [int(number) for _, number in words] != list(range(chunks)):
        return f"{len(words)} of {chunks} words, or not in their order"
    return "" if door.end in body else "does not say that it ended"


async def _listen(url: str, door: DoorAsked, name: str, model: str = "up") -> bytes | str:
    """Give all bytes of a reply, or what went wrong."""
    at = urlsplit(url)
    body = write(door.body).replace(b"%s", name.encode()).replace(b"up/m", model.encode() + b"/m")
    path = door.path.replace("up/m", f"{model}/m")
    head = f"POST {path} HTTP/1.1\r\nhost: {at.netloc}\r\nconnection: close\r\n"
    head += f"content-type: application/json\r\ncontent-length: {len(body)}\r\n\r\n"
    try:
        reader, writer = await asyncio.open_connection(at.hostname, at.port)
        try:
            writer.write(head.encode() + body)
            got = await reader.read(-1)
        finally:
            writer.close()
    except OSError as error:
        return f"{type(error).__name__}: {error}"
    return got if got.startswith(b"HTTP/1.1 200 ") else got[:300].decode("latin-1")


async def _warm_up(url: str, doors: tuple[str, ...]) -> None:
    for number in range(_WARM_UP):
        door = DOORS[doors[number % len(doors)]]
        got = await _listen(url, door, "stream-999999", "quick")
        assert isinstance(got, bytes), got


async def _weigh(pid: int, load: Load) -> tuple[int, ...]:
    """Weigh from when all streams have begun until before the first ends."""
    whole = load.chunks * load.pause
    await asyncio.sleep(whole * 0.4)
    weights: list[int] = []
    until = time.monotonic() + whole * 0.5
    while time.monotonic() < until:
        weights.append(resident(pid))
        await asyncio.sleep(whole / 60)
    return tuple(weights)


def resident(pid: int) -> int:
    """Give the bytes of memory a process holds; 0 where the system does not tell this way."""
    try:
        pages = Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[1]
    except FileNotFoundError:
        return 0
    return int(pages) * os.sysconf("SC_PAGE_SIZE")


@contextmanager
def _upstream(chunks: int, pause: float) -> Generator[str]:
    """Start an upstream and give its DSN."""
    process = subprocess.Popen(
        [sys.executable, str(_UPSTREAM), str(chunks), str(pause)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    with process:
        assert process.stdin is not None
        assert process.stdout is not None
        yield f"openai+http://127.0.0.1:{int(process.stdout.readline())}/v1"
        process.stdin.close()
