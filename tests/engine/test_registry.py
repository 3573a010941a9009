"""A registry reads specs as models; what it knows comes from code, environment and catalog."""

import pytest

from majordomo.catalog.provider import Provider
from majordomo.config.dsn import BadDsn
from majordomo.engine.registry import Registry
from majordomo.route import BadSpec, HealthReport

BOX = Provider(name="box", dialect="ollama", base_url="http://box:1", auth="none")


def test_a_spec_becomes_a_chain() -> None:
    registry = Registry(aliases={"cheap": "groq/llama, box/tiny"}, providers={"box": BOX}, env={})
    chain = registry.parse("openrouter/anthropic/claude-x,cheap")
    assert chain.name == "openrouter/anthropic/claude-x,groq/llama,box/tiny"
    assert [target.model for target in chain.targets] == ["anthropic/claude-x", "llama", "tiny"]


def test_a_misspelt_provider_says_which_was_meant() -> None:
    with pytest.raises(BadSpec, match=r"unknown provider 'opnai'; did you mean 'openai'\?"):
        Registry(env={}).parse("opnai/gpt-x")


def test_a_provider_of_the_environment_is_suggested_too() -> None:
    env = {"LLM_WORKSTATION": "ollama+http://w:1"}
    with pytest.raises(BadSpec, match="did you mean 'workstation'"):
        Registry(env=env).parse("workstaton/x")


def test_the_environment_is_read_when_a_spec_names_it() -> None:
    env = {"LLM_MY_BOX": "foreman+http://key@box:9"}
    registry = Registry(env=env)
    assert "my-box" not in registry.providers
    (target,) = registry.parse("my-box/any:thing/at-all").targets
    assert (target.provider.base_url, target.provider.key) == ("http://box:9", "key")
    assert target.model == "any:thing/at-all"
    assert "my-box" in registry.providers


def test_a_bad_dsn_hurts_only_who_names_it() -> None:
    registry = Registry(env={"LLM_BOX": "nonsense"})
    registry.parse("openai/gpt-x")
    with pytest.raises(BadDsn, match="LLM_BOX"):
        registry.parse("box/x")


def test_loading_the_environment_reports_the_bad_and_keeps_the_good() -> None:
    registry = Registry(env={"LLM_A": "ollama+http://a:1", "LLM_B": "nonsense"})
    assert [problem.name for problem in registry.load_env()] == ["LLM_B"]
    assert "a" in registry.providers


def test_code_wins_over_environment_and_environment_over_the_catalog() -> None:
    env = {"LLM_OLLAMA": "ollama+http://env:1", "LLM_BOX": "ollama+http://env:2"}
    registry = Registry(providers={"box": BOX}, env=env)
    assert registry.parse("ollama/x").targets[0].provider.base_url == "http://env:1"
    registry.load_env()
    assert registry.parse("box/x").targets[0].provider.base_url == "http://box:1"


def test_a_provider_may_be_added_as_a_dsn() -> None:
    registry = Registry(providers={"lab": "openai+http://lab:8000/v1?tools=emulated"}, env={})
    (target,) = registry.parse("lab/m").targets
    assert (target.name, target.capabilities.tools) == ("lab/m", "emulated")


def test_a_provider_may_be_added_under_another_name() -> None:
    registry = Registry(env={})
    registry.add_provider(BOX, name="other")
    assert registry.parse("other/m").targets[0].name == "other/m"


def test_an_alias_may_be_added_and_may_loop_only_once() -> None:
    registry = Registry(env={})
    registry.alias("a", "openai/x, b")
    registry.alias("b", "a")
    with pytest.raises(BadSpec, match="a -> b -> a"):
        registry.parse("a")


@pytest.mark.parametrize("name", ["a/b", "a,b", ""])
def test_a_name_that_no_spec_could_say_is_refused(name: str) -> None:
    with pytest.raises(BadSpec):
        Registry(env={}).alias(name, "openai/x")


def test_everybodys_health_can_be_read() -> None:
    registry = Registry(aliases={"best": "openai/x, groq/y"}, env={})
    assert registry.health() == ()
    assert registry.health("best") == (
        HealthReport(target="openai/x", state="healthy"),
        HealthReport(target="groq/y", state="healthy"),
    )


def test_a_spec_is_read_once_and_read_anew_when_something_changed() -> None:
    registry = Registry(aliases={"best": "openai/x"}, env={})
    chain = registry.parse("best")
    assert registry.parse("best") is chain
    registry.alias("best", "openai/y")
    assert registry.parse("best").name == "openai/y"
    registry.add_provider("ollama+http://elsewhere:1", name="openai")
    assert registry.parse("best").targets[0].provider.base_url == "http://elsewhere:1"


def test_strangers_cannot_fill_the_memory_with_specs() -> None:
    registry = Registry(env={})
    first = registry.parse("openai/model-0")
    for number in range(1100):
        registry.parse(f"openai/model-{number}")
    assert registry.parse("openai/model-0") is not first  # it was forgotten, and made anew
