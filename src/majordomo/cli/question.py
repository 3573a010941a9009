"""The small questions `probe` asks an endpoint, and what each answer shows."""

import struct
import zlib
from collections.abc import Callable

import msgspec
from msgspec import Struct

from majordomo.contract import (
    NONE,
    REQUIRED,
    Image,
    JsonObject,
    Knob,
    Options,
    Prompt,
    Response,
    Text,
    Tool,
    ToolCall,
    ToolChoice,
    ToolResult,
    assistant,
    named,
    tool_results,
    user,
)

WEATHER = Tool(
    name="get_weather",
    description="The weather in a city, now.",
    parameters={
        "type": "object",
        "properties": {"city": {"type": "string"}},
        "required": ["city"],
        "additionalProperties": False,
    },
)
TIME = Tool(name="get_time", description="The time of day, now.")
_TOOLS = (WEATHER, TIME)
_SCHEMA: JsonObject = {
    "type": "object",
    "properties": {"capital": {"type": "string"}, "population": {"type": "integer"}},
    "required": ["capital", "population"],
    "additionalProperties": False,
}


class Question(Struct, frozen=True, kw_only=True):
    """One call. `shows` reads the reply: what it shows, or nothing if it shows the lack."""

    name: str
    prompt: Prompt
    options: Options
    shows: Callable[[Response], str]
    streaming: bool = False


def _text(response: Response) -> str:
    return "answers" if response.text.strip() else ""


def _calls(least: int, most: int = 99, name: str = "") -> Callable[[Response], str]:
    def shows(response: Response) -> str:
        good = [call for call in response.tool_calls if _sound(call)]
        fits = least <= len(good) <= most and all(not name or c.name == name for c in good)
        return f"{len(good)} call{'s' * (len(good) != 1)}" if fits else ""

    return shows


def _sound(call: ToolCall) -> bool:
    known = {tool.name for tool in _TOOLS}
    return call.name in known and isinstance(_json(call.arguments or "{}"), dict)


def _object(*fields: str) -> Callable[[Response], str]:
    def shows(response: Response) -> str:
        value = _json(response.text)
        return "valid" if isinstance(value, dict) and all(f in value for f in fields) else ""

    return shows


def _json(text: str) -> object:
    try:
        return msgspec.json.decode(text)
    except (msgspec.DecodeError, RecursionError):
        return None


def _thinks(response: Response) -> str:
    if response.thinking or response.usage.reasoning:
        return "thinks, and shows it" if response.thinking else "thinks"
    return "accepted, but nothing of it is seen"


def _usage(response: Response) -> str:
    return f"{response.usage.total} tokens" if response.usage.known else ""


def _sees(response: Response) -> str:
    return "sees it" if "red" in response.text.lower() else "accepted; what it saw is unclear"


_WEATHER = "What is the weather in Paris? Use the tool."
_BOTH = "What is the weather in Paris, and in Rome? Call the tool once for each, in one turn."
_CALL = ToolCall(id="call_1", name="get_weather", arguments='{"city":"Paris"}')
_RESULT = ToolResult(id="call_1", name="get_weather", content=(Text(text="12 degrees, rain"),))
_BRIEF: Options = {"max_tokens": 256}


def red_square(side: int = 32) -> bytes:
    """Draw a red PNG by hand: a picture library is no reason to be slow here."""
    row = b"\x00" + b"\xff\x00\x00" * side

    def chunk(kind: bytes, data: bytes) -> bytes:
        body = kind + data
        return struct.pack(">I", len(data)) + body + struct.pack(">I", zlib.crc32(body))

    head = struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0)
    pixels = chunk(b"IDAT", zlib.compress(row * side))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + pixels + chunk(b"IEND", b"")


def _knob(name: Knob, **options: object) -> Question:
    return Question(
        name=name,
        prompt="Say hello.",
        options=msgspec.convert({**_BRIEF, **options}, Options),
        shows=lambda _: "accepted",
    )


QUESTIONS: tuple[Question, ...] = (
    Question(
        name="streaming",
        prompt="Count from one to five.",
        options=_BRIEF,
        shows=_text,
        streaming=True,
    ),
    Question(
        name="usage in streams",
        prompt="Say hello.",
        options=_BRIEF,
        shows=_usage,
        streaming=True,
    ),
    Question(name="usage", prompt="Say hello.", options=_BRIEF, shows=_usage),
    Question(name="tools", prompt=_WEATHER, options={**_BRIEF, "tools": _TOOLS}, shows=_calls(1)),
    Question(
        name="tool_choice required",
        prompt="Say hello.",
        options={**_BRIEF, "tools": _TOOLS, "tool_choice": REQUIRED},
        shows=_calls(1),
    ),
    Question(
        name="tool_choice named",
        prompt="What is the weather in Paris?",
        options={**_BRIEF, "tools": _TOOLS, "tool_choice": named("get_time")},
        shows=_calls(1, name="get_time"),
    ),
    Question(
        name="tool_choice none",
        prompt=_WEATHER,
        options={**_BRIEF, "tools": _TOOLS, "tool_choice": NONE},
        shows=lambda response: "" if response.tool_calls else "no call",
    ),
    Question(
        name="parallel calls", prompt=_BOTH, options={**_BRIEF, "tools": _TOOLS}, shows=_calls(2)
    ),
    Question(
        name="one call at a time",
        prompt=_BOTH,
        options={**_BRIEF, "tools": _TOOLS, "tool_choice": ToolChoice(parallel=False)},
        shows=_calls(1, 1),
    ),
    Question(
        name="tool results",
        prompt=(user(_WEATHER), assistant(_CALL), tool_results(_RESULT)),
        options={**_BRIEF, "tools": _TOOLS},
        shows=_text,
    ),
    Question(
        name="structured output",
        prompt="What is the capital of France, and how many people live in it?",
        options={**_BRIEF, "schema": _SCHEMA, "schema_name": "city"},
        shows=_object("capital", "population"),
    ),
    Question(
        name="JSON mode",
        prompt="Give a JSON object with the capital of France.",
        options={**_BRIEF, "schema": {}},
        shows=_object(),
    ),
    Question(
        name="images",
        prompt=user(Image(data=red_square(), mime="image/png"), "Which colour is this? One word."),
        options=_BRIEF,
        shows=_sees,
    ),
    Question(
        name="prefill",
        prompt=(user("What is the capital of France?"), assistant("The capital of France is")),
        options=_BRIEF,
        shows=_text,
    ),
    Question(
        name="thinking",
        prompt="What is 17 times 23? Think first.",
        options={"max_tokens": 1024, "reasoning_effort": "low"},
        shows=_thinks,
    ),
    _knob("temperature", temperature=0.5),
    _knob("top_p", top_p=0.9),
    _knob("seed", seed=7),
    _knob("stop", stop=("zebra",)),
)
