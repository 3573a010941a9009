"""What came of a run."""

from msgspec import Struct

from majordomo.contract import UNKNOWN, Message, Response, ToolCall, Usage

from .limits import Ending


class Run(Struct, frozen=True, kw_only=True):
    """`messages` is the whole history, to go on from: `agent.run("And now?", history=…)`."""

    ending: Ending
    messages: tuple[Message, ...]
    response: Response | None = None  # the last one
    steps: int = 0
    usage: Usage = UNKNOWN  # of all turns

    @property
    def text(self) -> str:
        """The last words; empty where the run ended without any."""
        return self.response.text if self.response is not None else ""

    @property
    def pending(self) -> tuple[ToolCall, ...]:
        """Calls that were asked for and not run; running the history again begins with them."""
        return unanswered(self.messages)


def unanswered(messages: tuple[Message, ...]) -> tuple[ToolCall, ...]:
    last = messages[-1] if messages else None
    return last.tool_calls if last is not None and last.role == "assistant" else ()
