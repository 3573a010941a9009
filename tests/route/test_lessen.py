"""What a 400 complains of is taken off what the target is believed to take, if fit can cope."""

import pytest

from majordomo.contract import Capabilities, Unsupported
from majordomo.route import lessen

FULL = Capabilities()

DROPPED: dict[str, tuple[str, str]] = {
    "openai temperature": ("temperature", "Unsupported value: 'temperature' does not support 0.2"),
    "a path": ("tools[0].function.parameters", "not supported"),
    "ollama tools": ("", 'registry.ollama.ai/library/tinyllama "does not support tools"'),
    "ollama thinking": ("", '"llama3" does not support thinking'),
    "llama.cpp tools": ("", "tools param requires --jinja flag"),
    "penalty": ("", "Unsupported parameter: presence_penalty"),
    "anthropic top_k": ("", "top_k: Extra inputs are not permitted"),
    "response_format": ("response_format", "This model does not support json_schema"),
    "parallel": ("parallel_tool_calls", "Unsupported parameter: 'parallel_tool_calls'"),
    "tool_choice": ("", "tool_choice is not supported by this model"),
}

LESS: dict[str, Capabilities] = {
    "openai temperature": Capabilities(knobs=tuple(k for k in FULL.knobs if k != "temperature")),
    "a path": Capabilities(tools="emulated"),
    "ollama tools": Capabilities(tools="emulated"),
    "ollama thinking": Capabilities(
        knobs=tuple(
            k
            for k in FULL.knobs
            if k not in {"reasoning_effort", "reasoning_budget", "show_thinking"}
        )
    ),
    "llama.cpp tools": Capabilities(tools="emulated"),
    "penalty": Capabilities(knobs=tuple(k for k in FULL.knobs if k != "presence_penalty")),
    "anthropic top_k": Capabilities(knobs=tuple(k for k in FULL.knobs if k != "top_k")),
    "response_format": Capabilities(structured="prompt"),
    "parallel": Capabilities(parallel_control=False),
    "tool_choice": Capabilities(tool_choice=("auto",)),
}


@pytest.mark.parametrize("row", DROPPED)
def test_what_fit_can_do_without_is_dropped(row: str) -> None:
    parameter, message = DROPPED[row]
    failure = Unsupported(message, status=400, parameter=parameter)
    assert lessen(FULL, failure) == LESS[row]


def test_a_picture_is_never_dropped() -> None:
    assert lessen(FULL, Unsupported("this model does not support image input", status=400)) is None


def test_what_is_already_off_cannot_be_dropped_again() -> None:
    plain = Capabilities(tools="emulated", structured="prompt")
    for words in ("does not support tools", "response_format is not supported"):
        assert lessen(plain, Unsupported(words, status=400)) is None
