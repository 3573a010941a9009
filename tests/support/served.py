"""`majordomo serve` as its users run it: a process, configured by its environment."""

import os
import re
import subprocess
import sys
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from msgspec import Struct


class Running(Struct, frozen=True):
    url: str
    pid: int


@contextmanager
def majordomo_serve(environ: Mapping[str, str], *options: str) -> Generator[str]:
    """Give the URL of a gateway; when the block is left it must end well, without a traceback."""
    with majordomo_process(environ, *options) as running:
        yield running.url


@contextmanager
def majordomo_process(environ: Mapping[str, str], *options: str) -> Generator[Running]:
    with TemporaryDirectory() as here, (Path(here) / "log").open("w+b") as log:
        gateway = subprocess.Popen(
            [sys.executable, "-m", "majordomo.cli.main", "serve", "--port", "0", *options],
            env={**os.environ, **environ},
            cwd=here,  # where no majordomo.toml is
            stdout=log,
            stderr=subprocess.PIPE,
        )
        assert gateway.stderr is not None
        with gateway.stderr as said:
            greeting = said.readline().decode()
            found = re.search(r"http://\S+", greeting)
            if found is None:
                gateway.wait()
                raise AssertionError(greeting + said.read().decode())
            try:
                yield Running(found.group(), gateway.pid)
            finally:
                gateway.terminate()
                rest = said.read().decode()
                gateway.wait()
        assert "Traceback" not in rest, rest
