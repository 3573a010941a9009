"""Let an agent work on its own: tools, limits, an approval before what cannot be undone."""

import asyncio

from example_model import example_model

from majordomo.agent import (
    Agent,
    CallFinished,
    CallStarted,
    Limits,
    RunDone,
    dump_history,
    load_history,
    tool,
)
from majordomo.contract import Response, TextDelta, ToolCall

NOTES = {"shopping": "milk, bread", "old": "buy stamps"}


@tool
def list_notes() -> list[str]:
    """List the names of all notes."""
    return sorted(NOTES)


@tool
async def read_note(name: str) -> str:
    """Read one note."""
    return NOTES[name]


@tool
def delete_note(name: str) -> str:
    """Delete a note for ever."""
    return f"{name} deleted: {NOTES.pop(name)}"


def approve(call: ToolCall) -> bool | str:
    return "Nothing is deleted in an example." if call.name == "delete_note" else True


def asks(name: str, arguments: str = "{}") -> Response:
    call = ToolCall(id=f"call_{name}", name=name, arguments=arguments)
    return Response(parts=(call,), finish_reason="tool_calls")


SCRIPT = (
    asks("list_notes"),
    asks("read_note", '{"name": "shopping"}'),
    asks("delete_note", '{"name": "old"}'),
    "You need milk and bread. I may not delete the old note.",
    "Bread comes after milk.",
)


async def main() -> None:
    with example_model(*SCRIPT) as model:
        agent = Agent(
            model,
            [list_notes, read_note, delete_note],
            system="You look after the user's notes.",
            limits=Limits(steps=10, seconds=120),
            approve=approve,
        )
        history = ""
        async for event in agent.stream("What do I need to buy? Then delete the old note."):
            match event:
                case TextDelta(text=text):
                    print(text, end="")
                case CallStarted(call=call):
                    print(f"  {call.name}({call.arguments})")
                case CallFinished(call=call, result=result):
                    print(f"  {call.name} -> {result.text}")
                case RunDone(run=run):
                    print(f"\n  ({run.ending} after {run.steps} steps)")
                    history = dump_history(run.messages)
                case _:
                    pass

        # A history is JSON: keep it, and go on another day.
        later = await agent.run("And what comes after milk?", history=load_history(history))
        print(later.text)


if __name__ == "__main__":
    asyncio.run(main())
