"""Twenty turns with models that misbehave in each way we know: the loop stays stable."""

from collections.abc import Callable

import pytest

from majordomo.contract import (
    Message,
    ProtocolBroken,
    Request,
    Response,
    ToolResult,
    tool_results,
    user,
)
from support.action_script import READ_A, TOOLS, Turn, action

_TURNS = 20


def _good(step: int) -> str:
    return action("Read", f'{{"file_path": "file{step}.txt"}}')


# What the model says first in a turn, and what it says when asked again.
BEHAVIOURS: dict[str, tuple[Callable[[int], str], Callable[[int], str]]] = {
    "obeys": (_good, _good),
    "refuses first": (lambda _: "I can't access files on your computer.", _good),
    "only announces": (lambda _: "Let me read the file.", _good),
    "breaks the JSON": (lambda _: action("Read", '{"file_path": }'), _good),
    "is cut off": (lambda s: _good(s)[:40], _good),
    "names a tool that is not there": (lambda s: _good(s).replace("Read", "Frobnicate"), _good),
    "forgets an argument": (lambda _: action("Read", "{}"), _good),
    "mistypes an argument": (lambda s: action("Read", f'{{"file_path": {s}}}'), _good),
    "invents the result": (lambda s: _good(s) + "\nObservation: done\n" + _good(s + 1), _good),
    "repeats itself": (lambda _: READ_A + "\n" + READ_A, _good),
    "talks after the call": (lambda s: _good(s) + "\nI will wait for the result.", _good),
    "uses another dialect": (
        lambda s: f'<tool_call>{{"name":"Read","arguments":{{"file_path":"f{s}"}}}}</tool_call>',
        _good,
    ),
    "thinks aloud about calls": (lambda s: f"<think>\n{READ_A}\n</think>\n{_good(s)}", _good),
    "blames the environment": (lambda _: "In this environment I cannot read files.", _good),
}


@pytest.mark.parametrize(("first", "then"), BEHAVIOURS.values(), ids=BEHAVIOURS.keys())
def test_twenty_turns_stay_stable(first: Callable[[int], str], then: Callable[[int], str]) -> None:
    messages: tuple[Message, ...] = (user("Read all the files, one by one."),)
    seen: set[str] = set()
    for step in range(_TURNS):
        turn = Turn(Request(messages=messages, tools=TOOLS))
        response = turn.run(_script(first(step), then(step)))
        assert response.tool_calls, step
        assert response.finish_reason == "tool_calls"
        said = response.text.rpartition("</think>")[2]  # what it thought is told as it was
        assert "```" not in said
        assert "<tool_call>" not in said
        assert len(turn.reasons) <= 1
        ids = [call.id for call in response.tool_calls]
        assert not seen.intersection(ids)
        seen.update(ids)
        messages = (*messages, response.message, _results(response))
    last = Turn(Request(messages=messages, tools=TOOLS))
    answer = last.run(["All files are read. They say hello."])
    assert (answer.text, answer.tool_calls) == ("All files are read. They say hello.", ())
    assert last.reasons == []
    assert "[Reminder:" in last.asked[0].messages[-1].text


@pytest.mark.parametrize("stubborn", [name for name in BEHAVIOURS if name.startswith(("b", "is"))])
def test_a_model_that_never_learns_ends_honestly(stubborn: str) -> None:
    first, _ = BEHAVIOURS[stubborn]
    turn = Turn(Request(messages=(user("Read it."),), tools=TOOLS))
    try:
        response = turn.run([first(0)] * 9)
    except ProtocolBroken:
        assert not turn.told[1:]
    else:
        assert "```" not in response.text
        assert response.tool_calls == ()
    assert len(turn.asked) == 3


def test_text_that_was_sent_is_followed_by_what_went_wrong() -> None:
    turn = Turn(Request(messages=(user("Read it."),), tools=TOOLS))
    response = turn.run(["I'll read it.\n\n" + READ_A[:40]] * 9)
    assert response.text.startswith("I'll read it.\n\n")
    assert "the call could not be carried out" in response.text
    assert "file_path" not in response.text


def test_a_second_try_that_explains_instead_is_given_as_text() -> None:
    turn = Turn(Request(messages=(user("Read it."),), tools=TOOLS))
    replies = ["I can't access files.", "No tool here can read your thoughts, sorry."]
    response = turn.run([*replies, replies[1]])
    assert response.text.endswith(replies[1])


def _script(first: str, then: str) -> Callable[[Request], str]:
    replies = [first]
    return lambda _: replies.pop() if replies else then


def _results(response: Response) -> Message:
    return tool_results(
        *(ToolResult(id=call.id, content=user("hello").parts) for call in response.tool_calls)
    )
