"""A home and a working directory of its own for every test of a command."""

from pathlib import Path

import pytest

_KEYS = ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GEMINI_API_KEY", "GOOGLE_API_KEY")


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give the working directory: empty, with nothing configured anywhere."""
    work, home = tmp_path / "work", tmp_path / "home"
    work.mkdir()
    home.mkdir()
    monkeypatch.chdir(work)
    monkeypatch.setenv("HOME", str(home))
    for name in (*_KEYS, "XDG_CONFIG_HOME", "MAJORDOMO_CONFIG", "MAJORDOMO_MODEL"):
        monkeypatch.delenv(name, raising=False)
    return work
