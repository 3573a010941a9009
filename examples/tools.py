"""Run the tools a model asks for yourself, one turn at a time."""

from typing import Annotated, Literal

from example_model import example_model

import majordomo
from majordomo.agent import Toolbox, tool
from majordomo.contract import Response, ToolCall, tool_results


@tool
def temperature(
    city: Annotated[str, "where"], unit: Literal["celsius", "fahrenheit"] = "celsius"
) -> dict[str, object]:
    """Say how warm it is in a city right now."""
    return {"city": city, "degrees": 21 if unit == "celsius" else 70, "unit": unit}


ASKS = Response(
    parts=(ToolCall(id="call_1", name="temperature", arguments='{"city": "Lima"}'),),
    finish_reason="tool_calls",
)


def main() -> None:
    toolbox = Toolbox(temperature)
    messages = [majordomo.user("How warm is it in Lima?")]
    with example_model(ASKS, "It is 21 °C in Lima.") as model:
        response = model.sync.generate(messages, tools=toolbox.tools)
        if response.tool_calls:
            results = toolbox.sync.execute_all(response.tool_calls)
            for result in results:
                print(f"  {result.name} -> {result.text}")
            messages += [response.message, tool_results(*results)]
            response = model.sync.generate(messages, tools=toolbox.tools)
        print(response.text)


if __name__ == "__main__":
    main()
