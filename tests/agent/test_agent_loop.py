"""The loop: what it asks, what it tells, where it ends."""

import asyncio

import pytest

from majordomo.agent import (
    Agent,
    AgentEvent,
    CallFinished,
    CallStarted,
    Limits,
    RunDone,
    Toolbox,
    TurnDone,
    after_call,
    after_words,
    dump_history,
    load_history,
    tool,
)
from majordomo.agent.approval import Approve
from majordomo.contract import (
    REQUIRED,
    Image,
    Malformed,
    Message,
    RateLimited,
    Request,
    Response,
    Text,
    TextDelta,
    Thinking,
    ThinkingDelta,
    ToolCall,
    Usage,
    assistant,
    tool_results,
    user,
)
from majordomo.testing import scripted
from support.agent_turns import ADD, add, calls, echo

pytestmark = pytest.mark.anyio


async def test_it_calls_and_answers() -> None:
    model = scripted(calls(ADD), "It is 3.")
    run = await Agent(model, [add], system="Be brief.").run("What is 1 + 2?")
    assert (run.ending, run.text, run.steps) == ("answered", "It is 3.", 2)
    assert [message.role for message in run.messages] == ["user", "assistant", "tool", "assistant"]
    assert run.messages[2].tool_results[0].text == "3"
    first, second = model.requests
    assert first.system == second.system == "Be brief."
    assert [offered.name for offered in first.tools] == ["add"]
    assert second.messages == run.messages[:3]


async def test_events_tell_everything_in_order() -> None:
    thought = Response(
        parts=(Thinking(text="Hm."), Text(text="Let me see."), *calls(ADD, ADD).parts),
        finish_reason="tool_calls",
    )
    events = [event async for event in Agent(scripted(thought, "3."), [add]).stream("1 + 2?")]
    told: list[object] = [
        (type(event).__name__, event.text)
        if isinstance(event, TextDelta | ThinkingDelta)
        else type(event)
        for event in events
    ]
    assert told == [
        ("ThinkingDelta", "Hm."),
        ("TextDelta", "Let me see."),
        TurnDone,
        CallStarted,
        CallStarted,
        CallFinished,
        CallFinished,
        ("TextDelta", "3."),
        TurnDone,
        RunDone,
    ]
    last = events[-1]
    assert isinstance(last, RunDone)
    assert last.run.text == "3."


async def test_results_stand_in_the_order_of_the_calls() -> None:
    @tool
    async def wait(ms: int) -> int:
        await asyncio.sleep(ms / 1000)
        return ms

    model = scripted(calls(("wait", '{"ms": 30}'), ("wait", '{"ms": 1}')), "done")
    stream = Agent(model, [wait]).stream("go")
    finished = [event.result.text async for event in stream if isinstance(event, CallFinished)]
    assert finished == ["1", "30"]
    assert [result.text for result in stream.messages[2].tool_results] == ["30", "1"]


async def test_a_history_goes_in_and_out_as_json() -> None:
    first = await Agent(scripted(calls(ADD), "3."), [add]).run("1 + 2?")
    kept = load_history(dump_history(first.messages))
    assert kept == first.messages
    model = scripted("Still 3.")
    again = await Agent(model, [add]).run("Are you sure?", history=kept)
    assert again.messages == (*first.messages, user("Are you sure?"), assistant("Still 3."))


def test_pictures_survive_json() -> None:
    message = user("Look", Image(data=bytes(range(256)), mime="image/png"))
    assert load_history(dump_history([message])) == (message,)


@pytest.mark.parametrize("text", ["", "{}", '[{"role": "king"}]', "[" * 100_000, "[1]"])
def test_what_is_no_history_is_malformed(text: str) -> None:
    with pytest.raises(Malformed, match="history "):
        load_history(text)


async def test_a_run_that_was_out_of_steps_goes_on_where_it_was() -> None:
    limited = await Agent(scripted(calls(ADD)), [add], limits=Limits(steps=1)).run("1 + 2?")
    assert limited.ending == "steps"
    assert [call.name for call in limited.pending] == ["add"]
    resumed = await Agent(scripted("3."), [add]).run(history=limited.messages)
    assert resumed.text == "3."
    assert resumed.messages[2].tool_results[0].text == "3"


async def test_calls_that_were_never_run_are_answered_before_something_new() -> None:
    history = (user("1 + 2?"), calls(ADD).message)
    model = scripted("Fine.")
    await Agent(model, [add]).run("Never mind.", history=history)
    asked = model.requests[0].messages
    assert [message.role for message in asked] == ["user", "assistant", "tool", "user"]
    assert asked[2].tool_results[0].is_error


ENDINGS: dict[str, tuple[Limits, int, str]] = {
    "steps": (Limits(steps=3), 3, "steps"),
    "tokens": (Limits(tokens=25), 3, "tokens"),
    "tokens, first": (Limits(tokens=5, steps=1), 1, "tokens"),
}


@pytest.mark.parametrize(("limits", "steps", "ending"), ENDINGS.values(), ids=ENDINGS)
async def test_budgets(limits: Limits, steps: int, ending: str) -> None:
    count = 0

    def endless(_: Request) -> Response:
        nonlocal count
        count += 1
        return calls(("echo", f'{{"text": "{count}"}}'), usage=10)

    run = await Agent(scripted(endless), [echo], limits=limits).run("Go on.")
    assert (run.ending, run.steps) == (ending, steps)
    assert run.usage == Usage(input=10 * steps)


async def test_tokens_are_estimated_where_nobody_counts() -> None:
    words = "word " * 400
    model = scripted(lambda _: calls(("echo", '{"text": "x"}'), text=words))
    run = await Agent(model, [echo], limits=Limits(tokens=500)).run("Go on.")
    assert run.ending == "tokens"
    assert not run.usage.known


async def test_out_of_time_while_a_tool_runs() -> None:
    cancelled = asyncio.Event()

    @tool
    async def slow() -> None:
        try:
            await asyncio.sleep(5)
        except asyncio.CancelledError:
            cancelled.set()
            raise

    model = scripted(calls(ADD, ("slow", "{}")))
    run = await Agent(model, [add, slow], limits=Limits(seconds=0.05)).run("Go.")
    assert run.ending == "time"
    done, late = run.messages[-1].tool_results
    assert done.text == "3"
    assert "the time for this run was over" in late.text
    await asyncio.wait_for(cancelled.wait(), 1)


async def test_out_of_time_before_the_model_answers() -> None:
    run = await Agent(scripted("never"), limits=Limits(seconds=0.0)).run("Go.")
    assert (run.ending, run.text, run.messages) == ("time", "", (user("Go."),))


async def test_conditions_of_the_callers_own() -> None:
    model = scripted(calls(("echo", "{}")), calls(ADD), "never asked")
    run = await Agent(model, [add, echo], until=after_call("add", "echo")).run("Go.")
    assert (run.ending, run.steps) == ("stopped", 2)  # the first call failed
    words = await Agent(scripted("All DONE here."), until=after_words("DONE")).run("Go.")
    assert words.ending == "stopped"


VERDICTS: dict[str, tuple[Approve, str, bool]] = {
    "yes": (lambda _: True, "3", False),
    "no": (lambda _: False, "This call was not allowed.", True),
    "why not": (lambda _: "Too dear.", "This call was not allowed. Too dear.", True),
    "another call": (
        lambda call: ToolCall(id="x", name=call.name, arguments='{"a": 5, "b": 5}'),
        "10",
        False,
    ),
}


@pytest.mark.parametrize(("approve", "said", "is_error"), VERDICTS.values(), ids=VERDICTS)
async def test_approval(approve: Approve, said: str, is_error: bool) -> None:  # noqa: FBT001 -- a column
    async def later(call: ToolCall) -> bool | str | ToolCall:
        verdict = approve(call)
        assert isinstance(verdict, bool | str | ToolCall)
        return verdict

    for hook in (approve, later):
        run = await Agent(scripted(calls(ADD), "ok"), [add], approve=hook).run("Go.")
        (result,) = run.messages[2].tool_results
        assert (result.id, result.text, result.is_error) == ("call_0", said, is_error)


async def test_a_broken_approval_lets_nothing_run() -> None:
    ran: list[str] = []

    @tool
    def act() -> None:
        ran.append("act")

    def broken(_: ToolCall) -> bool:
        raise KeyError("who")

    with pytest.raises(KeyError):
        await Agent(scripted(calls(("act", "{}"))), [act], approve=broken).run("Go.")
    assert ran == []


async def test_polling_is_no_repetition() -> None:
    states = iter(["waiting", "waiting", "waiting", "half", "half", "done"])

    @tool
    def status() -> str:
        return next(states)

    turns = [calls(("status", "{}"))] * 6
    run = await Agent(scripted(*turns, "Done."), [status], limits=Limits(repeats=4)).run("Wait.")
    assert (run.ending, run.steps) == ("answered", 7)


async def test_a_repeated_call_is_refused_and_the_model_may_still_answer() -> None:
    turns = [calls(("echo", '{"text": "x"}')), calls(("echo", '{ "text":"x" }')), calls(ADD)]
    model = scripted(*turns[:2], turns[0], "Fine.")
    run = await Agent(model, [echo, add], limits=Limits(repeats=2)).run("Go.")
    assert run.ending == "answered"
    assert "made 2 times with the same result" in run.messages[-2].tool_results[0].text


async def test_a_failure_is_raised_and_the_history_kept() -> None:
    stream = Agent(scripted(calls(ADD), RateLimited("slow down")), [add]).stream("Go.")
    with pytest.raises(RateLimited):
        await stream.result()
    assert [message.role for message in stream.messages] == ["user", "assistant", "tool"]
    run = await Agent(scripted("3."), [add]).run(history=stream.messages)
    assert run.text == "3."


async def test_a_forced_call_is_forced_once() -> None:
    model = scripted(calls(ADD), "3.")
    await Agent(model, [add], options={"tool_choice": REQUIRED, "temperature": 0.0}).run("Go.")
    assert [request.tool_choice.mode for request in model.requests] == ["required", "auto"]
    assert [request.temperature for request in model.requests] == [0.0, 0.0]


async def test_a_paused_turn_goes_on() -> None:
    paused = Response(parts=(Text(text="Searching …"),), finish_reason="pause")
    run = await Agent(scripted(paused, "Found.")).run("Search.")
    assert (run.text, run.steps) == ("Found.", 2)


async def test_leaving_the_loop_cancels_the_tools() -> None:
    cancelled = asyncio.Event()

    @tool
    async def slow() -> None:
        try:
            await asyncio.sleep(5)
        except asyncio.CancelledError:
            cancelled.set()
            raise

    stream = Agent(scripted(calls(("slow", "{}"))), [slow]).stream("Go.")
    async for event in stream:
        if isinstance(event, CallStarted):
            await asyncio.sleep(0.01)
            break
    await asyncio.wait_for(cancelled.wait(), 1)
    with pytest.raises(RuntimeError, match="left before its end"):
        await stream.result()


async def test_agents_share_a_model_and_run_side_by_side() -> None:
    def answer(request: Request) -> Response | str:
        if request.messages[-1].role == "tool":
            return f"{request.system}: {request.messages[-1].tool_results[0].text}"
        return calls(("echo", f'{{"text": "{request.messages[-1].text}"}}'))

    model = scripted(answer)
    one, two = (Agent(model, Toolbox(echo), system=name) for name in ("one", "two"))
    runs = await asyncio.gather(*(agent.run(f"n{n}") for n in range(5) for agent in (one, two)))
    assert {run.text for run in runs} == {
        f"{who}: n{n}" for n in range(5) for who in ("one", "two")
    }


async def test_an_agent_is_a_tool_of_another() -> None:
    helper = Agent(scripted(calls(ADD), "It is 3."), [add])
    task = calls(("reckon", '{"task": "1 + 2"}'))
    run = await Agent(scripted(task, "3!"), [helper.as_tool("reckon", "Reckons.")]).run("Go.")
    assert run.messages[2].tool_results[0].text == "It is 3."


def test_the_synchronous_face() -> None:
    agent = Agent(scripted(calls(ADD), "3.", calls(ADD), "3!"), [add]).sync
    assert agent.run("1 + 2?").text == "3."
    events: list[AgentEvent] = list(agent.stream("And again?"))
    assert isinstance(events[-1], RunDone)
    assert events[-1].run.text == "3!"
    with Agent(scripted("Hi")).sync.stream("Hi") as stream:
        assert stream.result().text == "Hi"
        assert [message.role for message in stream.messages] == ["user", "assistant"]


async def test_a_prompt_may_be_anything_generate_takes() -> None:
    prompts: list[str | Message | list[Message] | Request] = [
        "Hi",
        user("Hi"),
        [user("Hi")],
        Request(messages=(user("Hi"),), system="Be brief."),
        [user("Hi"), tool_results()],
    ]
    for prompt in prompts:
        assert (await Agent(scripted("Hello"), [add]).run(prompt)).text == "Hello"
