"""The provider `local`: started by the first request, gone with whoever asked."""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Generator
from contextlib import contextmanager

import pytest

import majordomo
from majordomo.engine.sync import SyncModel
from majordomo.local import Address, LocalServer, ServerSettings
from support.npm import Unavailable
from support.real_model import CACHE, weights

# Asks once, says where its server listens, and then does nothing.
PROGRAM = """
import time
import majordomo
from majordomo.local.running import server_of

response = majordomo.model("local/smollm2").sync.generate("Say hello.", max_tokens=4)
assert response.text, response
print(server_of("smollm2").address.url, flush=True)
{then}
"""


@pytest.fixture(autouse=True)
def cached_weights(monkeypatch: pytest.MonkeyPatch) -> None:
    try:
        weights()
    except Unavailable as reason:
        pytest.skip(str(reason))
    monkeypatch.setenv("MAJORDOMO_CACHE", str(CACHE / "majordomo"))


@contextmanager
def program(then: str) -> Generator[tuple["subprocess.Popen[str]", str]]:
    with subprocess.Popen(
        [sys.executable, "-c", PROGRAM.format(then=then)], stdout=subprocess.PIPE, text=True
    ) as running:
        assert running.stdout is not None
        yield running, running.stdout.readline().strip()


def test_a_program_that_ends_takes_its_model_with_it() -> None:
    with program(then="pass") as (running, url):
        assert url.startswith("http://127.0.0.1:")
        assert running.wait() == 0
    _assert_gone(url)


@pytest.mark.parametrize(
    "killed",
    [
        pytest.param(signal.SIGKILL, id="SIGKILL"),
        pytest.param(signal.SIGTERM, id="SIGTERM", marks=pytest.mark.full),
    ],
)
def test_a_program_that_is_killed_takes_its_model_with_it(killed: signal.Signals) -> None:
    with program(then="time.sleep(60)") as (running, url):
        assert _listens(url)
        running.send_signal(killed)
        running.wait()
    _assert_gone(url)


@pytest.mark.full
def test_after_a_crash_the_next_request_starts_another() -> None:
    with LocalServer(ServerSettings(path=str(weights()), key="k")) as server:
        first = server.start()
        assert server.start() == first, "started once"
        _signal(server, signal.SIGKILL)
        server.wait()
        assert server.address is None
        second = server.start()
        assert _said_by(second)
    assert server.address is None
    _assert_gone(second.url)


def test_an_answer_ends_where_the_settings_say_if_the_request_does_not() -> None:
    with LocalServer(ServerSettings(path=str(weights()), key="k", answer=3)) as server:
        model = _model_at(server.start())
        # Without dice: with them it may find its own end after any word.
        unlimited = model.generate("Write a long poem.", temperature=0.0)
        limited = model.generate("Write a long poem.", temperature=0.0, max_tokens=5)
    assert (unlimited.finish_reason, unlimited.usage.output) == ("length", 3)
    assert (limited.finish_reason, limited.usage.output) == ("length", 5)


@pytest.mark.full
def test_the_interrupt_of_a_terminal_is_for_the_parent_to_answer() -> None:
    """Ctrl-C goes to every process in front; a gateway that drains still needs its model."""
    with LocalServer(ServerSettings(path=str(weights()), key="k")) as server:
        _signal(server, signal.SIGINT)
        assert _said_by(server.start())


def _signal(server: LocalServer, which: signal.Signals) -> None:
    assert server.pid is not None
    os.kill(server.pid, which)


def _said_by(address: Address) -> str:
    return _model_at(address).generate("Say hello.", max_tokens=4).text


def _model_at(address: Address) -> SyncModel:
    here = f"openai+http://{address.key}@{address.url.removeprefix('http://')}/v1"
    return majordomo.model("here/any", providers={"here": here}).sync


def _assert_gone(url: str) -> None:
    patience = time.monotonic() + 10
    while _listens(url):
        assert time.monotonic() < patience, "the model server outlived its program"
        time.sleep(0.02)


def _listens(url: str) -> bool:
    host, _, port = url.removeprefix("http://").partition(":")
    try:
        socket.create_connection((host, int(port)), timeout=1).close()
    except OSError:
        return False
    return True
