"""The emulation inside the pipeline: `fit` writes it, its lift reads it, `Again` goes round."""

import pytest

from majordomo.contract import (
    Capabilities,
    DialectName,
    Event,
    Request,
    Response,
    ToolCall,
    fold,
    named,
    user,
)
from majordomo.fit import Again, fit
from support.action_script import CHAT, HELD, READ_A, TOOLS, events

DIALECTS: tuple[DialectName, ...] = (
    "openai_chat",
    "openai_responses",
    "anthropic",
    "ollama",
    "gemini",
)


def _ask(
    request: Request, capabilities: Capabilities, dialect: DialectName, replies: list[str]
) -> tuple[Response, list[Request]]:
    fitted = fit(request, capabilities, dialect=dialect)
    assert fitted.lift is not None
    asked = [fitted.request]
    told: list[Event] = []
    for reply in replies:
        lift = fitted.lift()
        out = [item for event in events(reply) for item in lift.feed(event)]
        told += [item for item in out if not isinstance(item, Again)]
        asked += [item.request for item in out if isinstance(item, Again)]
    return fold(told), asked


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_refusal_is_asked_again_and_becomes_a_call_in_every_dialect(dialect: DialectName) -> None:
    request = Request(messages=(user("Read a.txt"),), tools=TOOLS)
    replies = ["I cannot read files.", READ_A]
    response, asked = _ask(request, CHAT, dialect, replies)
    assert [type(part) for part in response.parts][-1] is ToolCall
    assert response.finish_reason == "tool_calls"
    assert len(asked) == 2
    assert all(not each.tools for each in asked)
    assert "[Your reply could not be used.]" in asked[1].messages[-1].text


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_forced_call_is_constrained_in_every_dialect(dialect: DialectName) -> None:
    request = Request(messages=(user("go"),), tools=TOOLS, tool_choice=named("Bash"))
    reply = '{"tool":"Bash","parameters":{"command":"ls"}}'
    response, asked = _ask(request, HELD, dialect, [reply])
    assert [call.arguments for call in response.tool_calls] == ['{"command":"ls"}']
    assert asked[0].schema is not None
