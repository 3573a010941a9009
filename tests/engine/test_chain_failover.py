"""A chain answers with whoever can, says who it was, and keeps a record of the others."""

import pytest
from msgspec.structs import replace

from majordomo.contract import (
    Capabilities,
    ContextTooLong,
    Exhausted,
    Image,
    InvalidRequest,
    Overloaded,
    QuotaExhausted,
    Start,
    TextDelta,
    Timeout,
    Unauthorized,
    Unsupported,
    Usage,
    user,
)
from majordomo.dialects.dialect import Ask
from majordomo.fit import fit
from majordomo.testing import Delay, Reset, Stall, Turn
from support.chains import QUICK, Upstream, chained, reply

pytestmark = [pytest.mark.anyio, pytest.mark.usefixtures("pace")]

BUSY = Overloaded("busy", status=503)
PIXEL = Image(data=b"\x89PNG\r\n\x1a\n", mime="image/png")


async def test_a_healthy_primary_serves_alone() -> None:
    async with chained(["Hello!"], []) as rig:
        response = await rig.chain.generate("Hi")
    assert (response.text, response.model) == ("Hello!", "a/x")
    assert [attempt.outcome for attempt in response.attempts] == ["served"]
    assert rig.asked == [1, 0]


async def test_model_usage_and_attempts_tell_what_happened() -> None:
    async with chained([BUSY, BUSY, BUSY], [reply("Hello!", tokens=5)]) as rig:
        response = await rig.chain.generate("Hi")
    assert (response.text, response.model) == ("Hello!", "b/x")
    assert response.usage == Usage(input=3, output=5)
    assert [(a.target, a.outcome, a.status) for a in response.attempts] == [
        ("a/x", "Overloaded", 503),
        ("a/x", "Overloaded", 503),
        ("a/x", "Overloaded", 503),
        ("b/x", "served", 200),
    ]
    assert [a.usage for a in response.attempts[:3]] == [Usage()] * 3
    assert response.attempts[-1].usage == response.usage
    for attempt in response.attempts:
        assert attempt.ended is not None
        assert attempt.ended >= attempt.started
    assert "busy" in response.attempts[0].reason


async def test_when_everyone_fails_the_error_carries_every_attempt() -> None:
    async with chained([Unauthorized("who?", status=401)], [[Reset()]] * 3) as rig:
        with pytest.raises(Exhausted) as error:
            await rig.chain.generate("Hi")
    assert [a.target for a in error.value.attempts] == ["a/x", "b/x", "b/x", "b/x"]
    assert [a.outcome for a in error.value.attempts] == ["Unauthorized", *["Disconnected"] * 3]
    assert "a/x: Unauthorized (who?)" in str(error.value)


async def test_a_callers_error_is_given_back_as_it_is() -> None:
    async with chained([InvalidRequest("temperature is a word", status=400)], []) as rig:
        with pytest.raises(InvalidRequest, match="temperature is a word") as error:
            await rig.chain.generate("Hi")
    assert [a.outcome for a in error.value.attempts] == ["InvalidRequest"]
    assert rig.asked == [1, 0]


async def test_a_target_that_cannot_take_the_request_is_passed_without_penalty() -> None:
    eyes = Upstream(script=["I see."], capabilities=Capabilities())
    async with chained([], eyes) as rig:
        response = await rig.chain.generate(user("What is this?", PIXEL))
        assert rig.book.snapshot(0.0) == ()
    assert response.model == "b/x"
    assert [a.outcome for a in response.attempts] == ["Unsupported", "served"]
    assert rig.asked == [0, 1]


async def test_too_long_a_context_is_not_sent_twice() -> None:
    too_long = ContextTooLong("maximum context length is 8 tokens", status=400)
    async with chained([too_long], ["Hello!"]) as rig:
        response = await rig.chain.generate("Hi")
        assert rig.book.snapshot(0.0) == ()
    assert (response.model, rig.asked) == ("b/x", [1, 1])


def _no_temperature(ask: Ask) -> Turn:
    if ask.request.temperature is not None:
        message = "Unsupported parameter: 'temperature' is not supported with this model."
        return Unsupported(message, status=400, parameter="temperature")
    return "Hello!"


async def test_what_the_target_refuses_is_left_out_once() -> None:
    async with chained(_no_temperature, [], fit=fit) as rig:
        response = await rig.chain.generate("Hi", temperature=0.2)
    assert (response.text, response.model, rig.asked) == ("Hello!", "a/x", [2, 0])
    assert [a.outcome for a in response.attempts] == ["Unsupported", "served"]
    dropped = [note for note in response.notes if note.kind == "dropped"]
    assert dropped
    assert {note.what for note in dropped} == {"temperature"}
    assert {note.target for note in dropped} == {"a/x"}


async def test_what_cannot_be_left_out_goes_to_the_next() -> None:
    blind = Unsupported("this model does not support image input", status=400)
    async with chained([blind], ["Hello!"]) as rig:
        response = await rig.chain.generate("Hi")
    assert (response.model, rig.asked) == ("b/x", [1, 1])


async def test_a_chain_of_one_is_benched_and_then_asked_once_a_request() -> None:
    async with chained([BUSY] * 4) as rig:
        for asked in (3, 4):
            with pytest.raises(Exhausted):
                await rig.chain.generate("Hi")
            assert rig.asked == [asked]


async def test_used_up_credit_is_not_asked_for_again() -> None:
    quota = QuotaExhausted("you exceeded your current quota", status=429, code="insufficient_quota")
    async with chained([quota], ["one", "two"]) as rig:
        for text in ("one", "two"):
            assert (await rig.chain.generate("Hi")).text == text
    assert rig.asked == [1, 2]


async def test_a_slow_primary_gets_company_and_the_loser_is_closed() -> None:
    late = [Delay(30.0), *reply("late")]
    async with chained([late], [reply("quick")], patience=replace(QUICK, first_token=0.05)) as rig:
        response = await rig.chain.generate("Hi")
        await rig.servers[0].disconnected()
    assert (response.text, response.model) == ("quick", "b/x")
    assert [(a.target, a.outcome) for a in response.attempts] == [
        ("a/x", "Timeout"),
        ("b/x", "served"),
    ]


async def test_a_primary_that_speaks_first_after_all_serves() -> None:
    slow = [Delay(0.5), *reply("slow")]
    patience = replace(QUICK, first_token=0.4)
    async with chained([slow], [[Stall()]], patience=patience) as rig:
        response = await rig.chain.generate("Hi")
        await rig.servers[1].disconnected()
        assert rig.book.snapshot(0.0) == ()
    assert response.model == "a/x"
    assert [(a.target, a.outcome) for a in response.attempts] == [
        ("a/x", "served"),
        ("b/x", "Second"),
    ]


async def test_a_third_is_started_when_the_second_fails_beside_a_slow_first() -> None:
    unauthorized = Unauthorized("who?", status=401)
    patience = replace(QUICK, first_token=0.05)
    async with chained([[Stall()]], [unauthorized], ["three"], patience=patience) as rig:
        assert (await rig.chain.generate("Hi")).model == "c/x"
    assert rig.asked == [1, 1, 1]


THINKS = Capabilities(images=None, thinks=True)


async def test_a_target_that_thinks_is_given_the_time_for_it() -> None:
    thinking = Upstream(script=[[Delay(0.3), *reply("after some thought")]], capabilities=THINKS)
    patience = replace(QUICK, first_token=0.05)
    async with chained(thinking, ["at once"], patience=patience) as rig:
        assert (await rig.chain.generate("Hi")).text == "after some thought"
    assert rig.asked == [1, 0]


async def test_a_target_that_was_told_not_to_think_has_no_more_time_than_others() -> None:
    thinking = Upstream(script=[[Delay(5.0), *reply("late")]], capabilities=THINKS)
    patience = replace(QUICK, first_token=0.05)
    async with chained(thinking, ["at once"], patience=patience) as rig:
        response = await rig.chain.generate("Hi", reasoning_effort="none")
    assert response.text == "at once"


async def test_a_target_that_thinks_too_long_gets_company() -> None:
    thinking = Upstream(script=[[Stall()]], capabilities=THINKS)
    patience = replace(QUICK, first_token=0.02, thinking=0.1)
    async with chained(thinking, ["at once"], patience=patience) as rig:
        response = await rig.chain.generate("Hi")
    assert [(a.target, a.outcome) for a in response.attempts] == [
        ("a/x", "Timeout"),
        ("b/x", "served"),
    ]


async def test_thinking_beside_a_slow_primary_is_not_held_against_anybody() -> None:
    slow = [Delay(0.3), *reply("slow")]
    thinking = Upstream(script=[[Stall()]], capabilities=THINKS)
    patience = replace(QUICK, first_token=0.05)
    async with chained([slow], thinking, patience=patience) as rig:
        response = await rig.chain.generate("Hi")
        assert rig.book.snapshot(0.0) == ()
    assert [(a.target, a.outcome) for a in response.attempts] == [
        ("a/x", "served"),
        ("b/x", "Second"),
    ]


async def test_silence_is_tried_once() -> None:
    patience = replace(QUICK, silence=0.1, first_token=None)
    async with chained([[Stall()]], ["Hello!"], patience=patience) as rig:
        response = await rig.chain.generate("Hi")
    assert [a.outcome for a in response.attempts] == ["Timeout", "served"]
    assert rig.asked == [1, 1]


async def test_the_total_deadline_ends_everything() -> None:
    patience = replace(QUICK, total=0.1)
    async with chained([[Stall()]], [[Stall()]], patience=patience) as rig:
        with pytest.raises(Exhausted) as error:
            await rig.chain.generate("Hi")
        await rig.servers[0].disconnected()
    assert isinstance(error.value.last, Timeout)


async def test_the_total_deadline_ends_an_answer_that_has_begun() -> None:
    begun = [Start(model="m"), TextDelta(text="The "), Stall()]
    async with chained([begun], patience=replace(QUICK, total=0.3)) as rig:
        async with rig.chain.stream("Hi") as stream:
            said = [await anext(stream) for _ in range(2)]
            with pytest.raises(Exhausted, match=r"longer than 0\.3 s in all") as error:
                await anext(stream)
        await rig.servers[0].disconnected()
    assert said[1] == TextDelta(text="The ")
    assert [a.outcome for a in error.value.attempts] == ["Timeout"]


async def test_a_chain_says_its_name() -> None:
    async with chained([], []) as rig:
        assert repr(rig.chain) == "Chain('a/x,b/x')"
