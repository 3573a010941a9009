"""What tools give back, as the parts of a result."""

from dataclasses import dataclass

import msgspec
import pydantic
import pytest

from majordomo.agent import Toolbox, ToolFunction
from majordomo.contract import Document, Image, Part, Text, Tool, ToolCall, ToolResult

pytestmark = pytest.mark.anyio

CALL = ToolCall(id="c1", name="it", arguments="{}")


class River(pydantic.BaseModel):
    name: str


class Peak(msgspec.Struct):
    metres: int


@dataclass
class Point:
    x: int


PNG = Image(data=b"\x89PNG", mime="image/png")
PDF = Document(data=b"%PDF", mime="application/pdf")

GIVEN: dict[str, tuple[object, tuple[Part, ...]]] = {
    "text": ("rain", (Text(text="rain"),)),
    "nothing": (None, (Text(text="null"),)),
    "a number": (3, (Text(text="3"),)),
    "an object": ({"a": [1, None]}, (Text(text='{"a":[1,null]}'),)),
    "a dataclass": (Point(1), (Text(text='{"x":1}'),)),
    "a struct": (Peak(8), (Text(text='{"metres":8}'),)),
    "pydantic": (River(name="Po"), (Text(text='{"name":"Po"}'),)),
    "a list of them": ([River(name="Po")], (Text(text='[{"name":"Po"}]'),)),
    "a set": ({1}, (Text(text="[1]"),)),
    "an image": (PNG, (PNG,)),
    "a document": (PDF, (PDF,)),
    "several parts": (["Look:", PNG, {"w": 1}], (Text(text="Look:"), PNG, Text(text='{"w":1}'))),
    "a result": (ToolResult(id="x", content=(PNG,)), (PNG,)),
    "what has no JSON": (1j, (Text(text='"1j"'),)),
    "an exception as a value": (
        ValueError("odd"),
        (Text(text='"The tool failed: ValueError: odd"'),),
    ),
}


@pytest.mark.parametrize(("value", "content"), GIVEN.values(), ids=GIVEN)
async def test_results_are_encoded(value: object, content: tuple[Part, ...]) -> None:
    toolbox = Toolbox(ToolFunction(lambda: value, Tool(name="it")))
    result = await toolbox.execute(CALL)
    assert result == ToolResult(id="c1", name="it", content=content)


async def test_a_result_may_be_an_error_of_the_tools_own() -> None:
    gave = ToolResult(id="", content=(Text(text="no"),), is_error=True)
    result = await Toolbox(ToolFunction(lambda: gave, Tool(name="it"))).execute(CALL)
    assert result == ToolResult(id="c1", name="it", content=gave.content, is_error=True)
