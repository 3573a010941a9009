"""Turns of a scripted model, and tools for it to call."""

from majordomo.agent import tool
from majordomo.contract import Part, Response, Text, ToolCall, Usage


def calls(*asked: tuple[str, str], text: str = "", usage: int = 0) -> Response:
    """Give a turn that calls tools: (name, arguments) each."""
    words: tuple[Part, ...] = (Text(text=text),) if text else ()
    made = tuple(
        ToolCall(id=f"call_{n}", name=name, arguments=arguments)
        for n, (name, arguments) in enumerate(asked)
    )
    return Response(
        parts=(*words, *made),
        finish_reason="tool_calls",
        usage=Usage(input=usage, output=0),
    )


@tool
def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


@tool
def echo(text: str) -> str:
    return text


ADD = ("add", '{"a": 1, "b": 2}')
