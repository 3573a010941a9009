"""The synchronous façade, from one thread and from many."""

import asyncio
import os
import signal
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from majordomo.contract import Finish, RateLimited, ResponseDone, TextDelta
from majordomo.engine.sync import portal
from majordomo.testing import DialectServer, Stall, scripted
from support.asking import model_at

HELLO = [TextDelta(text="Hel"), TextDelta(text="lo"), Finish(reason="stop")]


def test_generate() -> None:
    with DialectServer.in_thread("ollama", [HELLO]) as server:
        assert model_at(server).sync.generate("hi", temperature=0.5).text == "Hello"
    ask = server.requests[0].ask
    assert ask is not None
    assert ask.request.temperature == 0.5


def test_stream() -> None:
    with DialectServer.in_thread("ollama", [HELLO, HELLO, HELLO]) as server:
        model = model_at(server).sync
        events = list(model.stream("hi"))
        assert [event.text for event in events if isinstance(event, TextDelta)] == ["Hel", "lo"]
        assert isinstance(events[-1], ResponseDone)
        assert list(model.stream("hi").text()) == ["Hel", "lo"]
        with model.stream("hi") as stream:
            assert stream.response().text == "Hello"


def test_failures_are_raised_here() -> None:
    with pytest.raises(RateLimited, match="slow down"):
        scripted(RateLimited("slow down")).sync.generate("hi")


def test_leaving_the_loop_closes_the_socket() -> None:
    with DialectServer.in_thread("ollama", [[TextDelta(text="x"), Stall()]]) as server:
        for event in model_at(server).sync.stream("hi"):
            if isinstance(event, TextDelta):
                break
        server.wait_until(lambda: server.disconnects == 1)


def test_many_threads_share_one_portal() -> None:
    with DialectServer.in_thread("ollama", lambda ask: ask.request.messages[-1].text) as server:
        model = model_at(server).sync

        def ask(n: int) -> str:
            return model.generate(f"n{n}").text

        with ThreadPoolExecutor(16) as threads:
            texts = list(threads.map(ask, range(64)))
    assert texts == [f"n{n}" for n in range(64)]
    portals = [thread for thread in threading.enumerate() if thread.name == "majordomo-sync"]
    assert len(portals) == 1


@pytest.mark.skipif(not hasattr(signal, "pthread_kill"), reason="needs POSIX signals")
def test_ctrl_c_stops_the_call_and_closes_the_socket() -> None:
    with DialectServer.in_thread("ollama", [Stall()]) as server:
        main = threading.main_thread().ident or 0

        def interrupt() -> None:
            server.wait_until(lambda: len(server.requests) == 1)
            signal.pthread_kill(main, signal.SIGINT)

        threading.Thread(target=interrupt).start()
        with pytest.raises(KeyboardInterrupt):
            model_at(server).sync.generate("hi")
        server.wait_until(lambda: server.disconnects == 1)


def test_a_synchronous_call_on_the_engines_own_thread_is_refused() -> None:
    async def inside() -> None:
        await asyncio.sleep(0)
        scripted("hi").sync.generate("hi")

    with pytest.raises(RuntimeError, match="would wait for ever"):
        portal().run(inside())


def test_it_ends_with_the_program_and_without_a_word() -> None:
    program = """
import sys
from majordomo.engine.model import provider

model = provider("ollama", base_url=sys.argv[1]).model("m").sync
print(model.generate("hi").text)
"""
    with DialectServer.in_thread("ollama", ["bye"]) as server:
        done = subprocess.run(
            [sys.executable, "-W", "error", "-c", program, server.url],
            capture_output=True,
            check=False,
            timeout=60,
        )
    assert (done.returncode, done.stdout, done.stderr) == (0, b"bye\n", b"")


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_forked_child_starts_its_own_thread() -> None:
    program = """
import os
from majordomo.testing import scripted

scripted("parent").sync.generate("hi")
child = os.fork()
if child == 0:
    os._exit(0 if scripted("child").sync.generate("hi").text == "child" else 1)
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, check=False, timeout=60
    )
    assert done.stdout == b"0\n"
