"""Running an example as a program of its own."""

import os
import subprocess
import sys
from pathlib import Path

EXAMPLES = Path(__file__).parents[2] / "examples"


def run(example: str, **env: str) -> str:
    """Run an example as its own program; whatever it warns of is an error."""
    kept = {name: value for name, value in os.environ.items() if not _ours(name)}
    done = subprocess.run(
        [sys.executable, "-W", "error", str(EXAMPLES / f"{example}.py")],
        env={**kept, "PYTHONIOENCODING": "utf-8", **env},
        capture_output=True,
        encoding="utf-8",
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def _ours(name: str) -> bool:
    return name.startswith("LLM_") or name == "MAJORDOMO_MODEL"
