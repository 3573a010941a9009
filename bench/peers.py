"""Peers, each in an environment of its own under `.cache/bench`, installed when first needed."""

import shutil
import subprocess
import sys
from pathlib import Path

_CACHE = Path(__file__).parent.parent / ".cache" / "bench"


class Missing(Exception):
    """Why a peer cannot be installed here."""


def python_peer(name: str, requirement: str) -> Path:
    """Give the virtual environment that has it."""
    place = _CACHE / name
    ready = place / ".ready"
    if not ready.exists():
        print(f"installing {requirement} into {place}", flush=True)
        _run([sys.executable, "-m", "venv", str(place)])
        _run([str(place / "bin" / "pip"), "install", "--quiet", requirement])
        ready.touch()
    return place


def node_peer(name: str, package: str) -> Path:
    if shutil.which("npm") is None:
        raise Missing("npm is not installed")
    place = _CACHE / name
    ready = place / ".ready"
    if not ready.exists():
        print(f"installing {package} into {place}", flush=True)
        place.mkdir(parents=True, exist_ok=True)
        _run(["npm", "install", "--silent", "--no-audit", "--prefix", str(place), package])
        ready.touch()
    return place


def _run(command: list[str]) -> None:
    try:
        subprocess.run(command, check=True, capture_output=True, timeout=900)
    except (OSError, subprocess.SubprocessError) as error:
        raise Missing(f"{command[0]} failed: {error}") from error
