"""The rows of the catalog: complete, consistent, and silent about keys."""

import re
from urllib.parse import urlsplit

import pytest
from msgspec.structs import replace

from majordomo.catalog import PROVIDERS, Provider, provider_named
from majordomo.contract import InvalidRequest

NAMES = (
    "openai openai-responses azure anthropic gemini ollama ollama-cloud foreman openrouter groq "
    "mistral deepseek together fireworks xai cerebras moonshot vllm llamacpp local "
    "lmstudio"
)
GIVEN_BY_THE_USER = {"azure", "foreman"}  # their hosts are the customer's own


def test_the_catalog_has_everybody() -> None:
    assert sorted(PROVIDERS) == sorted(NAMES.split())


@pytest.mark.parametrize("row", PROVIDERS.values(), ids=PROVIDERS.keys())
def test_a_row_can_be_called(row: Provider) -> None:
    address = urlsplit(row.base_url)
    local = address.hostname == "localhost" or address.scheme == "local"
    if row.name in GIVEN_BY_THE_USER:
        assert row.base_url == ""
    elif address.scheme != "local":
        assert address.scheme == ("http" if local else "https")
        assert not row.base_url.endswith("/")
    assert row.key == ""
    assert (row.auth == "none") == (row.key_env == ())
    assert row.auth == "none" or not local or not row.key_required
    assert all(re.fullmatch(r"[A-Z][A-Z0-9_]+", name) for name in row.key_env)
    assert local == (row.timeouts.connect == 5.0) or row.name == "foreman"


@pytest.mark.parametrize("row", PROVIDERS.values(), ids=PROVIDERS.keys())
def test_what_a_row_says_of_names_and_ids_is_a_pattern(row: Provider) -> None:
    assert re.fullmatch(row.capabilities.tool_name, "read_file")
    assert re.fullmatch(row.capabilities.call_id, "abcDEF123")


QUIRKS: dict[str, tuple[str, str, object]] = {
    "Mistral says any": ("mistral", "wire.required_word", "any"),
    "Mistral's seed has another name": ("mistral", "wire.seed_field", "random_seed"),
    "Mistral's ids are nine characters": ("mistral", "capabilities.call_id", r"[A-Za-z0-9]{9}"),
    "DeepSeek wants its reasoning back": ("deepseek", "wire.reasoning_field", "reasoning_content"),
    "DeepSeek has no eyes": ("deepseek", "capabilities.images", None),
    "vLLM calls it reasoning": ("vllm", "wire.reasoning_field", "reasoning"),
    "OpenAI's newer field": ("openai", "wire.max_tokens_field", "max_completion_tokens"),
    "llama.cpp knows the older": ("llamacpp", "wire.max_tokens_field", "max_tokens"),
    "Ollama has no tool choice": ("ollama", "capabilities.tool_choice", ("auto", "none")),
    "Ollama's cloud has no schemas": ("ollama-cloud", "capabilities.structured", "prompt"),
    "Moonshot cannot be forced": ("moonshot", "capabilities.tool_choice", ("auto", "none")),
    "Anthropic has no JSON mode": ("anthropic", "capabilities.json_mode", False),
    "Azure's header": ("azure", "auth", "api-key"),
    "Google's header": ("gemini", "auth", "x-goog-api-key"),
    "LM Studio refuses json_object": ("lmstudio", "capabilities.json_mode", False),
}


@pytest.mark.parametrize(("name", "path", "value"), QUIRKS.values(), ids=QUIRKS.keys())
def test_quirks(name: str, path: str, value: object) -> None:
    found: object = PROVIDERS[name]
    for step in path.split("."):
        found = getattr(found, step)
    assert found == value


def test_a_misspelt_name_is_guessed_and_an_unknown_one_gets_the_list() -> None:
    assert provider_named("groq").name == "groq"
    with pytest.raises(InvalidRequest, match="did you mean 'anthropic'"):
        provider_named("antropic")
    with pytest.raises(InvalidRequest, match="known are: anthropic, azure"):
        provider_named("zzz")


def test_a_key_is_not_shown() -> None:
    row = replace(PROVIDERS["openai"], key="sk-very-secret")
    assert "secret" not in f"{row} {row!r} {[row]}"
