# ruff: noqa: RUF001 -- full-width punctuation is among what models write
"""However a reply is cut, it means the same; and prose never waits."""

from collections.abc import Sequence
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from majordomo.contract import Tool
from majordomo.fit.actions.draft import Called, Piece, Prose
from majordomo.fit.actions.finder import Finder
from majordomo.fit.actions.names import Offers
from majordomo.fit.actions.parse import collect, parse

_CORPUS = Path(__file__).parent / "corpus"
_TOOLS = msgspec.json.decode((_CORPUS / "tools.json").read_bytes(), type=list[Tool])
_LINES = (_CORPUS / "own.jsonl").read_bytes().splitlines()
_TEXTS = [msgspec.json.decode(line, type=dict[str, object])["text"] for line in _LINES]
_SAMPLES = [text for text in _TEXTS if isinstance(text, str)]

_SHARDS = st.sampled_from(
    [
        *("```json action\n", "```", "````", "~~~", "`", "json action ", "Action: Read\n"),
        *("{", "}", "[", "]", '"', "'", "\\", ",", ":", "“", "｛", "：", "&quot;", "//", "/*", "1"),
        *('{"tool":"Read","parameters":{', '"file_path":"a"', "Action Input: ", "name: ", "call:"),
        *("<tool_call>", "</tool_call>", "<function=Read>", "<parameter=file_path>", "<x:", "<|"),
        *("</parameter>", "<Read>", "</Read>", "invoke name=", "[TOOL_CALLS]", "[ARGS]", "<｜"),
        *("<think>", "</think>", "For example:", "text ", "\n", " ", "…", "print(", "Read(", ")"),
    ]
)
_WILD = st.lists(_SHARDS, max_size=30).map("".join) | st.text(max_size=80)


def _streamed(text: str, cuts: Sequence[int]) -> list[Piece]:
    finder = Finder(Offers(_TOOLS))
    ends = [*sorted(cuts), len(text)]
    pieces: list[Piece] = []
    for start, end in zip([0, *ends], ends, strict=False):
        pieces += finder.feed(text[start:end])
    return [*pieces, *finder.close()]


@given(st.data(), _WILD | st.sampled_from(_SAMPLES))
def test_streamed_is_the_same_as_parsed_whole(data: st.DataObject, text: str) -> None:
    cuts = sorted(data.draw(st.sets(st.integers(0, len(text)), max_size=40)))
    assert collect(_streamed(text, cuts)) == parse(text, _TOOLS)


@given(st.data(), st.sampled_from(_SAMPLES), st.sampled_from(_SAMPLES))
def test_a_reply_cut_off_anywhere_is_the_same_streamed(
    data: st.DataObject, one: str, other: str
) -> None:
    text = (one + "\n" + other)[: data.draw(st.integers(0, len(one) + len(other)))]
    assert collect(_streamed(text, range(1, len(text)))) == parse(text, _TOOLS)


@given(st.data(), _WILD | st.sampled_from(_SAMPLES))
def test_what_passes_at_a_glance_is_what_would_have_come_out(
    data: st.DataObject, text: str
) -> None:
    """The quick way and the thorough one agree on every piece, and on all that follows."""
    cuts = sorted(data.draw(st.sets(st.integers(0, len(text)), max_size=40)))
    quick, thorough = Finder(Offers(_TOOLS)), Finder(Offers(_TOOLS))
    ends = [*cuts, len(text)]
    for start, end in zip([0, *ends], ends, strict=False):
        chunk = text[start:end]
        given = [Prose(chunk)] if chunk and quick.passes(chunk) else quick.feed(chunk)
        assert given == thorough.feed(chunk)
    assert quick.close() == thorough.close()


def test_plain_prose_passes_at_a_glance() -> None:
    finder = Finder(Offers(_TOOLS))
    assert finder.passes("A plain sentence, no more.\nAnd a second one.\n")
    assert not finder.passes("Act")
    assert finder.feed("Act") == []
    assert not finder.passes("s of kindness."), "something is held back"
    assert finder.feed("s of kindness.") == [Prose("Acts of kindness.")]
    assert finder.passes(" Well.")


@pytest.mark.parametrize(
    ("opening", "inside", "stop"),
    [
        ("See `a", ' {"tool": "Read"} <b>', "`"),
        ("See `a", " [", "\n"),
        ("```python\nx = 1", ' {"tool": "Read"} `', "\n"),
        ("<think>so", ' {"tool": "Read"}\n```json action', "<"),
    ],
    ids=["span", "span in a line", "code", "thought"],
)
def test_what_no_call_can_stand_in_passes_at_a_glance(opening: str, inside: str, stop: str) -> None:
    finder = Finder(Offers(_TOOLS))
    assert finder.feed(opening) == [Prose(opening)]
    assert finder.passes(inside)
    assert not finder.passes(f"end{stop}")


@given(_WILD)
def test_no_text_is_lost_or_invented(text: str) -> None:
    pieces = _streamed(text, [])
    assert "".join(p.text if isinstance(p, Prose) else p.raw for p in pieces) == text


@pytest.mark.parametrize(
    "text", ["A plain sentence, no more. ", "a < b and c > d ", "I said `x`. "]
)
def test_prose_goes_out_with_the_event_that_brought_it(text: str) -> None:
    finder = Finder(Offers(_TOOLS))
    for _ in range(3):
        said = finder.feed(text)
        assert "".join(piece.text for piece in said if isinstance(piece, Prose)) == text


def test_a_call_comes_out_as_soon_as_its_block_closes() -> None:
    finder = Finder(Offers(_TOOLS))
    block = '```json action\n{"tool":"ping","parameters":{}}\n```'
    assert finder.feed("One. " + block[:-1]) == [Prose("One. ")]
    closed = [*finder.feed("`"), *finder.feed("\n")]
    assert [type(piece) for piece in closed][:1] == [Called]


def test_a_cut_value_is_never_completed() -> None:
    whole = (
        '```json action\n{"tool":"Write","parameters":{"file_path":"a","content":"one two"}}\n```'
    )
    end = whole.index("}}") + 2
    for length in range(end):
        _, calls, _ = parse(whole[:length], _TOOLS)
        assert calls == (), whole[:length]
