"""llama.cpp's server in a child process: its threads and its crashes are not ours."""

import atexit
import subprocess
import sys
import threading
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Self

import msgspec

from majordomo.contract import ModelNotFound

from .settings import Address, ServerSettings

_PATIENCE = 600.0  # seconds to load: weights of many gigabytes may lie on a slow disk


class LocalServer:
    """Started by `start` (or `with`), once; after a crash, the next `start` starts another.

    It listens on a free port of the loopback address and ends with this process, however
    this process ends.
    """

    def __init__(self, settings: ServerSettings) -> None:
        self.settings = settings
        self._lock = threading.Lock()
        self._child: subprocess.Popen[bytes] | None = None
        self._address: Address | None = None

    @property
    def address(self) -> Address | None:
        """Where it listens, if it is running."""
        child = self._child
        return self._address if child is not None and child.poll() is None else None

    @property
    def pid(self) -> int | None:
        """Its process, if it is running."""
        child = self._child
        return child.pid if child is not None and child.poll() is None else None

    def start(self) -> Address:
        """Give its address once it is ready. Any thread may call this, and it may block."""
        with self._lock:
            running = self.address
            if running is not None:
                return running
            self._end()
            check_installed()
            self._address = self._launch()
            return self._address

    def stop(self) -> None:
        child = self._child
        if child is not None:
            child.kill()  # first, because whoever holds the lock may be waiting for its word
        with self._lock:
            self._end()

    def wait(self) -> None:
        """Block until it ends, which it does by itself only when something went wrong."""
        child = self._child
        if child is not None:
            child.wait()

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def _launch(self) -> Address:
        with TemporaryFile() as errors:
            child = subprocess.Popen(
                [sys.executable, "-m", "majordomo.local.child"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
            )
            self._child = child
            atexit.register(self.stop)
            line = _greeting(child, self.settings)
            if not line:
                self._end()
                raise ModelNotFound(
                    f"llama.cpp could not load {Path(self.settings.path).name}: {_last(errors)}"
                )
        return msgspec.json.decode(line, type=Address)

    def _end(self) -> None:
        child, self._child, self._address = self._child, None, None
        if child is None:
            return
        atexit.unregister(self.stop)
        child.kill()  # it holds nothing that needs saving
        child.wait()
        for pipe in (child.stdin, child.stdout):
            if pipe is not None:
                pipe.close()


def check_installed() -> None:
    if find_spec("xllamacpp") is None:
        raise ModelNotFound("llama.cpp is not installed: run `pip install 'pymajordomo[local]'`")


def _greeting(child: "subprocess.Popen[bytes]", settings: ServerSettings) -> bytes:
    """Tell it what to run; give the line that says where it listens, or nothing if it died."""
    if child.stdin is None or child.stdout is None:
        return b""
    too_late = threading.Timer(_PATIENCE, child.kill)
    too_late.daemon = True
    too_late.start()
    try:
        child.stdin.write(msgspec.json.encode(settings) + b"\n")
        child.stdin.flush()
        return child.stdout.readline()
    except BrokenPipeError:
        return b""
    finally:
        too_late.cancel()


def _last(errors: IO[bytes]) -> str:
    errors.seek(0)
    lines = [line.strip() for line in errors.read().decode(errors="replace").splitlines()]
    return next((line for line in reversed(lines) if line), "it gave no reason")
