"""One conversation: what was said so far, with whom, and with which tools."""

import sys
from pathlib import Path

from majordomo.agent.toolbox import Toolbox, ToolLike
from majordomo.contract import Fold, Message, Request, Text, assistant, tool_results, user
from majordomo.engine.registry import Registry

from .answer import Screen, origin
from .terminal import paint_for
from .tools_file import toolbox_of, tools_in

_MOST_ROUNDS = 20  # of calls and results for one question


class Conversation:
    def __init__(self, registry: Registry, spec: str, *, system: str = "") -> None:
        self.system = system
        self.spec = spec
        self._registry = registry
        self._messages: list[Message] = []
        self._offered: dict[str, ToolLike] = {}
        self._toolbox = Toolbox()
        self._heard = Fold()  # the answer that is coming
        self.use(spec)

    def use(self, spec: str) -> str:
        """Go on with another model; whether there is one by that name is seen now."""
        self._registry.parse(spec)
        self.spec = spec
        return spec

    def offer(self, path: Path) -> tuple[str, ...]:
        """Let the model call the functions of a file, beside those it may call already."""
        offered = {**self._offered, **tools_in(path)}
        self._toolbox = toolbox_of(offered)
        self._offered = offered
        return self.tools

    @property
    def tools(self) -> tuple[str, ...]:
        return tuple(tool.name for tool in self._toolbox)

    @property
    def messages(self) -> tuple[Message, ...]:
        return tuple(self._messages)

    def clear(self) -> None:
        self._messages.clear()

    async def answer(self, text: str) -> None:
        """Show the answer; where the model calls tools, run them and let it go on."""
        before = len(self._messages)
        self._messages.append(user(text))
        try:
            for _ in range(_MOST_ROUNDS):
                if not await self._round():
                    return
        except Exception:
            del self._messages[before:]  # the question can be asked again as it was
            raise

    def stopped(self) -> None:
        """Keep what was said before Ctrl-C: the model said it, and the person saw it."""
        text = "".join(part.text for part in self._heard.parts if isinstance(part, Text))
        if text:
            self._messages.append(assistant(text))
        elif self._messages and self._messages[-1].role == "user":
            self._messages.pop()

    async def aclose(self) -> None:
        await self._registry.aclose()

    async def _round(self) -> bool:
        request = Request(
            messages=tuple(self._messages),
            system=self.system,
            tools=self._toolbox.tools,
        )
        self._heard = Fold()
        stream = self._registry.parse(self.spec).stream(request)
        response = await Screen(sys.stdout, self._heard).show(stream)
        self._messages.append(response.message)
        self._heard = Fold()
        paint = paint_for(sys.stderr)
        sys.stderr.write(origin(response, paint))
        for call in response.tool_calls:
            sys.stderr.write(paint(f"  {call.name} {call.arguments}", "cyan") + "\n")
        if not response.tool_calls:
            return False
        self._messages.append(tool_results(*await self._toolbox.execute_all(response.tool_calls)))
        return True
