"""Everything about one request that its lifts need to know; made once, never changed."""

from functools import cached_property

from msgspec import Struct
from msgspec.structs import replace

from majordomo.contract import Capabilities, Message, Note, Request, Text, Tool, ToolChoice

from .contract import contract, example, nonce_of, reminder
from .forced import action_schema
from .history import project, recovered_tools
from .kit import kit_of
from .names import Offers
from .state import State, state_of


class Heard:
    """What did not come from the model: file contents, the user's words.

    Put together when a reply has a block that may be a copy of it, which most have not.
    """

    def __init__(self, messages: tuple[Message, ...]) -> None:
        self._messages = messages

    def includes(self, block: str) -> bool:
        return block.strip() in self._text

    @cached_property
    def _text(self) -> str:
        texts: list[str] = []
        for message in self._messages:
            texts += [result.text for result in message.tool_results]
            if message.role != "assistant":
                texts.append(message.text)
        return "\x00".join(texts)


class Plan(Struct, frozen=True, kw_only=True):
    request: Request  # as it goes out
    tools: tuple[Tool, ...]  # that may be called in this reply
    choice: ToolChoice
    nonce: str
    example: str
    state: State
    history_found: bool
    taken: frozenset[str]  # ids of calls in the history
    offers: Offers  # the tools as the reader of the reply sees them
    heard: Heard  # a block copied from it is a quotation
    constrained: bool = False  # the reply is the JSON of one action and nothing else
    notes: tuple[Note, ...] = ()

    @property
    def active(self) -> bool:
        return bool(self.tools)

    @property
    def forced(self) -> bool:
        return self.choice.mode in {"required", "named"}


def make_plan(
    request: Request, capabilities: Capabilities, *, longest_result: int, longest_description: int
) -> Plan:
    """Lower a request once: contract into the prompt, history into words."""
    tools = tuple(tool for tool in request.tools if not tool.hosted)
    tools = tools or recovered_tools(request.messages)
    nonce = nonce_of(request)
    projection = project(request.messages, nonce=nonce, longest=longest_result)
    kit = kit_of(tools)
    allowed = _allowed(tools, request.tool_choice)
    constrained = bool(allowed) and _constrains(request, capabilities)
    plan = Plan(
        request=replace(request, messages=projection.messages, tools=(), tool_choice=ToolChoice()),
        tools=allowed,
        choice=request.tool_choice,
        nonce=nonce,
        example=example(kit, allowed[0].name, nonce=nonce) if allowed else "",
        state=state_of(request.messages),
        history_found=projection.found,
        taken=frozenset(call.id for message in request.messages for call in message.tool_calls),
        offers=kit.offers if allowed == tools else kit_of(allowed).offers,
        heard=Heard(request.messages),
        constrained=constrained,
        notes=(*_hosted_notes(request), *projection.notes),
    )
    if not tools:
        return plan
    names = [tool.name for tool in tools]
    written = contract(kit, names, request.tool_choice, nonce=nonce, longest=longest_description)
    lowered = replace(
        plan.request,
        system=f"{request.system}\n\n{written}" if request.system else written,
        messages=_reminded(projection.messages, reminder(request, tools, nonce=nonce)),
        schema=action_schema(allowed) if constrained else request.schema,
        schema_name="action" if constrained else request.schema_name,
    )
    return replace(plan, request=lowered)


def _constrains(request: Request, capabilities: Capabilities) -> bool:
    """Say whether a forced call can be made impossible to get wrong."""
    forced = request.tool_choice.mode in {"required", "named"}
    return forced and capabilities.structured == "native" and request.schema is None


def _allowed(tools: tuple[Tool, ...], choice: ToolChoice) -> tuple[Tool, ...]:
    if choice.mode == "named":
        return tuple(tool for tool in tools if tool.name == choice.name)
    if choice.allowed:
        return tuple(tool for tool in tools if tool.name in choice.allowed)
    return tools


def _reminded(messages: tuple[Message, ...], words: str) -> tuple[Message, ...]:
    if not words or not messages or messages[-1].role != "user":
        return messages
    last = messages[-1]
    return (*messages[:-1], replace(last, parts=(*last.parts, Text(text=f"\n\n{words}"))))


def _hosted_notes(request: Request) -> list[Note]:
    return [
        Note(kind="dropped", what=f"tools.{tool.name}", why="only its provider can run it")
        for tool in request.tools
        if tool.hosted
    ]
