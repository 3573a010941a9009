"""A toolbox runs calls and never raises: whatever goes wrong, the model is told."""

import asyncio
import contextvars
import json
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from majordomo.agent import Toolbox, ToolError, ToolFunction, tool
from majordomo.contract import (
    Json,
    Text,
    Tool,
    ToolCall,
    ToolResult,
)

pytestmark = pytest.mark.anyio


def call(name: str, arguments: str = "{}", id: str = "c1") -> ToolCall:
    return ToolCall(id=id, name=name, arguments=arguments)


@tool
def weather(city: str, unit: Literal["c", "f"] = "c", days: int = 1) -> str:
    """Say the weather."""
    return f"{city} {unit} {days}"


def test_a_tool_is_still_the_function_it_was() -> None:
    assert weather("Ulm", days=2) == "Ulm c 2"
    assert weather.__doc__ == "Say the weather."
    assert weather.name == "weather"
    assert weather.tool.description == "Say the weather."
    assert repr(weather) == "ToolFunction('weather')"


def test_a_tool_may_be_named_and_described() -> None:
    @tool(name="forecast", description="Look ahead.", strict=True, timeout=5)
    def later(city: str) -> str:
        return city

    assert (later.name, later.tool.description, later.timeout) == ("forecast", "Look ahead.", 5)
    assert later.tool.strict is True
    assert later("Ulm") == "Ulm"


def test_hints_may_name_what_only_the_caller_sees() -> None:
    @dataclass
    class Here:
        x: int

    @tool
    def at(place: "Here") -> int:
        return place.x

    assert "x" in str(at.tool.parameters)


class Counter:
    def __init__(self) -> None:
        self.count = 0

    @tool
    def add(self, by: int) -> int:
        """Add to it."""
        self.count += by
        return self.count


async def test_a_method_knows_its_object() -> None:
    counter = Counter()
    result = await Toolbox(counter.add).execute(call("add", '{"by": 3}'))
    assert result.text == "3"
    assert counter.count == 3
    # JSON of any shape to the checker; here it is known.
    assert list(Toolbox(counter.add).tools[0].parameters["properties"]) == ["by"]  # type: ignore[arg-type]


COERCED = {
    "as they should be": ('{"city": "Ulm", "unit": "f", "days": 2}', "Ulm f 2"),
    "defaults": ('{"city": "Ulm"}', "Ulm c 1"),
    "a number as text": ('{"city": "Ulm", "days": "2"}', "Ulm c 2"),
    "another case": ('{"city": "Ulm", "unit": "F"}', "Ulm f 1"),
    "null for left out": ('{"city": "Ulm", "unit": null}', "Ulm c 1"),
    "a whole float": ('{"city": "Ulm", "days": 2.0}', "Ulm c 2"),
    "what nobody asked for": ('{"city": "Ulm", "mood": "good"}', "Ulm c 1"),
    "JSON in a string": ('"{\\"city\\": \\"Ulm\\"}"', "Ulm c 1"),
    "single quotes": ("{'city': 'Ulm'}", "Ulm c 1"),
    "a trailing comma": ('{"city": "Ulm",}', "Ulm c 1"),
}


@pytest.mark.parametrize(("arguments", "said"), COERCED.values(), ids=COERCED)
async def test_arguments_are_coerced(arguments: str, said: str) -> None:
    result = await Toolbox(weather).execute(call("weather", arguments))
    assert result == ToolResult(id="c1", name="weather", content=(Text(text=said),))


REFUSED = {
    "no such tool": (call("wether"), r"no tool named 'wether'\. Did you mean 'weather'\?"),
    "nothing like it": (call("zzz"), r"no tool named 'zzz'\. The tools are: weather\."),
    "missing": (call("weather"), '"city" is a required property'),
    "empty arguments": (call("weather", ""), '"city" is a required property'),
    "wrong type": (call("weather", '{"city": ["a", "b"]}'), "'city'"),
    "not in the list": (call("weather", '{"city": "Ulm", "unit": "k"}'), "'unit'"),
    "cut off": (call("weather", '{"city": "Ul'), "cannot be read: not valid JSON"),
    "no JSON": (call("weather", "Ulm, please"), "cannot be read: not valid JSON"),
    "no object": (call("weather", "[1, 2]"), "must be one JSON object"),
    "a number": (call("weather", "7"), "must be one JSON object"),
    "endless nesting": (call("weather", "[" * 100_000), "cannot be read"),
}


@pytest.mark.parametrize(("asked", "said"), REFUSED.values(), ids=REFUSED)
async def test_what_cannot_be_run_is_said(asked: ToolCall, said: str) -> None:
    result = await Toolbox(weather).execute(asked)
    assert result.is_error
    assert (result.id, result.name) == ("c1", asked.name)
    with pytest.raises(AssertionError, match=said):
        raise AssertionError(result.text)


async def test_an_empty_toolbox_says_that_it_is() -> None:
    assert "there are none" in (await Toolbox().execute(call("weather"))).text


class Silent(Exception):
    pass


def _divide() -> float:
    return 1 / 0


def _exit() -> None:
    raise SystemExit(2)


def _stop() -> None:
    raise StopIteration("done")


def _silent() -> None:
    raise Silent


def _told() -> None:
    raise ToolError("There is no such city.")


async def _async_divide() -> float:
    return 1 / 0


async def _cancels_itself() -> None:
    task = asyncio.create_task(asyncio.sleep(5))
    task.cancel()
    await task


async def _late_of_its_own() -> None:
    raise TimeoutError("the database did not answer")


RAISED: dict[str, tuple[Callable[..., object], str]] = {
    "an exception": (_divide, "The tool failed: ZeroDivisionError: division by zero"),
    "in a coroutine": (_async_divide, "The tool failed: ZeroDivisionError: division by zero"),
    "without words": (_silent, "The tool failed: Silent"),
    "in the tool's own words": (_told, "There is no such city."),
    "an exit": (_exit, "The tool failed: SystemExit: 2"),
    "what no future carries": (_stop, "The tool failed: RuntimeError: StopIteration: done"),
    "a cancelled task of its own": (_cancels_itself, "The tool failed: CancelledError"),
    "a timeout of its own": (
        _late_of_its_own,
        "The tool failed: TimeoutError: the database did not answer",
    ),
}


@pytest.mark.parametrize(("function", "said"), RAISED.values(), ids=RAISED)
async def test_what_a_tool_raises_is_told_without_a_stack_trace(
    function: Callable[..., object], said: str
) -> None:
    toolbox = Toolbox(ToolFunction(function, Tool(name="it")), timeout=5)
    assert await toolbox.execute(call("it")) == ToolResult(
        id="c1", name="it", content=(Text(text=said),), is_error=True
    )


async def test_a_tool_that_is_late_is_left() -> None:
    never = threading.Event()

    @tool(timeout=0.01)
    def hang() -> None:
        never.wait(5)

    @tool
    async def sleep() -> None:
        await asyncio.sleep(5)

    toolbox = Toolbox(hang, sleep, timeout=0.02)
    results = await toolbox.execute_all([call("hang"), call("sleep")])
    never.set()
    assert [result.text for result in results] == [
        "The tool did not finish within 0.01 s.",
        "The tool did not finish within 0.02 s.",
    ]


async def test_cancellation_passes_through() -> None:
    cancelled = asyncio.Event()

    @tool
    async def sleep() -> None:
        try:
            await asyncio.sleep(5)
        except asyncio.CancelledError:
            cancelled.set()
            raise

    task = asyncio.create_task(Toolbox(sleep).execute(call("sleep")))
    await asyncio.sleep(0.01)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert cancelled.is_set()


async def test_calls_run_side_by_side_up_to_a_limit_and_keep_their_order() -> None:
    now = most = 0

    @tool
    async def work(n: int) -> int:
        nonlocal now, most
        now += 1
        most = max(most, now)
        await asyncio.sleep(0.001 * (5 - n % 5))
        now -= 1
        return n

    calls = [call("work", f'{{"n": {n}}}', id=f"c{n}") for n in range(30)]
    results = await Toolbox(work, parallel=4).execute_all(calls)
    assert [result.id for result in results] == [f"c{n}" for n in range(30)]
    assert [result.text for result in results] == [str(n) for n in range(30)]
    assert most == 4


async def test_synchronous_tools_run_beside_the_loop_in_its_context() -> None:
    who = contextvars.ContextVar("who", default="nobody")
    who.set("Ann")

    @tool
    def ask() -> list[Json]:
        return [who.get(), threading.current_thread() is threading.main_thread()]

    assert (await Toolbox(ask).execute(call("ask"))).text == '["Ann",false]'


async def test_plain_functions_are_tools() -> None:
    def double(n: int) -> int:
        """Double it."""
        return 2 * n

    toolbox = Toolbox(double)
    assert toolbox.tools[0].description == "Double it."
    assert (await toolbox.execute(call("double", '{"n": 4}'))).text == "8"


async def test_what_a_constructor_objects_to_is_told() -> None:
    @dataclass
    class Even:
        n: int

        def __post_init__(self) -> None:
            if self.n % 2:
                raise ValueError(f"{self.n} is odd")

    @tool
    def halve(number: Even) -> int:
        return number.n // 2

    result = await Toolbox(halve).execute(call("halve", '{"number": {"n": 3}}'))
    assert result.is_error
    assert result.text == "The arguments do not fit: number 3 is odd"


async def test_tools_by_hand_and_toolboxes_in_toolboxes() -> None:
    async def search(query: str) -> str:
        return query.upper()

    schema: dict[str, Json] = {
        "type": "object",
        "properties": {"query": {"type": "string"}},
        "required": ["query"],
    }
    by_hand = Tool(name="search", parameters=schema, handler=search)
    bare = Tool(name="ping", handler=lambda: "pong")
    toolbox = Toolbox(Toolbox(weather, by_hand), bare)
    assert [tool.name for tool in toolbox] == ["weather", "search", "ping"]
    assert (len(toolbox), "ping" in toolbox, "pong" in toolbox) == (3, True, False)
    assert (await toolbox.execute(call("search", '{"query": "a"}'))).text == "A"
    assert (await toolbox.execute(call("ping", ""))).text == "pong"
    assert (await toolbox.execute(call("search", "{}"))).is_error


def test_a_name_is_taken_once() -> None:
    with pytest.raises(ValueError, match="two tools named 'weather'"):
        Toolbox(weather, weather)


def test_a_tool_without_a_handler_cannot_be_run() -> None:
    with pytest.raises(ValueError, match="'x' has no handler"):
        Toolbox(Tool(name="x"))


def test_the_synchronous_face() -> None:
    toolbox = Toolbox(weather).sync
    assert toolbox.execute(call("weather", '{"city": "Ulm"}')).text == "Ulm c 1"
    asked = [call("weather", '{"city": "Ulm"}'), call("no")]
    assert [result.is_error for result in toolbox.execute_all(asked)] == [False, True]


odd_json = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["city", "unit", "days", "x"]), inner, max_size=3)
    ),
)


@given(st.text() | odd_json.map(json.dumps))
def test_no_arguments_make_it_raise(arguments: str) -> None:
    result = Toolbox(weather).sync.execute(call("weather", arguments))
    assert result.id == "c1"
    assert result.text
    assert "Traceback" not in result.text
