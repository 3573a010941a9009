"""A load generator that is not the bottleneck: prepared requests, replies only delimited.

`python bench/load.py` reads a plan as JSON from standard input and prints what it saw: seconds,
and per request the time to the first byte of the body, to the end, and of stamped pieces the time
from the mock to here. With `hold` it opens streams, says so, and keeps them until told otherwise.
"""

import asyncio
import json
import re
import sys
import time
from base64 import b64decode

import uvloop
from httptools import HttpResponseParser

_STAMP = re.compile(rb"@(\d+)@")


class Caller(asyncio.Protocol):
    """One connection that asks again as soon as it was answered, while there is work."""

    def __init__(self, crew: "Crew") -> None:
        self._crew = crew
        self._parser = HttpResponseParser(self)
        self._asked = 0.0
        self._first = 0.0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        self._transport = transport  # uvloop's is no subclass of asyncio's
        self._ask()

    def data_received(self, data: bytes) -> None:
        self._parser.feed_data(data)

    def connection_lost(self, exc: Exception | None) -> None:
        self._crew.lost(exc)

    def on_body(self, data: bytes) -> None:
        if not self._first:
            self._first = time.perf_counter()
            self._crew.begun()
        if b"@" in data:
            now = time.monotonic_ns()
            self._crew.delays += [(now - int(at)) / 1e9 for at in _STAMP.findall(data)]

    def on_message_complete(self) -> None:
        if self._parser.get_status_code() != 200:
            self._crew.lost(RuntimeError(f"status {self._parser.get_status_code()}"))
            return
        now = time.perf_counter()
        self._crew.firsts.append(self._first - self._asked)
        self._crew.totals.append(now - self._asked)
        self._ask()

    def close(self) -> None:
        self._transport.abort()

    def _ask(self) -> None:
        if self._crew.take():
            self._first = 0.0
            self._asked = time.perf_counter()
            self._transport.write(self._crew.request)


class Crew:
    def __init__(self, request: bytes, requests: int, connections: int) -> None:
        self.request = request
        self.firsts: list[float] = []
        self.totals: list[float] = []
        self.delays: list[float] = []
        self.over = asyncio.get_running_loop().create_future()
        self.all_begun = asyncio.Event()
        self._left = requests
        self._waiting = requests
        self._silent = connections
        self._closing = False

    def take(self) -> bool:
        if len(self.totals) == self._waiting and not self.over.done():
            self.over.set_result(None)
        self._left -= 1
        return self._left >= 0

    def begun(self) -> None:
        self._silent -= 1
        if not self._silent:
            self.all_begun.set()

    def lost(self, error: Exception | None) -> None:
        if not self.over.done() and not self._closing:
            self.over.set_exception(error or ConnectionError("the server hung up"))

    def leave(self) -> None:
        self._closing = True


async def main() -> None:
    plan = json.loads(sys.stdin.readline())
    connections = plan["connections"]
    crew = Crew(b64decode(plan["request"]), plan["requests"], connections)
    loop = asyncio.get_running_loop()
    began = time.perf_counter()
    callers = [
        (await loop.create_connection(lambda: Caller(crew), "127.0.0.1", plan["port"]))[1]
        for _ in range(connections)
    ]
    if plan.get("hold"):
        done = loop.create_task(crew.all_begun.wait())
        await asyncio.wait([done, crew.over], return_when=asyncio.FIRST_COMPLETED)
        print("held" if crew.all_begun.is_set() else f"failed {crew.over.exception()}", flush=True)
        await loop.run_in_executor(None, sys.stdin.readline)
    else:
        await crew.over
    seconds = time.perf_counter() - began
    crew.leave()
    for caller in callers:
        caller.close()
    seen = {"firsts": crew.firsts, "totals": crew.totals, "delays": crew.delays}
    print(json.dumps({"seconds": seconds, **seen}), flush=True)


if __name__ == "__main__":
    uvloop.run(main())
