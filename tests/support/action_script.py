"""A scripted chat model and the little loop that an engine would run around it."""

from collections.abc import Callable, Iterable, Sequence

from majordomo.contract import (
    Capabilities,
    Event,
    Finish,
    FinishReason,
    Fold,
    Request,
    Response,
    Start,
    TextDelta,
    Tool,
    Usage,
)
from majordomo.fit.actions import ActionReport, ActionShim, shim
from majordomo.fit.shim import Again

CHAT = Capabilities(tools="emulated", structured="off")
HELD = Capabilities(tools="emulated", structured="native")

READ = Tool(
    name="Read",
    description="Read a file from disk.",
    parameters={
        "type": "object",
        "properties": {"file_path": {"type": "string"}, "limit": {"type": "integer"}},
        "required": ["file_path"],
        "additionalProperties": False,
    },
)
BASH = Tool(
    name="Bash",
    description="Run a shell command.",
    parameters={
        "type": "object",
        "properties": {"command": {"type": "string"}},
        "required": ["command"],
    },
)
TOOLS = (READ, BASH)


def action(name: str, arguments: str) -> str:
    return f'```json action\n{{"tool": "{name}", "parameters": {arguments}}}\n```'


READ_A = action("Read", '{"file_path": "a.txt"}')


def events(text: str, *, size: int = 7, reason: FinishReason = "stop") -> list[Event]:
    """Tell a reply as a stream of small deltas."""
    deltas = [TextDelta(text=text[at : at + size]) for at in range(0, len(text), size)]
    finish = Finish(reason=reason, native=reason, usage=Usage(input=10, output=5))
    return [Start(model="chat"), *deltas, finish]


class Turn:
    """One turn: the request lowered, replies lifted, `Again` asked, all of it kept."""

    def __init__(self, request: Request, capabilities: Capabilities = CHAT) -> None:
        self.shim: ActionShim = shim(request, capabilities)
        self.asked: list[Request] = [self.shim.lower(request)]
        self.told: list[Event] = []
        self.reasons: list[str] = []
        self.report = ActionReport()

    def run(
        self,
        replies: Iterable[str] | Callable[[Request], str],
        *,
        size: int = 7,
        reason: FinishReason = "stop",
    ) -> Response:
        script = replies if callable(replies) else _in_order(list(replies))
        again: Again | None = self._reply(script, size, reason)
        while again is not None:
            self.asked.append(again.request)
            self.reasons.append(again.reason)
            again = self._reply(script, size, reason)
        fold = Fold()
        for event in self.told:
            fold.add(event)
        return fold.response()

    def _reply(
        self, script: Callable[[Request], str], size: int, reason: FinishReason
    ) -> Again | None:
        lift = self.shim.lift()
        for event in events(script(self.asked[-1]), size=size, reason=reason):
            for out in lift.feed(event):
                if isinstance(out, Again):
                    return out
                self.told.append(out)
        self.told += [out for out in lift.close() if not isinstance(out, Again)]
        self.report = getattr(lift, "report", ActionReport())
        return None


def _in_order(replies: Sequence[str]) -> Callable[[Request], str]:
    left = list(replies)
    return lambda _: left.pop(0)
