"""A model that does as it is told when asked again is understood: one syntax, not two."""

import re

import pytest

from majordomo.contract import Request, ToolChoice, user
from support.action_script import READ_A, TOOLS, Turn, action

ASK = user("What is in a.txt?")
FAULTS: dict[str, tuple[str, ToolChoice]] = {
    "a refusal": ("I don't have access to your file system.", ToolChoice()),
    "broken JSON": (action("Read", '{"file_path" } ] "a.txt" {'), ToolChoice()),
    "a block cut short": (READ_A.partition("a.txt")[0], ToolChoice()),
    "a tool that is not there": (action("Launch", '{"rocket": 1}'), ToolChoice()),
    "arguments that will not do": (action("Read", "{}"), ToolChoice()),
    "no call where one is due": ("It says hello.", ToolChoice(mode="required")),
    "another call than the one named": (
        "It says hello.",
        ToolChoice(mode="named", name="Read"),
    ),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_the_form_that_is_shown_is_the_form_that_is_read(fault: str) -> None:
    reply, choice = FAULTS[fault]
    turn = Turn(Request(messages=(ASK,), tools=TOOLS, tool_choice=choice))
    shown: list[str] = []

    def obey(asked: Request) -> str:
        if len(turn.asked) == 1:
            return reply
        block = re.search(r"```json action.*?```", asked.messages[-1].text, re.DOTALL)
        assert block is not None, "no form is shown"
        shown.append(block.group())
        return block.group().replace("…", "a.txt")

    response = turn.run(obey)
    (call,) = response.tool_calls
    assert (call.name, call.arguments) == ("Read", '{"file_path":"a.txt"}')
    assert len(shown) == 1
    assert shown[0] in turn.asked[0].system  # the very form that the prompt taught
    assert "```" not in response.text
