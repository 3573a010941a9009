"""Every dialect, and every pair of dialects, over the same table of features."""

from itertools import product

import pytest

from support.features import REQUEST_FEATURES, RESPONSE_FEATURES
from support.matrix import PAGE, page, says, tells
from support.translation import NAMES, dialect_named, said_and_read, told_and_heard

# What every dialect must be able to say, whatever the page says.
ALWAYS_SAID = (
    "text",
    "several turns",
    "system prompt",
    "image",
    "tools",
    "tool call and result",
    "parallel calls and results",
    "failed tool result",
    "words beside a tool result",
    "structured output",
    "max_tokens",
)
ALWAYS_TOLD = (
    "text",
    "empty reply",
    "tool call",
    "text and a call",
    "parallel calls",
    "a turn with calls ends in tool_calls",
    "thinking",
    "stopped by length",
    "usage",
)


@pytest.mark.parametrize(("feature", "name"), list(product(ALWAYS_SAID, NAMES)))
def test_every_dialect_says_the_essentials(feature: str, name: str) -> None:
    row = REQUEST_FEATURES[feature]
    assert row.shows(said_and_read(row.request, dialect_named(name))) == row.shows(row.request)


@pytest.mark.parametrize(
    ("feature", "name", "stream"), list(product(ALWAYS_TOLD, NAMES, (False, True)))
)
def test_every_dialect_tells_the_essentials(feature: str, name: str, *, stream: bool) -> None:
    row = RESPONSE_FEATURES[feature]
    heard = told_and_heard(row.response, dialect_named(name), stream=stream)
    assert row.shows(heard) == row.shows(row.response)


@pytest.mark.parametrize(("first", "second"), list(product(NAMES, NAMES)))
def test_a_pair_keeps_what_both_can_say(first: str, second: str) -> None:
    for feature, row in REQUEST_FEATURES.items():
        if says(feature, first) and says(feature, second):
            once = said_and_read(row.request, dialect_named(first))
            twice = said_and_read(once, dialect_named(second))
            assert row.shows(twice) == row.shows(row.request), feature


@pytest.mark.parametrize(("first", "second"), list(product(NAMES, NAMES)))
def test_a_pair_keeps_what_both_can_tell(first: str, second: str) -> None:
    for feature, row in RESPONSE_FEATURES.items():
        if tells(feature, first) and tells(feature, second):
            once = told_and_heard(row.response, dialect_named(first), stream=True)
            twice = told_and_heard(once, dialect_named(second), stream=True)
            assert row.shows(twice) == row.shows(row.response), feature


def test_the_page_says_what_the_dialects_do() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "run `make tables`"
