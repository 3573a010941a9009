"""One mock, one load generator, and what is measured with them."""

import json
import statistics
import subprocess
import sys
import time
from base64 import b64encode
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple, TypeAlias

import bodies
from process import cpu_seconds, megabytes, pin
from servers import UVICORN, Contestant, Started

_HERE = Path(__file__).parent
_BODIES = {
    "small": bodies.small,
    "agent": bodies.agent,
    "image": bodies.image,
    "tools": bodies.tools,
}
Figures: TypeAlias = dict[str, float]


class Scenario(NamedTuple):
    name: str
    door: str
    upstream: str
    model: str
    requests: int
    stream: bool = False
    body: str = "small"

    def fits(self, contestant: Contestant) -> bool:
        """Plain proxies can only pass on what they get; LiteLLM has no such upstream here."""
        if contestant is UVICORN:
            return self.name in ("small chat→chat", "stream chat→chat")
        if contestant.name == "nginx":
            return self.door == self.upstream
        if contestant.name in ("LiteLLM", "Portkey") and self.door != "chat":
            return False  # they ask the upstream's Responses API for these, which is not mocked
        return self.upstream in contestant.prefix

    def asked(self, contestant: Contestant | None, mock: int) -> bytes:
        prefix = contestant.prefix[self.upstream] if contestant is not None else ""
        made = _BODIES[self.body](self.door, f"{prefix}{self.model}", stream=self.stream)
        if contestant is None:
            return made
        return bodies.with_headers(made, contestant.headers(mock, self.upstream))


_LATENCY = Scenario("latency", "chat", "chat", "small", 1500)
_STREAMED = Scenario("streamed", "chat", "chat", "hundred", 300, stream=True)
_PACED = Scenario("paced", "chat", "chat", "paced", 20, stream=True)
_IDLE = Scenario("idle", "chat", "chat", "idle", 0, stream=True)


class Bench:
    def __init__(self, mock: int, scale: float) -> None:
        self.mock = mock
        self._scale = scale

    @classmethod
    @contextmanager
    def open(cls, *, scale: float) -> Generator["Bench"]:
        with subprocess.Popen(
            [sys.executable, str(_HERE / "mock.py")],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        ) as process:
            assert process.stdout is not None
            assert process.stdin is not None
            pin(process.pid, 0)
            try:
                yield cls(int(process.stdout.readline()), scale)
            finally:
                process.stdin.close()

    def own_core(self, at: Started) -> None:
        pin(at.pid, 1)

    def warm_up(
        self, contestant: Contestant, at: Started, scenarios: Sequence[Scenario], share: float
    ) -> list[Scenario]:
        """Give the scenarios it can do; what a peer cannot do is left out with a word."""
        able: list[Scenario] = []
        for scenario in scenarios:
            if not scenario.fits(contestant):
                continue
            asked = scenario.asked(contestant, self.mock)
            try:
                self.load(at.port, asked, max(8, int(200 * share)), 8)
            except RuntimeError as why:
                print(f"{contestant.name} does not do {scenario.name}: {why}", flush=True)
            else:
                able.append(scenario)
        return able

    def cpu(self, contestant: Contestant, at: Started, scenario: Scenario, share: float) -> float:
        """Give microseconds of the contestant's CPU per request."""
        requests = max(10, int(scenario.requests * share * self._scale))
        before = cpu_seconds(at.pid)
        self.load(at.port, scenario.asked(contestant, self.mock), requests, 8)
        return (cpu_seconds(at.pid) - before) / requests * 1e6

    def latency(self, contestant: Contestant | None, at: Started | None) -> Figures:
        """Give seconds at concurrency 1: to the end of a small reply, to a stream's first byte."""
        port = at.port if at is not None else self.mock
        slow = contestant is not None and contestant.name in ("LiteLLM", "Portkey")
        share = 0.1 if slow else self._scale
        totals: list[float] = []
        firsts: list[float] = []
        for _ in range(3):
            asked = _LATENCY.asked(contestant, self.mock)
            totals += self.load(port, asked, int(_LATENCY.requests * share), 1)["totals"]
            asked = _STREAMED.asked(contestant, self.mock)
            firsts += self.load(port, asked, int(_STREAMED.requests * share), 1)["firsts"]
        return {
            "latency p50": statistics.median(totals),
            "latency p99": statistics.quantiles(totals, n=100)[98],
            "first chunk p50": statistics.median(firsts),
        }

    def paced(self, contestant: Contestant, at: Started) -> Figures:
        """Give milliseconds from the mock's writing of a piece to its arrival, 20 at once."""
        asked = _PACED.asked(contestant, self.mock)
        delays = self.load(at.port, asked, _PACED.requests * 3, _PACED.requests)["delays"]
        return {
            "paced piece p50, ms": statistics.median(delays) * 1e3,
            "paced piece p99, ms": statistics.quantiles(delays, n=100)[98] * 1e3,
        }

    def idle(self, contestant: Contestant, at: Started, streams: int) -> Figures:
        """Hold many silent streams: the memory each takes, and the CPU they take together."""
        before = megabytes(at.pid)
        plan = self._plan(at.port, _IDLE.asked(contestant, self.mock), 10**9, streams)
        with self._loader() as process:
            assert process.stdout is not None
            assert process.stdin is not None
            process.stdin.write(json.dumps(plan | {"hold": True}) + "\n")
            process.stdin.flush()
            held = process.stdout.readline().strip()
            if held != "held":
                return {}
            cpu = cpu_seconds(at.pid)
            time.sleep(2)
            spent = (cpu_seconds(at.pid) - cpu) / 2
            grown = megabytes(at.pid) - before
            process.stdin.write("\n")
            process.stdin.close()
            process.stdout.read()
        return {
            "kB per idle stream": max(0.0, grown) * 1024 / streams,
            f"CPU of {streams} idle, %": spent * 100,
        }

    def many(self, contestant: Contestant, at: Started, requests: int) -> Figures:
        asked = Scenario("many", "chat", "chat", "small", requests).asked(contestant, self.mock)
        self.load(at.port, asked, requests, 16)
        return {f"RSS after {requests:,}, MB": megabytes(at.pid)}

    def load(
        self, port: int, asked: bytes, requests: int, connections: int
    ) -> dict[str, list[float]]:
        plan = self._plan(port, asked, requests, min(connections, requests))
        with self._loader() as process:
            out, problem = process.communicate(json.dumps(plan) + "\n")
        if process.returncode:
            raise RuntimeError(problem.strip().rpartition("\n")[2])
        return json.loads(out.splitlines()[-1])

    def _plan(self, port: int, asked: bytes, requests: int, connections: int) -> dict[str, object]:
        return {
            "port": port,
            "request": b64encode(asked).decode(),
            "requests": requests,
            "connections": connections,
        }

    def _loader(self) -> "subprocess.Popen[str]":
        process = subprocess.Popen(
            [sys.executable, str(_HERE / "load.py")],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        pin(process.pid, 0)
        return process
