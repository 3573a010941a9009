"""An answer that breaks off is completed: never a word twice, never one lost, never in silence."""

import pytest
from msgspec.structs import replace

from majordomo.contract import (
    Capabilities,
    Event,
    Exhausted,
    Failure,
    Finish,
    InvalidRequest,
    Overloaded,
    PartDone,
    Start,
    TextDelta,
    ThinkingDelta,
    ToolCall,
)
from majordomo.dialects.dialect import Ask
from majordomo.engine.chain import Chain
from majordomo.fit import fit
from majordomo.testing import Cut, Delay, Item, Stall, Turn
from support.chains import PREFILL, QUICK, Upstream, chained, reply

pytestmark = [pytest.mark.anyio, pytest.mark.usefixtures("pace")]

WORDS = ("The ", "quick ", "brown ", "fox ", "jumps ", "over ", "the ", "lazy ", "dog.")
TEXT = "".join(WORDS)
PAUSE = Delay(0.03)  # so that what was said before does not arrive in one read with the cut
CALL = PartDone(part=ToolCall(id="call_1", name="look", arguments='{"at":1}'))


def cut_after(count: int) -> list[Item]:
    return [Start(model="m"), *(TextDelta(text=w) for w in WORDS[:count]), PAUSE, Cut()]


async def said(chain: Chain) -> tuple[list[Event], Failure | None]:
    events: list[Event] = []
    try:
        async for event in chain.stream("Go"):
            events.append(event)  # noqa: PERF401 -- what came before a failure is wanted too
    except Failure as failure:
        return events, failure
    return events, None


def text_of(events: list[Event]) -> str:
    return "".join(event.text for event in events if isinstance(event, TextDelta))


async def test_the_fallback_says_only_the_rest() -> None:
    async with chained([cut_after(4)], [reply(*WORDS)]) as rig:
        events, failure = await said(rig.chain)
    assert failure is None
    assert text_of(events) == TEXT
    assert sum(isinstance(event, Start) for event in events) == 1
    assert sum(isinstance(event, Finish) for event in events) == 1


async def test_the_response_is_whole_and_names_who_finished_it() -> None:
    async with chained([cut_after(4)], [reply(*WORDS, tokens=9)]) as rig:
        response = await rig.chain.generate("Go")
    assert (response.text, response.model, response.usage.output) == (TEXT, "b/x", 9)
    assert [(a.target, a.outcome) for a in response.attempts] == [
        ("a/x", "Disconnected"),
        ("b/x", "served"),
    ]


async def test_the_same_target_is_asked_again_when_it_is_the_only_one() -> None:
    async with chained([cut_after(4), reply(*WORDS)]) as rig:
        assert (await rig.chain.generate("Go")).text == TEXT


async def test_a_stream_that_stalls_is_one_that_was_cut() -> None:
    stalls = [Start(model="m"), *(TextDelta(text=w) for w in WORDS[:4]), Stall()]
    patience = replace(QUICK, idle=0.1)
    async with chained([stalls], [reply(*WORDS)], patience=patience) as rig:
        response = await rig.chain.generate("Go")
    assert response.text == TEXT
    assert response.attempts[0].outcome == "Timeout"


async def test_a_silent_fallback_gets_company_too() -> None:
    patience = replace(QUICK, first_token=0.2)
    async with chained([cut_after(4), reply(*WORDS)], [[Stall()]], patience=patience) as rig:
        response = await rig.chain.generate("Go")
        await rig.servers[1].disconnected()
    assert (response.text, response.model) == (TEXT, "a/x")
    assert [a.outcome for a in response.attempts] == ["Disconnected", "Timeout", "served"]


async def test_an_answer_may_be_cut_more_than_once() -> None:
    async with chained([cut_after(3), reply(*WORDS)], [cut_after(6)]) as rig:
        assert (await rig.chain.generate("Go")).text == TEXT
    assert rig.asked == [2, 1]


def _other_words(ask: Ask) -> Turn:
    if ask.request.messages[-1].role == "assistant":
        return reply(*WORDS[4:])
    return reply("A ", "different ", "answer.")


async def test_a_target_with_another_answer_is_asked_to_go_on_if_it_takes_that() -> None:
    goes_on = Upstream(script=_other_words, capabilities=PREFILL)
    async with chained([cut_after(4)], goes_on, fit=fit) as rig:
        response = await rig.chain.generate("Go")
    last = rig.servers[1].requests[-1].ask
    assert last is not None
    assert last.request.messages[-1].text == "The quick brown fox"
    assert response.text == TEXT
    assert [a.outcome for a in response.attempts] == ["Disconnected", "Mismatched", "served"]


async def test_no_prefill_is_sent_to_a_target_that_refuses_it() -> None:
    async with chained([cut_after(4)] * 3, [reply("A ", "different ", "answer.")]) as rig:
        events, failure = await said(rig.chain)
    assert all(
        seen.ask is not None and seen.ask.request.messages[-1].role == "user"
        for server in rig.servers
        for seen in server.requests
    )
    assert isinstance(failure, Exhausted)
    assert text_of(events) == "".join(WORDS[:4])


async def test_a_refused_continuation_never_surfaces() -> None:
    def refuses(ask: Ask) -> Turn:
        if ask.request.messages[-1].role == "assistant":
            return InvalidRequest("no prefill", status=400)
        return reply("A ", "different ", "answer.")

    refusing = Upstream(script=refuses, capabilities=PREFILL)
    async with chained([cut_after(4), reply(*WORDS)], refusing) as rig:
        response = await rig.chain.generate("Go")
    assert (response.text, response.model) == (TEXT, "a/x")


async def test_what_cannot_be_completed_ends_in_the_error_that_broke_it() -> None:
    async with chained([cut_after(4), *[Overloaded("busy", status=503)] * 3]) as rig:
        events, failure = await said(rig.chain)
    assert text_of(events) == "".join(WORDS[:4])
    assert isinstance(failure, Exhausted)
    assert failure.last is not None
    assert type(failure.last).__name__ == "Disconnected"
    assert [a.outcome for a in failure.attempts] == ["Disconnected", *["Overloaded"] * 3]


async def test_a_call_that_was_open_starts_cleanly() -> None:
    opening = [Start(model="m"), TextDelta(text="Let me look."), PAUSE, Cut()]
    whole = [
        Start(model="m"),
        TextDelta(text="Let me look."),
        CALL,
        Finish(reason="tool_calls"),
    ]
    async with chained([opening], [whole]) as rig:
        response = await rig.chain.generate("Go")
    assert response.text == "Let me look."
    assert [call.name for call in response.tool_calls] == ["look"]


async def test_after_a_whole_call_nobody_else_takes_over() -> None:
    called = [Start(model="m"), CALL, PAUSE, Cut()]
    tools = Upstream(script=[called], capabilities=Capabilities(), dialect="ollama")
    async with chained(tools, [reply(*WORDS)]) as rig:
        events, failure = await said(rig.chain)
    assert isinstance(failure, Exhausted)
    assert sum(isinstance(event, PartDone) for event in events) == 1
    assert rig.asked == [1, 0]


async def test_thinking_is_not_thought_twice() -> None:
    thinks = [Start(model="m"), ThinkingDelta(text="Hm."), TextDelta(text=WORDS[0]), PAUSE, Cut()]
    again = [Start(model="m"), ThinkingDelta(text="Well."), *reply(*WORDS)[1:]]
    ollama = [Upstream(script=[turn], dialect="ollama") for turn in (thinks, again)]
    async with chained(*ollama) as rig:
        response = await rig.chain.generate("Go")
    assert (response.thinking, response.text) == ("Hm.", TEXT)


async def test_before_anything_was_sent_a_cut_is_a_failure_like_any_other() -> None:
    async with chained([[Start(model="m"), PAUSE, Cut()]] * 3, ["Hello!"]) as rig:
        response = await rig.chain.generate("Go")
    assert response.text == "Hello!"
    assert rig.asked == [3, 1]
