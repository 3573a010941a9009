"""A terminal with a program in it, for tests that type and look."""

import os
import pty
import subprocess
import time
from codecs import getincrementaldecoder
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from select import select


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
def terminal(words: Sequence[str], environ: dict[str, str]) -> Generator[Terminal]:
    master, slave = pty.openpty()
    program = subprocess.Popen(
        words,
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
