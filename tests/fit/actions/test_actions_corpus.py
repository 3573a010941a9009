"""What models really emit, measured: calls recovered exactly, false positives, refusals."""

from pathlib import Path

import msgspec
import pytest
from msgspec import Struct

from majordomo.contract import JsonObject, Tool
from majordomo.fit.actions import parse, refusal

_CORPUS = Path(__file__).parent / "corpus"


class Call(Struct, frozen=True):
    name: str
    arguments: JsonObject


class Case(Struct, frozen=True):
    id: str
    origin: str
    text: str
    expected: list[Call]
    tools: list[Tool] | None = None
    said: str | None = None


class Refusal(Struct, frozen=True):
    id: str
    origin: str
    lang: str
    text: str
    category: str | None


_TOOLS = msgspec.json.decode((_CORPUS / "tools.json").read_bytes(), type=list[Tool])


def _cases(name: str) -> list[Case]:
    lines = (_CORPUS / name).read_bytes().splitlines()
    return [msgspec.json.decode(line, type=Case) for line in lines]


def _refusals() -> list[Refusal]:
    lines = (_CORPUS / "refusals.jsonl").read_bytes().splitlines()
    return [msgspec.json.decode(line, type=Refusal) for line in lines]


_OWN = _cases("own.jsonl")
_ADAPTED = _cases("adapted.jsonl")


def _calls(case: Case) -> list[Call]:
    _, calls, _ = parse(case.text, case.tools if case.tools is not None else _TOOLS)
    return [Call(c.name, msgspec.json.decode(c.arguments, type=JsonObject)) for c in calls]


def test_the_corpus_is_large_and_every_case_says_where_it_comes_from() -> None:
    assert len(_OWN) >= 400
    assert all(case.origin for case in (*_OWN, *_ADAPTED))
    assert len({case.id for case in (*_OWN, *_ADAPTED)}) == len(_OWN) + len(_ADAPTED)


@pytest.mark.parametrize("name", ["own.jsonl", "adapted.jsonl"])
def test_at_least_98_of_100_calls_are_recovered_exactly(name: str) -> None:
    meant = [case for case in _cases(name) if case.expected]
    missed = [f"{case.id} {case.origin}" for case in meant if _calls(case) != case.expected]
    assert len(missed) <= len(meant) * 0.02, missed


def test_nothing_that_is_no_call_becomes_one() -> None:
    empty = [case for case in (*_OWN, *_ADAPTED) if not case.expected]
    assert len(empty) >= 100
    assert [case.id for case in empty if _calls(case)] == []


def test_text_without_calls_is_given_back_to_the_letter() -> None:
    for case in _OWN:
        if not case.expected:
            said, _, _ = parse(case.text, _TOOLS)
            assert said == case.text, case.id


def test_prose_is_kept_and_blocks_are_stripped() -> None:
    told = [case for case in _OWN if case.said is not None]
    assert len(told) >= 20
    for case in told:
        said, _, _ = parse(case.text, _TOOLS)
        assert said == case.said, case.id


def test_at_least_95_of_100_refusals_are_caught() -> None:
    refused = [case for case in _refusals() if case.category is not None]
    missed = [case.text for case in refused if refusal(case.text) is None]
    assert len(missed) <= len(refused) * 0.05, missed


def test_no_answer_that_stands_is_taken_for_a_refusal() -> None:
    fine = [case for case in _refusals() if case.category is None]
    assert len(fine) >= 60
    assert [case.text for case in fine if refusal(case.text) is not None] == []


def test_every_language_has_refusals_and_answers() -> None:
    by_language = {case.lang: set[bool]() for case in _refusals()}
    for case in _refusals():
        by_language[case.lang].add(case.category is None)
    assert set(by_language) == {"en", "zh", "es", "de", "fr", "ja", "pt", "ru"}
    assert all(kinds == {True, False} for kinds in by_language.values())


def test_nothing_is_a_refusal_where_no_tool_could_have_helped() -> None:
    assert [case.text for case in _refusals() if refusal(case.text, tools_expected=False)] == []
