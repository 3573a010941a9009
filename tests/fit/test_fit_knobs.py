"""Knobs mapped to what the target has, or left out and said."""

from typing import cast

import pytest

from majordomo.contract import (
    ALL_KNOBS,
    Capabilities,
    DialectName,
    JsonObject,
    Knob,
    Options,
    Request,
    Tool,
    Unsupported,
    user,
)
from majordomo.fit import Fitted, fit
from majordomo.fit.words import EFFORTS, MAX_TEMPERATURE, WORDLESS

DIALECTS: tuple[DialectName, ...] = (
    "openai_chat",
    "openai_responses",
    "anthropic",
    "ollama",
    "gemini",
)
SET: Options = {
    "temperature": 0.5,
    "top_p": 0.9,
    "top_k": 40,
    "presence_penalty": 0.1,
    "frequency_penalty": 0.2,
    "stop": ("END",),
    "seed": 7,
    "max_tokens": 100,
    "reasoning_effort": "high",
    "show_thinking": True,
    "metadata": {"user_id": "u"},
}


def fitted(
    options: Options, dialect: DialectName = "openai_chat", **capabilities: object
) -> Fitted:
    request = Request(messages=(user("q"),)).with_options(**options)
    # A table's rows name capabilities by keyword.
    return fit(request, Capabilities(**capabilities), dialect=dialect)  # pyright: ignore[reportArgumentType]


@pytest.mark.parametrize("dialect", DIALECTS)
def test_each_knob_is_kept_or_noted_never_just_gone(dialect: DialectName) -> None:
    after = fitted(SET, dialect)
    gone = {name for name in SET if not getattr(after.request, name)}
    assert gone == {note.what for note in after.notes}
    assert gone == WORDLESS[dialect].intersection(SET)
    assert all(f"{dialect} has no word" in note.why for note in after.notes)


@pytest.mark.parametrize("knob", [knob for knob in ALL_KNOBS if knob in SET])
def test_a_knob_the_model_does_not_take_is_dropped_with_a_note(knob: Knob) -> None:
    without = tuple(one for one in ALL_KNOBS if one not in {knob, "reasoning_budget"})
    options = cast("Options", {knob: cast("dict[str, object]", SET)[knob]})
    after = fitted(options, "ollama" if knob == "top_k" else "gemini", knobs=without)
    if knob == "metadata":
        after = fitted(options, "openai_chat", knobs=without)
    assert not getattr(after.request, knob)
    assert [(note.kind, note.what) for note in after.notes] == [("dropped", knob)]
    assert after.notes[0].why == "this model does not take it"


def test_a_request_without_knobs_is_untouched_whatever_the_target_lacks() -> None:
    request = Request(messages=(user("q"),))
    assert fit(request, Capabilities(knobs=()), dialect="openai_chat").request is request


@pytest.mark.parametrize(
    ("asked", "efforts", "dialect", "sent"),
    [
        ("high", ("low", "high"), "openai_chat", "high"),
        ("xhigh", ("low", "medium", "high"), "openai_chat", "high"),
        ("minimal", ("low", "medium", "high"), "openai_chat", "low"),
        ("minimal", ("none", "low", "high"), "openai_chat", "low"),
        ("none", ("low", "high"), "openai_chat", "low"),
        ("medium", ("low", "high"), "openai_chat", "high"),
        ("medium", ("none",), "openai_chat", "none"),
        ("medium", (), "openai_chat", None),
        ("medium", ("default",), "openai_chat", None),
        ("xhigh", ("none", "minimal", "low", "medium", "high", "xhigh", "max"), "ollama", "max"),
        ("minimal", ("none", "minimal", "low", "medium", "high"), "anthropic", "low"),
        ("max", ("low", "medium", "high", "max"), "gemini", "high"),
    ],
)
def test_effort_goes_to_the_nearest_word(
    asked: str, efforts: tuple[str, ...], dialect: DialectName, sent: str | None
) -> None:
    after = fitted(cast("Options", {"reasoning_effort": asked}), dialect, efforts=efforts)
    assert after.request.reasoning_effort == sent
    assert bool(after.notes) == (asked != sent)


@pytest.mark.parametrize(
    ("options", "dialect", "knobs", "effort", "budget"),
    [
        ({"reasoning_budget": 2000}, "openai_chat", ALL_KNOBS, "low", None),
        ({"reasoning_budget": 0}, "openai_chat", ALL_KNOBS, "none", None),
        ({"reasoning_budget": 100}, "openai_chat", ALL_KNOBS, "minimal", None),
        ({"reasoning_budget": 100_000}, "openai_responses", ALL_KNOBS, "max", None),
        ({"reasoning_budget": 9000}, "ollama", ALL_KNOBS, "medium", None),
        ({"reasoning_budget": -1}, "ollama", ALL_KNOBS, None, -1),
        ({"reasoning_budget": -1}, "openai_chat", ALL_KNOBS, None, None),
        ({"reasoning_budget": 9000}, "anthropic", ALL_KNOBS, None, 9000),
        ({"reasoning_effort": "medium"}, "gemini", ("reasoning_budget",), None, 8192),
        ({"reasoning_effort": "none"}, "anthropic", ("reasoning_budget",), None, 0),
        ({"reasoning_budget": 2000}, "gemini", ("reasoning_effort",), "low", None),
        ({"reasoning_budget": 2000, "reasoning_effort": "high"}, "openai_chat", ALL_KNOBS,
         "high", None),
    ],
)  # fmt: skip
def test_effort_and_budget_stand_for_each_other(
    options: Options,
    dialect: DialectName,
    knobs: tuple[Knob, ...],
    effort: str | None,
    budget: int | None,
) -> None:
    after = fitted(options, dialect, knobs=knobs)
    assert (after.request.reasoning_effort, after.request.reasoning_budget) == (effort, budget)
    assert bool(after.notes) == ((options != {"reasoning_effort": effort} and budget is None)
                                 or "reasoning_effort" in options)  # fmt: skip


@pytest.mark.parametrize(
    ("options", "dialect", "capabilities", "field", "sent"),
    [
        ({"max_tokens": 9000}, "openai_chat", {"max_output": 4096}, "max_tokens", 4096),
        ({"temperature": 1.5}, "anthropic", {}, "temperature", 1.0),
        ({"stop": ("1", "2", "3", "4", "5")}, "openai_chat", {}, "stop", ("1", "2", "3", "4")),
        ({"stop": tuple("123456")}, "gemini", {}, "stop", tuple("12345")),
        ({"metadata": {"user_id": "u", "x": "y"}}, "anthropic", {}, "metadata", {"user_id": "u"}),
    ],
)
def test_what_is_too_much_is_cut_to_what_the_target_takes(
    options: Options,
    dialect: DialectName,
    capabilities: dict[str, object],
    field: str,
    sent: object,
) -> None:
    after = fitted(options, dialect, **capabilities)
    assert getattr(after.request, field) == sent
    assert [(note.kind, note.what) for note in after.notes] == [("downgraded", field)]


def test_asking_not_to_be_shown_what_cannot_be_shown_is_no_loss() -> None:
    after = fitted({"show_thinking": False}, "openai_chat")
    assert after.request.show_thinking is None
    assert after.notes == ()


def test_fields_of_other_dialects_are_withheld_each_by_name() -> None:
    extra: dict[str, JsonObject] = {
        "anthropic": {"context_management": {}, "container": "c"},
        "*": {"a": 1},
    }
    after = fitted({"extra": extra}, "gemini")
    assert after.request.extra == {"*": {"a": 1}}
    assert [note.what for note in after.notes] == ["context_management", "container"]
    assert fitted({"extra": extra}, "anthropic").notes == ()


@pytest.mark.parametrize(
    ("options", "capabilities", "sent"),
    [
        ({"temperature": 0.5, "reasoning_effort": "high"}, {}, 0.5),
        ({"temperature": 0.5, "reasoning_effort": "high"}, {"sampling_with_thinking": False}, None),
        ({"temperature": 0.5, "reasoning_effort": "none"}, {"sampling_with_thinking": False}, 0.5),
        ({"temperature": 0.5}, {"sampling_with_thinking": False}, 0.5),
        ({"temperature": 0.5}, {"sampling_with_thinking": False, "thinks": True}, None),
    ],
)
def test_sampling_is_dropped_while_it_thinks_where_that_is_refused(
    options: Options, capabilities: dict[str, object], sent: float | None
) -> None:
    after = fitted(options, "openai_chat", **capabilities)
    assert after.request.temperature == sent
    assert [note.what for note in after.notes] == ([] if sent else ["temperature"])


def test_a_model_that_takes_no_tools_while_it_thinks_is_stopped_from_thinking() -> None:
    tools = (Tool(name="f"),)
    after = fitted({"tools": tools}, thinks=True, tools_with_thinking=False)
    assert after.request.reasoning_effort == "none"
    assert [note.kind for note in after.notes] == ["downgraded"]
    assert fitted({"tools": tools}, tools_with_thinking=False).request.reasoning_effort is None
    with pytest.raises(Unsupported, match="and it always does"):
        fitted({"tools": tools}, thinks=True, tools_with_thinking=False, efforts=("low",))


def test_strict_refuses_instead() -> None:
    request = Request(messages=(user("q"),), seed=1)
    with pytest.raises(Unsupported, match="seed would be dropped: anthropic has no word for it"):
        fit(request, Capabilities(), dialect="anthropic", strict=True)


def test_every_dialect_has_its_row() -> None:
    for table in (WORDLESS, EFFORTS, MAX_TEMPERATURE):
        assert set(table) == set(DIALECTS)
