"""`LLM_<NAME>` variables are providers: one looked up by name, or all of them at once."""

import pytest

from majordomo.config.dsn import BadDsn
from majordomo.config.env import from_env, load_env, provider_of, variable_of

SECRET = "sk-hush-hush"


@pytest.mark.parametrize(
    ("provider", "variable"), [("box", "LLM_BOX"), ("my-gpu-box", "LLM_MY_GPU_BOX")]
)
def test_names_go_both_ways(provider: str, variable: str) -> None:
    assert variable_of(provider) == variable
    assert provider_of(variable) == provider


def test_one_is_looked_up() -> None:
    found = from_env("my-box", {"LLM_MY_BOX": "ollama+http://box:11434"})
    assert found is not None
    assert (found.provider.name, found.provider.base_url) == ("my-box", "http://box:11434")


@pytest.mark.parametrize("environ", [{}, {"LLM_BOX": ""}, {"LLM_BOX": "  "}, {"BOX": "x"}])
def test_what_is_not_set_is_not_there(environ: dict[str, str]) -> None:
    assert from_env("box", environ) is None


def test_a_bad_one_is_reported_by_its_variable() -> None:
    with pytest.raises(BadDsn, match="LLM_MY_BOX: has an unknown scheme"):
        from_env("my-box", {"LLM_MY_BOX": f"htps://{SECRET}@host"})


def test_all_are_loaded_and_every_bad_one_is_reported() -> None:
    loaded = load_env(
        {
            "LLM_GOOD": "ollama+http://box:11434",
            "LLM_API_KEY": SECRET,
            "LLM_ALSO_BAD": f"openai://{SECRET}@host?nonsense=1",
            "LLM_EMPTY": "",
            "LLM_": "openai://host",
            "PATH": "/bin",
            "OTHER_LLM_X": "openai://host",
        }
    )
    assert list(loaded.providers) == ["good"]
    assert [problem.name for problem in loaded.problems] == ["LLM_ALSO_BAD", "LLM_API_KEY"]
    assert SECRET not in repr(loaded)
    assert SECRET not in "".join(str(problem) for problem in loaded.problems)
