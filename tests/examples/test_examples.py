"""Every example runs as it stands: against its script, and against the model it is given."""

import pytest

from majordomo.dialects.dialect import Ask
from majordomo.testing import DialectServer
from support.example import EXAMPLES, run

HELPING = {"example_model", "mcp_time_server"}

SAID: dict[str, tuple[str, ...]] = {
    "agent": (
        'read_note({"name": "shopping"})',
        "read_note -> milk, bread",
        "delete_note -> This call was not allowed. Nothing is deleted in an example.",
        "You need milk and bread. I may not delete the old note.",
        "(answered after 4 steps)",
        "Bread comes after milk.",
    ),
    "chain": (
        "Hello from the second in line.",
        "cloud/large-model: Overloaded too many requests",
        "spare/small-model: served",
        "cloud/large-model is benched",
    ),
    "chat": ("Paris.", "(example/scripted, 2 tokens)", "About two million."),
    "emulated": ('multiply({"a":6,"b":7})', "multiply -> 42", "Six times seven is 42."),
    "images": ("It is red.", "512x512 now"),
    "mcp_tools": ("tools: time_in", "home -> Lima", "time_in -> 07:00", "It is 07:00"),
    "record_replay": (
        "recorded: There are 6 apples.",
        "replayed: There are 6 apples.",
        '-          "text": "How many apples are there?"',
        '+          "text": "How many pears are there?"',
    ),
    "stream": ("The rain has come.", "(finished: stop, served by example/scripted)"),
    "tools": ('temperature -> {"city":"Lima","degrees":21', "It is 21 °C in Lima."),
    "typed": ("City(name='Paris', people=2100000, size=<Size.LARGE: 'large'>)", "Bergen: 290,000"),
}


def test_there_are_ten_and_all_are_run() -> None:
    there = {path.stem for path in EXAMPLES.glob("*.py")} - HELPING
    assert there == set(SAID)
    assert len(there) == 10


@pytest.mark.parametrize("example", SAID)
def test_an_example_says_what_it_should(example: str) -> None:
    said = run(example)
    at = 0
    for words in SAID[example]:
        assert words in said[at:], said
        at = said.index(words, at)


def any_answer(ask: Ask) -> str:
    if ask.request.schema is None:
        return "All is well."
    several = "value" in str(ask.request.schema.get("required"))
    city = '{"name": "Ulm", "people": 128000}'
    return f'{{"value": [{city}]}}' if several else city


SEAM: dict[str, str] = {
    "chat": "All is well.",
    "stream": "All is well.",
    "typed": "City(name='Ulm', people=128000",
}


@pytest.mark.parametrize(("example", "words"), SEAM.items(), ids=SEAM)
def test_an_example_talks_to_the_model_it_is_given(example: str, words: str) -> None:
    with DialectServer.in_thread("ollama", any_answer) as server:
        address = server.url.replace("http://", "ollama+http://")
        assert words in run(example, MAJORDOMO_MODEL="mine/small", LLM_MINE=address)
        assert server.requests
