"""What a dialect may be able to say, one feature a row, as values of the contract.

The rows are run through every dialect and every pair of dialects; the table in
`docs/dialects.md` is what came out.
"""

from collections.abc import Callable

from msgspec import Struct
from msgspec.structs import replace

from majordomo.contract import (
    Document,
    Image,
    Message,
    Part,
    Request,
    Response,
    Text,
    Thinking,
    Tool,
    ToolCall,
    ToolChoice,
    ToolResult,
    Usage,
    assistant,
    system,
    tool_results,
    user,
)

PNG = bytes.fromhex(
    "89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de"
    "0000000c4944415408d763f8cfc000000301010018dd8db00000000049454e44ae426082"
)
PICTURE = Image(data=PNG, mime="image/png")
PAPER = Document(data=b"%PDF-1.4 small", mime="application/pdf", name="paper.pdf")
WEATHER = Tool(
    name="weather",
    description="Tell the weather",
    parameters={
        "type": "object",
        "properties": {"city": {"type": "string"}},
        "required": ["city"],
    },
)
CLOCK = Tool(name="clock", description="Tell the time", parameters={"type": "object"})
PARIS = ToolCall(id="call_1", name="weather", arguments='{"city":"Paris"}')
ROME = ToolCall(id="call_2", name="weather", arguments='{"city":"Rome"}')
SUNNY = ToolResult(id="call_1", name="weather", content=(Text(text="sunny"),))
RAINY = ToolResult(id="call_2", name="weather", content=(Text(text="rainy"),))
FAILED = ToolResult(id="call_1", name="weather", content=(Text(text="no net"),), is_error=True)
SEEN = ToolResult(id="call_1", name="weather", content=(Text(text="look"), PICTURE))
CITY = {
    "type": "object",
    "properties": {"city": {"type": "string"}},
    "required": ["city"],
    "additionalProperties": False,
}

ASK = user("What is the weather in Paris?")


def asking(*turns: Message, **options: object) -> Request:
    base = Request(messages=turns or (ASK,), max_tokens=100)
    return replace(base, **options)


def with_tools(*turns: Message, **options: object) -> Request:
    return asking(*turns, tools=(WEATHER, CLOCK), **options)


class Feature(Struct, frozen=True):
    """A request that uses it, and what of the request shows that it survived."""

    request: Request
    shows: Callable[[Request], object]


def _messages(request: Request) -> object:
    return tuple((message.role, message.parts) for message in bare(request).messages)


def _contents(request: Request) -> object:
    """Regardless of order: Ollama has images beside the text, not in it."""
    return tuple((message.role, frozenset(message.parts)) for message in bare(request).messages)


def _choice(request: Request) -> object:
    return request.tool_choice.mode, request.tool_choice.name


REQUEST_FEATURES: dict[str, Feature] = {
    "text": Feature(asking(), _messages),
    "several turns": Feature(asking(ASK, assistant("Sunny."), user("Sure?")), _messages),
    "system prompt": Feature(asking(system="Be brief."), lambda r: r.system),
    "system message in mid-conversation": Feature(
        asking(ASK, assistant("Sunny."), user("Go on."), system("Now rhyme.")), _messages
    ),
    "image": Feature(asking(user("Look", PICTURE)), _contents),
    "document": Feature(asking(user("Read", PAPER)), _messages),
    "tools": Feature(with_tools(), lambda r: bare(r).tools),
    "tool call and result": Feature(
        with_tools(ASK, assistant("Let me see.", PARIS), tool_results(SUNNY)), _messages
    ),
    "parallel calls and results": Feature(
        with_tools(ASK, assistant(PARIS, ROME), tool_results(SUNNY, RAINY)), _messages
    ),
    "failed tool result": Feature(
        with_tools(ASK, assistant(PARIS), tool_results(FAILED)), _messages
    ),
    "image in a tool result": Feature(
        with_tools(ASK, assistant(PARIS), tool_results(SEEN)), _messages
    ),
    "words beside a tool result": Feature(
        with_tools(ASK, assistant(PARIS), tool_results(SUNNY), user("In one word.")), _messages
    ),
    "a call is required": Feature(with_tools(tool_choice=ToolChoice(mode="required")), _choice),
    "this call is required": Feature(
        with_tools(tool_choice=ToolChoice(mode="named", name="weather")), _choice
    ),
    "no call is allowed": Feature(with_tools(tool_choice=ToolChoice(mode="none")), _choice),
    "one call at a time": Feature(
        with_tools(tool_choice=ToolChoice(parallel=False)), lambda r: r.tool_choice.parallel
    ),
    "structured output": Feature(asking(schema=CITY), lambda r: r.schema),
    "JSON of any shape": Feature(asking(user("JSON please"), schema={}), lambda r: r.schema),
    "max_tokens": Feature(asking(), lambda r: r.max_tokens),
    "temperature": Feature(asking(temperature=0.5), lambda r: r.temperature),
    "top_p": Feature(asking(top_p=0.5), lambda r: r.top_p),
    "top_k": Feature(asking(top_k=5), lambda r: r.top_k),
    "presence_penalty": Feature(asking(presence_penalty=0.5), lambda r: r.presence_penalty),
    "frequency_penalty": Feature(asking(frequency_penalty=0.5), lambda r: r.frequency_penalty),
    "stop": Feature(asking(stop=("END",)), lambda r: r.stop),
    "seed": Feature(asking(seed=7), lambda r: r.seed),
    "reasoning_effort": Feature(asking(reasoning_effort="high"), lambda r: r.reasoning_effort),
    "reasoning_budget": Feature(
        asking(reasoning_budget=2048, max_tokens=4096), lambda r: r.reasoning_budget
    ),
    "show_thinking": Feature(asking(show_thinking=True), lambda r: r.show_thinking),
    "metadata": Feature(asking(metadata={"user_id": "u1"}), lambda r: r.metadata),
}

USAGE = Usage(input=20, cached=5, cache_write=3, output=9, reasoning=4)


def replying(*parts: Part, **options: object) -> Response:
    base = Response(parts=parts, finish_reason="stop", usage=Usage(input=20, output=9))
    return replace(base, **options)


class Told(Struct, frozen=True):
    response: Response
    shows: Callable[[Response], object]


def _parts(response: Response) -> object:
    """What was said: a part that is all signature says nothing to another dialect."""
    return tuple(part for part in map(bare_part, response.parts) if part != Thinking(text=""))


def _finish(response: Response) -> object:
    return response.finish_reason


RESPONSE_FEATURES: dict[str, Told] = {
    "text": Told(replying(Text(text="Sunny.")), _parts),
    "empty reply": Told(replying(), lambda r: r.text),
    "tool call": Told(replying(PARIS, finish_reason="tool_calls"), _parts),
    "text and a call": Told(
        replying(Text(text="Let me see."), PARIS, finish_reason="tool_calls"), _parts
    ),
    "parallel calls": Told(replying(PARIS, ROME, finish_reason="tool_calls"), _parts),
    "a turn with calls ends in tool_calls": Told(
        replying(Text(text="See."), PARIS, finish_reason="tool_calls"), _finish
    ),
    "thinking": Told(replying(Thinking(text="Hm."), Text(text="Sunny.")), _parts),
    "stopped by length": Told(replying(Text(text="Sun"), finish_reason="length"), _finish),
    "refusal": Told(
        replying(Text(text="No."), finish_reason="refusal"), lambda r: (r.finish_reason, r.text)
    ),
    "content filter": Told(replying(finish_reason="content_filter"), _finish),
    "stop sequence": Told(
        replying(Text(text="a"), stop_sequence="END", finish_native="stop_sequence"),
        lambda r: r.stop_sequence,
    ),
    "usage": Told(
        replying(Text(text="a"), usage=Usage(input=20, output=9)),
        lambda r: (r.usage.input, r.usage.output),
    ),
    "cached tokens": Told(replying(Text(text="a"), usage=USAGE), lambda r: r.usage.cached),
    "cache writes": Told(replying(Text(text="a"), usage=USAGE), lambda r: r.usage.cache_write),
    "reasoning tokens": Told(replying(Text(text="a"), usage=USAGE), lambda r: r.usage.reasoning),
}


def bare(request: Request) -> Request:
    """Leave out what belongs to one dialect alone."""
    return replace(
        request,
        messages=tuple(
            Message(role=message.role, parts=tuple(map(bare_part, message.parts)))
            for message in request.messages
        ),
        tools=tuple(replace(tool, artefact=None) for tool in request.tools),
        extra={},
    )


def bare_part(part: Part) -> Part:
    if isinstance(part, ToolResult):
        content = tuple(map(bare_part, part.content))
        return replace(part, artefact=None, content=content, name="")
    if isinstance(part, ToolCall):
        return replace(part, artefact=None)
    if isinstance(part, Text | Image | Document | Thinking):
        return replace(part, artefact=None)
    return part
