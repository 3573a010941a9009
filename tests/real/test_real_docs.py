"""The page about local models does what it says, with the model it is about."""

import re
from pathlib import Path

import pytest

from support.npm import Unavailable
from support.real_model import CACHE, weights

PAGE = Path(__file__).parents[2] / "docs" / "local.md"
BLOCK = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)


@pytest.mark.full
def test_the_page_about_local_models_runs(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    try:
        weights()
    except Unavailable as reason:
        pytest.skip(str(reason))
    monkeypatch.setenv("MAJORDOMO_CACHE", str(CACHE / "majordomo"))
    blocks = BLOCK.findall(PAGE.read_text())
    names: dict[str, object] = {}
    printed: list[str] = []
    for block in blocks:
        exec(block, names)  # noqa: S102 -- our own page
        printed.append(capsys.readouterr().out)
    chatted, called, served = printed
    assert chatted.strip()
    assert called.startswith('{"city":')
    assert "http://127.0.0.1:" in served
