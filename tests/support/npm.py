"""Programs from npm, installed once into the project's own cache."""

import os
import shutil
import subprocess
from functools import cache
from pathlib import Path
from tempfile import mkdtemp

CACHE = Path(__file__).parents[2] / ".cache"


class Unavailable(Exception):
    """What cannot be had here, and why: a test skips with it."""


@cache
def installed(package: str) -> Path:
    """Give the folder of a package's programs. `package` names its exact version.

    Without a version npm takes the newest that admits this Node, which may be years old.
    """
    npm = shutil.which("npm")
    if npm is None:
        raise Unavailable("npm is not installed")
    home = CACHE / "npm" / package.replace("/", "_")
    if not home.is_dir():
        home.parent.mkdir(parents=True, exist_ok=True)
        scratch = Path(mkdtemp(dir=home.parent, prefix=".installing-"))
        try:
            _install(npm, package, scratch)
            scratch.rename(home)  # whole, or not there; two runs at once do no harm
        finally:
            shutil.rmtree(scratch, ignore_errors=True)
    return home / "node_modules" / ".bin"


def _install(npm: str, package: str, folder: Path) -> None:
    command = [npm, "install", "--no-audit", "--no-fund", "--loglevel=error", "--prefix"]
    try:
        done = subprocess.run(
            [*command, str(folder), package],
            capture_output=True,
            text=True,
            check=False,
            timeout=300,
            env={**os.environ, "npm_config_update_notifier": "false"},
        )
    except subprocess.TimeoutExpired:
        raise Unavailable(f"npm took too long to install {package}") from None
    if done.returncode:
        said = "; ".join(done.stderr.splitlines()[:2]) or "no reason given"
        raise Unavailable(f"npm could not install {package}: {said}")
