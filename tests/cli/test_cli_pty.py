"""`majordomo chat` in a real terminal: prompt, colours, interruption, history, the end."""

import os
import pty
import subprocess
import sys
import time
from codecs import getincrementaldecoder
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from select import select

from majordomo.contract import Start, TextDelta, ThinkingDelta
from majordomo.testing import DialectServer, Stall


class Terminal:
    """A terminal with a program in it: keys go in, what is on the screen can be waited for."""

    def __init__(self, master: int, program: "subprocess.Popen[bytes]") -> None:
        self.program = program
        self.seen = ""
        self._master = master
        self._decoder = getincrementaldecoder("utf-8")()

    def type(self, keys: str) -> None:
        """Type like a person: readline misses a Ctrl-C that comes while it draws a letter."""
        time.sleep(0.1)
        os.write(self._master, keys.encode())

    def until(self, words: str, seconds: float = 20) -> None:
        """Wait until this is seen after all that was waited for before."""
        end = time.monotonic() + seconds
        while words not in self.seen:
            assert time.monotonic() < end, f"{words!r} is not in {self.seen!r}"
            self._read(0.1)
        self.seen = self.seen.partition(words)[2]

    def ended(self, seconds: float = 20) -> int:
        end = time.monotonic() + seconds
        while self.program.poll() is None:
            assert time.monotonic() < end, f"it never ended: {self.seen!r}"
            self._read(0.1)
        return self.program.returncode

    def _read(self, seconds: float) -> None:
        if select([self._master], [], [], seconds)[0]:
            try:
                self.seen += self._decoder.decode(os.read(self._master, 65536))
            except OSError:  # the program has left the terminal
                time.sleep(0.01)


@contextmanager
def terminal(*arguments: str, environ: dict[str, str]) -> Generator[Terminal]:
    master, slave = pty.openpty()
    program = subprocess.Popen(
        [sys.executable, "-m", "majordomo", *arguments],
        stdin=slave,
        stdout=slave,
        stderr=slave,
        env={**os.environ, "TERM": "xterm", **environ},
        preexec_fn=lambda: os.login_tty(slave),  # so that Ctrl-C is a signal  # noqa: PLW1509 -- no threads yet
        close_fds=False,
    )
    os.close(slave)
    try:
        yield Terminal(master, program)
    finally:
        program.kill()
        program.wait()
        os.close(master)


def test_ctrl_c_stops_the_answer_and_not_the_program(tmp_path: Path) -> None:
    script = [
        [Start(), ThinkingDelta(text="hm"), TextDelta(text="**Once** upon"), Stall()],
        "The end.",
    ]
    with DialectServer.in_thread("openai_chat", script) as server:
        environ = {"LLM_UP": f"openai+{server.url}/v1", "XDG_STATE_HOME": str(tmp_path)}
        with terminal("chat", "-m", "up/m", environ=environ) as screen:
            screen.until("up/m listens")
            screen.until("> ")
            screen.type("a story\\\nabout a fox\n")
            screen.until("… ")
            screen.until("\033[2mhm\033[0m")
            screen.until("\033[1mO\033[0m")
            screen.until(" upon")
            screen.type("\x03")
            screen.until("(stopped)")
            screen.until("> ")
            screen.type("half a li")
            screen.until("half a li")
            screen.type("\x03")
            screen.until("\n")
            screen.until("> ")
            screen.type("go on\n")
            screen.until("The end.")
            screen.type("\x1b[A")
            screen.until("go on")
            screen.type("\x03")
            screen.until("> ")
            screen.type("\x04")
            assert screen.ended() == 0
        asked = server.requests[1].ask
    assert asked is not None
    said = [message.text for message in asked.request.messages]
    assert said == ["a story\nabout a fox", "**Once** upon", "go on"]
    assert "go on" in (tmp_path / "majordomo" / "history").read_text()


def test_ctrl_c_ends_a_single_question_with_130(tmp_path: Path) -> None:
    script = [[Start(), TextDelta(text="Once upon"), Stall()]]
    with DialectServer.in_thread("openai_chat", script) as server:
        environ = {"LLM_UP": f"openai+{server.url}/v1", "HOME": str(tmp_path)}
        with terminal("ask", "-m", "up/m", "a story", environ=environ) as screen:
            screen.until("Once upon")
            screen.type("\x03")
            assert screen.ended() == 130
            assert "Traceback" not in screen.seen
