"""Examples against the real small model: what it says is its own affair, that it runs is not."""

import pytest

from majordomo.local import Address
from support.example import run
from support.real_model import MODEL, dsn


@pytest.mark.parametrize("example", ["chat", "stream", "typed"])
def test_an_example_runs_against_a_real_model(example: str, llama: Address) -> None:
    said = run(example, MAJORDOMO_MODEL=f"real/{MODEL}", LLM_REAL=dsn(llama))
    assert said.strip()
    assert "scripted" not in said
