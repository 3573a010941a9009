"""A conversation through one door as its official SDK has it, and what came of each ask."""

from base64 import b64encode
from typing import Any, Protocol, TypeAlias

from msgspec import Struct

from majordomo.contract import JsonObject
from majordomo.dialects.json import object_at, read

TOOL_NAME = "weather"
TOOL_TEXT = "Tell the weather"
TOOL_SCHEMA: JsonObject = {
    "type": "object",
    "properties": {"city": {"type": "string", "description": "Where"}},
    "required": ["city"],
    "additionalProperties": False,
}
ANSWER_SCHEMA: JsonObject = {
    "type": "object",
    "properties": {"city": {"type": "string"}, "sunny": {"type": "boolean"}},
    "required": ["city", "sunny"],
    "additionalProperties": False,
}

Native: TypeAlias = Any  # an SDK's own object: what it takes and gives is what is under test


class Wanted(Struct, frozen=True, kw_only=True):
    """How to ask."""

    model: str
    stream: bool = False
    tools: bool = False
    schema: bool = False
    think: bool = False


class Called(Struct, frozen=True, kw_only=True):
    id: str  # empty where the SDK has no field for it
    name: str
    arguments: JsonObject


class Outcome(Struct, frozen=True, kw_only=True):
    """A reply in words that mean the same for every SDK."""

    text: str = ""
    thinking: str = ""
    calls: tuple[Called, ...] = ()
    finish: str = ""
    input: int = 0
    output: int = 0
    status: int = 0  # of an error; 0 none, -1 one that came in band
    error: str = ""
    retry_after: str = ""


class Result(Struct, frozen=True, kw_only=True):
    """What a tool said."""

    text: str
    image: bytes = b""


class Client(Protocol):
    """One conversation. `ask` adds the reply to the history as programs with this SDK do."""

    def user(self, text: str, image: bytes = b"") -> None: ...

    def results(self, calls: tuple[Called, ...], results: tuple[Result, ...]) -> None: ...

    def ask(self, wanted: Wanted) -> Outcome: ...


def arguments(text: str) -> JsonObject:
    return object_at(read(text), "arguments")


def base64(data: bytes) -> str:
    return b64encode(data).decode()
