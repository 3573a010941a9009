"""A model with tools that works on its own until it is done."""

from collections.abc import Sequence
from typing import Any, TypeVar, overload

from msgspec.structs import replace

from majordomo.contract import (
    JsonObject,
    Message,
    Options,
    Prompt,
    Request,
    Tool,
    as_request,
    tool_results,
)
from majordomo.engine.model import Model

from .approval import Approve
from .limits import Limits
from .loop import AgentStream
from .run import Run, unanswered
from .stop import Until
from .sync import SyncAgent
from .toolbox import Toolbox, ToolLike, failed
from .typed import run_as

T = TypeVar("T")

_LIMITS = Limits()


class Agent:
    """Holds no state of a run: one agent may run many times at once, and share its model.

    agent = Agent(model, [weather, clock], system="You are brief.")
    run = await agent.run("Do I need an umbrella?")
    run = await agent.run("And tomorrow?", history=run.messages)
    """

    def __init__(  # noqa: PLR0913 -- each is a decision somebody wants to make
        self,
        model: Model,
        tools: Toolbox | Sequence[ToolLike] = (),
        *,
        system: str = "",
        limits: Limits = _LIMITS,
        approve: Approve | None = None,
        until: Until | None = None,
        options: Options | None = None,
    ) -> None:
        """Set it up: `approve` is asked before every call, `until` may end a run after a step.

        `options` are those of `generate`, for every turn.
        """
        self.model = model
        self.toolbox = tools if isinstance(tools, Toolbox) else Toolbox(*tools)
        self.system = system
        self.limits = limits
        self.approve = approve
        self.until = until
        self._options: Options = options or {}

    async def run(self, prompt: Prompt = (), *, history: Sequence[Message] = ()) -> Run:
        """Work until done or a limit is reached. What a model cannot be asked is raised.

        A failure of every target is raised too; to keep what was done until then, use
        `stream`: its `messages` are the history at any time.
        """
        async with self.stream(prompt, history=history) as stream:
            return await stream.result()

    def stream(self, prompt: Prompt = (), *, history: Sequence[Message] = ()) -> AgentStream:
        """The same, with everything that happens on the way."""
        return AgentStream(self, self._asked(prompt, tuple(history)))

    @overload
    async def run_as(
        self,
        kind: type[T],
        prompt: Prompt = (),
        *,
        history: Sequence[Message] = (),
        asks: int = 3,
    ) -> T: ...

    @overload
    async def run_as(
        self,
        kind: object,
        prompt: Prompt = (),
        *,
        history: Sequence[Message] = (),
        asks: int = 3,
    ) -> Any: ...  # noqa: ANN401 -- a union or a literal is no class the checkers can follow

    async def run_as(
        self,
        kind: object,
        prompt: Prompt = (),
        *,
        history: Sequence[Message] = (),
        asks: int = 3,
    ) -> object:
        """Work like `run` and give the answer as a value of a type, like `generate_as`.

        Raises `InvalidOutput`, also for a run that ended without an answer.
        """
        return await run_as(self, kind, self._asked(prompt, tuple(history)), asks)

    def as_tool(self, name: str, description: str) -> Tool:
        """Let another agent give this one a task; it answers with its last words."""

        async def ask(task: str) -> str:
            run = await self.run(task)
            return run.text or f"No answer: the run ended with {run.ending!r}."

        parameters: JsonObject = {
            "type": "object",
            "properties": {"task": {"type": "string", "description": "What to do, in full."}},
            "required": ["task"],
            "additionalProperties": False,
        }
        return Tool(name=name, description=description, parameters=parameters, handler=ask)

    @property
    def sync(self) -> SyncAgent:
        """The same agent for programs without an event loop."""
        return SyncAgent(self)

    def _asked(self, prompt: Prompt, history: tuple[Message, ...]) -> Request:
        request = as_request(prompt, **self._options)
        return replace(
            request,
            messages=_joined(history, request.messages),
            system=self.system or request.system,
            tools=(*request.tools, *self.toolbox.tools),
        )


def _joined(history: tuple[Message, ...], new: tuple[Message, ...]) -> tuple[Message, ...]:
    """Answer what was left unanswered before something new is said."""
    left = unanswered(history) if new else ()
    if not left:
        return (*history, *new)
    skipped = tool_results(*(failed(call, "This call was not run.") for call in left))
    return (*history, skipped, *new)
