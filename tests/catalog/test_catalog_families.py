"""Facts about model families: which models each pattern means, and which it does not."""

import re

import pytest

from majordomo.catalog import FAMILIES, PROVIDERS, Family, capabilities_for
from majordomo.contract import Capabilities, Knob

SAMPLING: tuple[Knob, ...] = ("temperature", "top_p")


def facts(spec: str) -> Capabilities:
    name, _, model = spec.partition("/")
    return capabilities_for(PROVIDERS[name], model)


@pytest.mark.parametrize("family", FAMILIES, ids=[family.why for family in FAMILIES])
def test_a_family_is_well_formed(family: Family) -> None:
    assert re.compile(family.pattern)
    assert family.changes.keys() <= set(Capabilities.__struct_fields__) - {"knobs"}
    assert family.why


SAMPLES = {
    "openai/gpt-4o": True,
    "openai/gpt-4.1-mini": True,
    "openai/gpt-5-chat-latest": True,
    "openai/gpt-5.1": True,
    "openai/gpt-5.2": True,
    "openai/gpt-5.6-sol": True,  # once it is told not to think
    "openai/gpt-5": False,
    "openai/gpt-5-mini": False,
    "openai/gpt-5.1-codex-max": False,
    "openai/gpt-5.2-pro": False,
    "openai/o3": False,
    "openai/o4-mini": False,
    "openai-responses/o3": False,
    "openrouter/openai/gpt-5-nano": False,
    "openrouter/meta-llama/llama-4": True,
    "anthropic/claude-3-5-sonnet-20241022": True,
    "anthropic/claude-sonnet-4-20250514": True,
    "anthropic/claude-sonnet-4-5-20250929": True,
    "anthropic/claude-opus-4-6": True,
    "anthropic/claude-opus-4-7": False,
    "anthropic/claude-opus-4-8-20260801": False,
    "anthropic/claude-sonnet-5": False,
    "anthropic/claude-fable-5-2": False,
    "gemini/gemini-2.5-pro": True,
}


@pytest.mark.parametrize(("spec", "takes"), SAMPLES.items())
def test_who_takes_a_temperature(spec: str, *, takes: bool) -> None:
    assert ("temperature" in facts(spec).knobs) is takes
    assert ("top_p" in facts(spec).knobs) is takes


THINKERS = {
    "openai/o3": (True, False),
    "openai/gpt-5": (True, False),
    "openai/gpt-5.1": (False, True),
    "openai/gpt-5.4": (False, True),
    "openai/gpt-5.5": (True, True),
    "openai/gpt-6-luna": (True, True),
    "openai/gpt-4o": (False, False),
    "anthropic/claude-opus-4-6": (False, True),
    "anthropic/claude-opus-5": (True, True),
    "anthropic/claude-mythos-5": (True, False),
    "gemini/gemini-2.5-flash": (True, True),
    "gemini/gemini-3-pro": (True, True),
    "gemini/gemini-2.0-flash": (False, False),
}


@pytest.mark.parametrize(("spec", "expected"), THINKERS.items())
def test_who_thinks_by_itself_and_who_can_be_told_not_to(
    spec: str, expected: tuple[bool, bool]
) -> None:
    capabilities = facts(spec)
    assert (capabilities.thinks, "none" in capabilities.efforts) == expected


TOOLS_WHILE_THINKING = {
    "openai/gpt-5.3": True,
    "openai/gpt-5.4": False,
    "openai/gpt-5.10": False,
    "openai/gpt-6": False,
    "openai-responses/gpt-6": True,
}


@pytest.mark.parametrize(("spec", "allowed"), TOOLS_WHILE_THINKING.items())
def test_chat_refuses_tools_while_newer_models_think(spec: str, *, allowed: bool) -> None:
    assert facts(spec).tools_with_thinking is allowed


PREFILL = {
    "anthropic/claude-3-haiku-20240307": True,
    "anthropic/claude-haiku-4-5": True,
    "anthropic/claude-sonnet-4-5-20250929": True,
    "anthropic/claude-opus-4-6": False,
    "anthropic/claude-sonnet-4.6": False,
    "anthropic/claude-opus-5": False,
    "openai/gpt-4o": False,
    "llamacpp/anything": True,
}


@pytest.mark.parametrize(("spec", "takes"), PREFILL.items())
def test_who_goes_on_from_an_unfinished_turn(spec: str, *, takes: bool) -> None:
    assert facts(spec).prefill is takes


KNOBS: dict[str, tuple[str, Knob, bool]] = {
    "budget, up to 4.6": ("anthropic/claude-opus-4-6", "reasoning_budget", True),
    "no budget from 4.7": ("anthropic/claude-opus-4-7", "reasoning_budget", False),
    "no effort up to 4.5": ("anthropic/claude-sonnet-4-5", "reasoning_effort", False),
    "effort from 4.6": ("anthropic/claude-sonnet-4-6", "reasoning_effort", True),
    "gpt-4o has no effort": ("openai/gpt-4o", "reasoning_effort", False),
    "o3 takes no stop": ("openai/o3", "stop", False),
    "Gemini 3 thinks by level": ("gemini/gemini-3-flash", "reasoning_budget", False),
    "Gemini 2.5 thinks by budget": ("gemini/gemini-2.5-flash", "reasoning_budget", True),
}


@pytest.mark.parametrize(("spec", "knob", "takes"), KNOBS.values(), ids=KNOBS.keys())
def test_knobs(spec: str, knob: Knob, *, takes: bool) -> None:
    assert (knob in facts(spec).knobs) is takes


EYES = {
    "openai/gpt-4o": True,
    "openai/o3-mini": False,
    "groq/openai/gpt-oss-120b": False,
    "ollama/llava:7b": True,
    "ollama/deepseek-r1:8b": False,
    "ollama/library/smollm2:135m": False,
    "together/deepseek-ai/DeepSeek-V3": False,
}


@pytest.mark.parametrize(("spec", "sees"), EYES.items())
def test_who_has_eyes(spec: str, *, sees: bool) -> None:
    assert (facts(spec).images is not None) is sees


NATIVE = {
    "ollama/qwen3:8b": "native",
    "ollama/gemma3:4b": "emulated",
    "ollama/gemma4": "native",
    "ollama/deepseek-r1:8b": "emulated",
    "openrouter/deepseek/deepseek-r1": "native",
}


@pytest.mark.parametrize(("spec", "tools"), NATIVE.items())
def test_who_needs_tools_written_into_the_prompt(spec: str, tools: str) -> None:
    assert facts(spec).tools == tools


def test_an_unknown_model_has_its_providers_capabilities() -> None:
    assert facts("openrouter/some/new-model") is PROVIDERS["openrouter"].capabilities
