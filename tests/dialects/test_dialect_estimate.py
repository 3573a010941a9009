"""An estimate counts everything a model reads: nothing counts as nothing."""

import pytest

from majordomo.contract import (
    Document,
    Image,
    JsonObject,
    Opaque,
    Part,
    Request,
    Text,
    Thinking,
    Tool,
    ToolCall,
    ToolResult,
    user,
)
from majordomo.dialects.estimate import estimate, tokens

WORDS = "word " * 400
PARTS: dict[str, Part] = {
    "text": Text(text=WORDS),
    "thinking": Thinking(text=WORDS),
    "a call": ToolCall(id="a", name="f", arguments=WORDS),
    "a result": ToolResult(id="a", content=(Text(text=WORDS),)),
    "an image": Image(data=b"", mime="image/png"),
    "an image in a result": ToolResult(id="a", content=(Image(data=b"", mime="image/png"),)),
    "a document": Document(data=WORDS.encode() * 10, mime="text/plain"),
    "a block we do not model": Opaque(dialect="anthropic", value={"type": "x", "text": WORDS}),
}


@pytest.mark.parametrize("part", PARTS.values(), ids=PARTS.keys())
def test_nothing_counts_as_nothing(part: Part) -> None:
    alone = estimate(Request(messages=(user("hi"),)))
    assert 300 < estimate(Request(messages=(user("hi", part),))) - alone < 2000


def test_the_prompt_and_the_tools_count_too() -> None:
    schema: JsonObject = {"type": "object", "description": WORDS}
    alone = estimate(Request(messages=()))
    assert estimate(Request(messages=(), system=WORDS)) - alone == 504
    tools = (Tool(name="f", description=WORDS, parameters=schema),)
    assert estimate(Request(messages=(), tools=tools)) - alone > 1000


def test_signs_beyond_the_alphabets_weigh_more() -> None:
    latin, chinese = (estimate(Request(messages=(user(t),))) for t in ("word" * 100, "字" * 400))
    assert chinese > 3 * latin


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", 0),
        ("word", 1),
        ("字字", 2),
        ("a — b, then c…", 5),
        ("字 and words", 5),
        ("\U0001f600", 1),
        ("\ud800", 1),  # half a pair: no text, but it came
    ],
)
def test_signs_are_counted_by_their_kind(text: str, expected: int) -> None:
    assert tokens(text) == expected
