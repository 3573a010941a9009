"""What the package costs those who only import it, and what it makes them install."""

import re
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]
WEIGHED = """
import resource, sys
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
modules = len(sys.modules)
import majordomo
after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
print(after - before, len(sys.modules) - modules)
"""


def test_importing_it_takes_little_memory_and_few_modules() -> None:
    done = subprocess.run(
        [sys.executable, "-c", WEIGHED], capture_output=True, text=True, check=True
    )
    kilobytes, modules = (int(number) for number in done.stdout.split())
    assert kilobytes < 10_000 * (1024 if sys.platform == "darwin" else 1)
    assert modules < 100


def test_a_user_installs_four_packages_and_what_they_need() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    names = {re.split(r"[\s<>=!~\[;]", line)[0] for line in project["dependencies"]}
    assert names == {"msgspec", "aiohttp", "jsonschema-rs", "pillow"}


def test_every_pin_names_its_version_and_its_contents() -> None:
    """A package that was replaced under its version is not installed."""
    text = (ROOT / "requirements" / "dev.txt").read_text(encoding="utf-8").replace("\\\n", " ")
    lines = [
        line for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#")
    ]
    assert lines
    for line in lines:
        assert re.match(r"[A-Za-z0-9._-]+==\S+.* --hash=sha256:[0-9a-f]{64}", line), line
