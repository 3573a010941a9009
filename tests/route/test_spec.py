"""Specs are read as chains, and what is wrong with one is said so that it can be put right."""

import pytest

from majordomo.route.spec import BadSpec, Target, check_alias, parse_spec, unknown

ALIASES = {
    "fast": "groq/llama-3.3-70b",
    "thinking": "anthropic/claude-x, openai/o9",
    "best": "thinking, fast, ollama/minimax-m3:cloud",
    "loop-a": "openai/x, loop-b",
    "loop-b": "loop-c",
    "loop-c": "fast,loop-a",
    "self": "self",
    "holes": "openai/x,,fast",
}

CHAINS: dict[str, tuple[str, list[str]]] = {
    "one target": ("openai/gpt-x", ["openai/gpt-x"]),
    "a chain": ("a/x,b/y", ["a/x", "b/y"]),
    "slashes belong to the id": (
        "openrouter/anthropic/claude-x",
        ["openrouter/anthropic/claude-x"],
    ),
    "colons belong to the id": ("ollama/minimax-m3:cloud", ["ollama/minimax-m3:cloud"]),
    "space around is ignored": ("  a/x ,\n b/y\t", ["a/x", "b/y"]),
    "space and case inside are kept": ("a/My Model", ["a/My Model"]),
    "an alias": ("fast", ["groq/llama-3.3-70b"]),
    "an alias first": ("fast,a/x", ["groq/llama-3.3-70b", "a/x"]),
    "an alias in the middle": (
        "a/x,thinking,b/y",
        ["a/x", "anthropic/claude-x", "openai/o9", "b/y"],
    ),
    "a trailing alias": ("a/x,thinking", ["a/x", "anthropic/claude-x", "openai/o9"]),
    "aliases of aliases": (
        "best",
        ["anthropic/claude-x", "openai/o9", "groq/llama-3.3-70b", "ollama/minimax-m3:cloud"],
    ),
    "the first of equals is kept": (
        "openai/o9,best,openai/o9",
        ["openai/o9", "anthropic/claude-x", "groq/llama-3.3-70b", "ollama/minimax-m3:cloud"],
    ),
    "an alias twice is no loop": (
        "fast,fast,thinking,fast",
        [
            "groq/llama-3.3-70b",
            "anthropic/claude-x",
            "openai/o9",
        ],
    ),
}


@pytest.mark.parametrize(("spec", "chain"), CHAINS.values(), ids=CHAINS.keys())
def test_a_spec_is_read_as_a_chain(spec: str, chain: list[str]) -> None:
    assert [str(target) for target in parse_spec(spec, ALIASES)] == chain


def test_the_model_id_is_everything_after_the_first_slash() -> None:
    assert parse_spec("openrouter/meta/llama:free", {}) == (
        Target("openrouter", "meta/llama:free"),
    )


MISTAKES: dict[str, tuple[str, str]] = {
    "nothing": ("", "the spec is empty"),
    "only space": ("  ", "the spec is empty"),
    "a hole": ("a/x,,b/y", "element 2 of 'a/x,,b/y' is empty"),
    "a trailing comma": ("a/x,", "element 2 of 'a/x,' is empty"),
    "a leading comma": (",a/x", "element 1 of ',a/x' is empty"),
    "a hole inside an alias": ("holes", "element 2 of 'openai/x,,fast' (in alias holes) is empty"),
    "no model": ("openai/", "'openai/' names no model id"),
    "no provider": ("/gpt-x", "'/gpt-x' names no provider"),
    "a loop": (
        "fast,loop-a",
        "alias 'loop-a' stands for itself: loop-a -> loop-b -> loop-c -> loop-a",
    ),
    "a loop entered from the side": (
        "loop-b",
        "alias 'loop-b' stands for itself: loop-b -> loop-c -> loop-a -> loop-b",
    ),
    "a loop of one": ("self", "alias 'self' stands for itself: self -> self"),
    "a misspelt alias": ("thinkng", "unknown alias 'thinkng'; did you mean 'thinking'?"),
    "an alias in the wrong case": ("FAST", "unknown alias 'FAST'; did you mean 'fast'?"),
}


@pytest.mark.parametrize(("spec", "says"), MISTAKES.values(), ids=MISTAKES.keys())
def test_a_mistake_is_named(spec: str, says: str) -> None:
    with pytest.raises(BadSpec) as error:
        parse_spec(spec, ALIASES)
    assert says in str(error.value)


def test_what_is_not_known_says_what_is() -> None:
    message = str(unknown("provider", "OpenAi", ["anthropic", "openai"]))
    assert message == "unknown provider 'OpenAi'; did you mean 'openai'? (known: anthropic, openai)"
    assert str(unknown("alias", "x", [])) == "unknown alias 'x' (none is known)"
    assert unknown("alias", "x", []).status == 404


@pytest.mark.parametrize("name", ["", "a/b", "a,b", " a", "a "])
def test_a_name_no_spec_could_hold_is_no_alias(name: str) -> None:
    with pytest.raises(BadSpec):
        check_alias(name)
