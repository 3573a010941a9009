"""The commands with a real model: the embedded one, where it can be had."""

import os
from pathlib import Path

import pytest

from support.command import started
from support.npm import Unavailable
from support.real_model import CACHE, weights


@pytest.fixture
def environ(tmp_path: Path) -> dict[str, str]:
    try:
        weights()
    except Unavailable as reason:
        pytest.skip(str(reason))
    return {
        "PATH": os.environ["PATH"],
        "HOME": str(tmp_path / "home"),
        "MAJORDOMO_CACHE": str(CACHE / "majordomo"),
    }


def test_the_embedded_model_answers_a_question(here: Path, environ: dict[str, str]) -> None:
    said = started(
        *("ask", "-m", "local", "--max-tokens", "12", "-v", "Say hello."),
        cwd=here,
        environ=environ,
        seconds=120,
    )
    assert said.code == 0, said.err
    assert said.out.strip()
    assert "served by local/smollm2" in said.err


@pytest.mark.full
def test_the_demonstration_is_given_by_a_real_model(here: Path, environ: dict[str, str]) -> None:
    said = started("demo", cwd=here, environ=environ, seconds=180)
    assert said.code == 0, said.err
    assert "SmolLM2-135M, running on this machine" in said.out
    assert 'get_weather {"city":"Paris"}' in said.out
    assert "local/smollm2 served" in said.out
