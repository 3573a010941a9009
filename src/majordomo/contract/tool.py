"""What a model may call, and whether it must."""

from collections.abc import Callable
from typing import Any, Literal, TypeAlias

from msgspec import Struct

from .json import JsonObject
from .part import Artefact

ToolChoiceMode: TypeAlias = Literal["auto", "none", "required", "named"]


class Tool(Struct, frozen=True, kw_only=True, omit_defaults=True):
    name: str
    description: str = ""
    parameters: JsonObject = {}  # JSON Schema; empty means "takes no arguments"
    strict: bool | None = None  # None: the dialect's default, and nothing is sent
    hosted: bool = False  # run by the provider; the artefact is its whole definition
    artefact: Artefact | None = None
    handler: Callable[..., Any] | None = None  # for the agent loop; never goes on a wire


class ToolChoice(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Whether to call; `parallel` is its own question: turning it off forces nothing."""

    mode: ToolChoiceMode = "auto"
    name: str = ""  # for "named"
    allowed: tuple[str, ...] = ()  # a subset the choice is limited to; empty means all
    parallel: bool | None = None


AUTO = ToolChoice()
NONE = ToolChoice(mode="none")
REQUIRED = ToolChoice(mode="required")


def named(name: str) -> ToolChoice:
    return ToolChoice(mode="named", name=name)
