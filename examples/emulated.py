"""Give tools to a model that only chats: the contract is in the prompt, the calls in the text."""

from example_model import example_model

import majordomo
from majordomo.agent import Agent, tool


@tool
def multiply(a: int, b: int) -> int:
    """Multiply two whole numbers."""
    return a * b


# What a plain model writes, and what it writes once it has seen the result.
SCRIPT = (
    'Let me see.\n<tool_call>{"name": "multiply", "arguments": {"a": 6, "b": 7}}</tool_call>',
    "Six times seven is 42.",
)


def main() -> None:
    with example_model(*SCRIPT) as model:
        plain = majordomo.emulated(model)
        run = Agent(plain, [multiply]).sync.run("What is six times seven?")
        for message in run.messages:
            for call in message.tool_calls:
                print(f"  {call.name}({call.arguments})")
            for result in message.tool_results:
                print(f"  {result.name} -> {result.text}")
        print(run.text)


if __name__ == "__main__":
    main()
