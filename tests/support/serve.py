"""`majordomo serve` as a process of its own."""

import os
import signal
import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread

SOURCE = Path(__file__).parents[2] / "src"


class Served:
    """The process, where it listens, and everything it has said."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self.process = process
        self.said: list[str] = []
        self.url = ""
        assert process.stderr is not None
        for line in process.stderr:
            self.said.append(line)
            if "listens on" in line:
                self.url = line.rpartition(" ")[2].strip()
                break
        self._reader = Thread(target=self._read, daemon=True)
        self._reader.start()

    def stop(self) -> None:
        """Ask it to end and wait until it has."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        self.process.wait(timeout=30)
        self._reader.join(timeout=10)

    def _read(self) -> None:
        assert self.process.stderr is not None
        self.said.extend(self.process.stderr)


@contextmanager
def serve(folder: Path, *arguments: str, **environment: str) -> Generator[Served]:
    """Start it in an empty folder with nothing but these variables, and end it afterwards."""
    process = subprocess.Popen(
        [sys.executable, "-m", "majordomo", "serve", *arguments],
        stderr=subprocess.PIPE,
        text=True,
        cwd=folder,
        env={
            "PATH": os.environ["PATH"],
            "HOME": str(folder),
            "PYTHONPATH": str(SOURCE),
            **environment,
        },
    )
    try:
        served = Served(process)
        yield served
        served.stop()
    finally:
        if process.poll() is None:
            process.kill()
            process.wait()
        if process.stderr is not None:
            process.stderr.close()
