"""Ask a real model once, then test without it: same answers, no key, a diff if you ask anew."""

from pathlib import Path
from tempfile import TemporaryDirectory

from example_model import example_model

from majordomo.agent import Agent, tool
from majordomo.contract import Response, ToolCall
from majordomo.engine.model import Model
from majordomo.testing import Mismatch, record, scripted


@tool
def stock(item: str) -> int:
    """Say how many of an item there are."""
    return len(item)


ASKS = Response(
    parts=(ToolCall(id="call_1", name="stock", arguments='{"item": "apples"}'),),
    finish_reason="tool_calls",
)


def question(model: Model, words: str) -> str:
    return Agent(model, [stock]).sync.run(words).text


def main() -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "stock.jsonl"
        with example_model(ASKS, "There are 6 apples.") as real:
            print("recorded:", question(record(path)(real), "How many apples are there?"))
            name = real.name

        with record(path) as tape:  # the file is there now, so nobody is asked
            print("replayed:", question(tape(scripted(name=name)), "How many apples are there?"))

        try:
            question(record(path)(scripted(name=name)), "How many pears are there?")
        except Mismatch as difference:
            print(*(line for line in str(difference).splitlines() if "text" in line), sep="\n")


if __name__ == "__main__":
    main()
