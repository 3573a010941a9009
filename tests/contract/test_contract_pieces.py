"""A long answer is kept as one text: it weighs little more than it says."""

import sys
import tracemalloc

import pytest

from majordomo.contract import Event, Finish, Fold, Start, TextDelta, ThinkingDelta
from majordomo.contract.pieces import MANY, gather
from majordomo.route.resume import Said

WORDS = [f"word-{number} " for number in range(MANY * 20)]


def test_gathered_pieces_are_one_text() -> None:
    pieces = ["a", "b", "c"]
    gather(pieces)
    assert pieces == ["abc"]


@pytest.mark.parametrize("delta", [TextDelta, ThinkingDelta])
def test_no_word_is_lost_or_moved(delta: type[TextDelta | ThinkingDelta]) -> None:
    fold = Fold()
    events: list[Event] = [Start(), *(delta(text=word) for word in WORDS), Finish(reason="stop")]
    for event in events:
        fold.add(event)
    response = fold.response()
    assert response.text + response.thinking == "".join(WORDS)


def test_what_the_caller_was_given_is_known_to_the_letter() -> None:
    given = Fold()
    for word in WORDS:
        given.add(TextDelta(text=word))
    said = Said(given)
    assert said.text == said.open == "".join(WORDS)


def test_many_small_pieces_weigh_little_more_than_their_text() -> None:
    size = sys.getsizeof("".join(WORDS))
    tracemalloc.start()
    try:
        fold = Fold()
        fold.add(TextDelta(text="first "))
        for number in range(len(WORDS)):
            fold.add(TextDelta(text=f"word-{number} "))
        held, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert held < size * 2 + 10_000
