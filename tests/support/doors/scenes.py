"""The scenes of the matrix: what a client does, what the model says, what must come of it."""

import re
from collections.abc import Callable, Iterator
from typing import TypeAlias

from msgspec import Struct

from majordomo.contract import (
    Artefact,
    DialectName,
    FinishReason,
    Image,
    Json,
    JsonObject,
    Message,
    Overloaded,
    Part,
    RateLimited,
    Request,
    Response,
    Text,
    TextDelta,
    Thinking,
    ToolCall,
    Usage,
)
from majordomo.dialects.dialect import Ask
from majordomo.testing import Cut, Delay, Turn

from .client import TOOL_NAME, TOOL_SCHEMA, Called, Client, Outcome, Result, Wanted

PNG = bytes.fromhex(
    "89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de"
    "0000000c4944415408d763f8cfc000000301010018dd8db00000000049454e44ae426082"
)
WORDS = "Grüezi, 世界! 👋"
ANSWER = '{"city":"Paris","sunny":true}'
USAGE = Usage(input=21, output=9)
SEALED = "EuYBCvvvvv///z4="  # what only the model that wrote it can read

Seen: TypeAlias = list[tuple[Request, bytes]]  # what the upstream got, as meant and as sent
Play: TypeAlias = Callable[[Client, Wanted], list[Outcome]]
Says: TypeAlias = Callable[[DialectName, Ask], Turn]


class Scene(Struct, frozen=True, kw_only=True):
    play: Play
    says: Says
    comes: tuple[Outcome, ...]  # ids and the words of errors aside
    seen: Callable[[Seen, DialectName], bool] = lambda _, __: True
    tools: bool = False
    schema: bool = False
    think: bool = False


def _call(city: str) -> Called:
    return Called(id="", name=TOOL_NAME, arguments={"city": city})


def _tool_call(upstream: DialectName, city: str, artefact: Artefact | None = None) -> ToolCall:
    """Have no id where the dialect's models give none."""
    call_id = "" if upstream in ("gemini", "ollama") else f"toolu_{city}"
    return ToolCall(id=call_id, name=TOOL_NAME, arguments=f'{{"city":"{city}"}}', artefact=artefact)


def _reply(*parts: Part, reason: FinishReason = "stop") -> Response:
    return Response(parts=parts, finish_reason=reason, usage=USAGE)


def _says(*parts: Part, reason: FinishReason = "stop") -> Says:
    return lambda _upstream, _ask: _reply(*parts, reason=reason)


def _calls(upstream: DialectName, *cities: str) -> Response:
    calls = tuple(_tool_call(upstream, city) for city in cities)
    return _reply(Text(text="Let me see."), *calls, reason="tool_calls")


def _answered(ask: Ask) -> bool:
    return any(message.tool_results for message in ask.request.messages)


def _comes(text: str = "", finish: str = "stop", *cities: str, thinking: str = "") -> Outcome:
    return Outcome(
        text=text,
        thinking=thinking,
        finish=finish,
        calls=tuple(map(_call, cities)),
        input=USAGE.input,
        output=USAGE.output,
    )


# What clients do.


def _ask(client: Client, wanted: Wanted) -> list[Outcome]:
    client.user("What is the weather in Paris?")
    return [client.ask(wanted)]


def _show(client: Client, wanted: Wanted) -> list[Outcome]:
    client.user("What is this?", PNG)
    return [client.ask(wanted)]


def _use_tools(*results: Result) -> Play:
    def play(client: Client, wanted: Wanted) -> list[Outcome]:
        client.user("What is the weather?")
        first = client.ask(wanted)
        if first.error:
            return [first]
        client.results(first.calls, results)
        return [first, client.ask(wanted)]

    return play


# What upstreams must have seen.


def _saw_tool(seen: Seen, _: DialectName) -> bool:
    (tool,) = seen[0][0].tools
    wanted, found = TOOL_SCHEMA["properties"], tool.parameters.get("properties")
    return tool.name == TOOL_NAME and found == wanted


def _saw_image(seen: Seen, _: DialectName) -> bool:
    return any(part.data == PNG for part in _images(seen[-1][0]))


def _saw_results(*texts: str) -> Callable[[Seen, DialectName], bool]:
    """Each result must answer the call it was for."""

    def saw(seen: Seen, _: DialectName) -> bool:
        messages = seen[-1][0].messages
        calls = [call for message in messages for call in message.tool_calls]
        results = {r.id: r.text for message in messages for r in message.tool_results}
        ids = [call.id for call in calls]
        return len(set(ids)) == len(ids) == len(texts) and [results.get(i) for i in ids] == [*texts]

    return saw


def _saw_image_result(seen: Seen, upstream: DialectName) -> bool:
    messages = seen[-1][0].messages
    at = next(place for place, message in enumerate(messages) if message.tool_results)
    return _saw_image(seen, upstream) and any(_images(Request(messages=messages[at:])))


def _saw_reasoning(seen: Seen, upstream: DialectName) -> bool:
    """What the model thought stands before its call again, with what it had attached to it."""
    request, body = seen[-1]
    turn = next(message for message in request.messages if message.tool_calls)
    return _in_order(turn) and all(mark in body for mark in _MARKS[upstream])


def _in_order(turn: Message) -> bool:
    kinds = [type(part) for part in turn.parts if isinstance(part, Thinking | ToolCall)]
    return kinds == [Thinking, ToolCall]


def _saw_schema(seen: Seen, _: DialectName) -> bool:
    """Natively, as a tool that must be called, or in the prompt."""
    request = seen[0][0]
    return bool(request.schema) or '"sunny"' in request.system or _asked_by_tool(request)


def _asked_by_tool(request: Request) -> bool:
    return any("sunny" in str(tool.parameters) for tool in request.tools)


def _images(request: Request) -> Iterator[Image]:
    for message in request.messages:
        for part in message.parts:
            if isinstance(part, Image):
                yield part
        for result in message.tool_results:
            yield from (part for part in result.content if isinstance(part, Image))


# What upstreams say.


def _structured(_: DialectName, ask: Ask) -> Turn:
    if ask.request.schema is None and _asked_by_tool(ask.request):
        name = ask.request.tools[-1].name
        call = ToolCall(id="toolu_answer", name=name, arguments=ANSWER)
        return _reply(call, reason="tool_calls")
    return _reply(Text(text=ANSWER))


def _reasoned(upstream: DialectName, ask: Ask) -> Turn:
    if _answered(ask):
        return _reply(Text(text="Sunny."))
    thought = Thinking(text="Hm, Paris.", artefact=_thought_artefact(upstream))
    sign = Artefact(dialect="gemini", value={"thoughtSignature": SEALED})
    call = _tool_call(upstream, "Paris", sign if upstream == "gemini" else None)
    return _reply(thought, call, reason="tool_calls")


def _thought_artefact(upstream: DialectName) -> Artefact | None:
    match upstream:
        case "anthropic":
            return Artefact(dialect="anthropic", value={"signature": SEALED})
        case "openai_responses":
            summary: Json = [{"type": "summary_text", "text": "Hm, Paris."}]
            item: JsonObject = {"type": "reasoning", "id": "rs_1", "summary": summary}
            item["encrypted_content"] = SEALED
            return Artefact(dialect="openai_responses", value=item)
        case "openai_chat":
            return Artefact(dialect="openai_chat", value={"field": "reasoning_content"})
        case "ollama" | "gemini":
            return None


_MARKS: dict[DialectName, tuple[bytes, ...]] = {
    "anthropic": (b"Hm, Paris.", SEALED.encode()),
    "openai_responses": (SEALED.encode(), b'"rs_1"'),
    "openai_chat": (b'"reasoning_content":"Hm, Paris."',),
    "ollama": (b'"thinking":"Hm, Paris."',),
    "gemini": (SEALED.encode(),),
}


def _written_out(_: DialectName, ask: Ask) -> Turn:
    """Act as a model that only has plain chat: by writing what the prompt told it to write."""
    opening = re.search(r"```json action \w+", ask.request.system)
    assert opening is not None
    assert not ask.request.tools
    if "sunny" in "".join(message.text for message in ask.request.messages):
        return _reply(Text(text="Mixed."))
    blocks = [
        f'{opening[0]}\n{{"tool":"{TOOL_NAME}","parameters":{{"city":"{city}"}}}}\n```\n'
        for city in ("Paris", "Rome")
    ]
    return _reply(Text(text=f"Let me see.\n\n{''.join(blocks)}"))


def _saw_words(seen: Seen, _: DialectName) -> bool:
    said = "".join(message.text for message in seen[-1][0].messages)
    return said.index("sunny") < said.index("rainy")


EMULATED = Scene(
    play=_use_tools(Result(text="sunny"), Result(text="rainy")),
    says=_written_out,
    comes=(_comes("Let me see.", "tool_calls", "Paris", "Rome"), _comes("Mixed.")),
    seen=_saw_words,
    tools=True,
)

SCENES: dict[str, Scene] = {
    "text": Scene(play=_ask, says=_says(Text(text=WORDS)), comes=(_comes(WORDS),)),
    "tool call": Scene(
        play=_ask,
        says=lambda upstream, _: _calls(upstream, "Paris"),
        comes=(_comes("Let me see.", "tool_calls", "Paris"),),
        seen=_saw_tool,
        tools=True,
    ),
    "parallel calls": Scene(
        play=_use_tools(Result(text="sunny"), Result(text="rainy")),
        says=lambda upstream, ask: (
            _reply(Text(text="Mixed.")) if _answered(ask) else _calls(upstream, "Paris", "Rome")
        ),
        comes=(_comes("Let me see.", "tool_calls", "Paris", "Rome"), _comes("Mixed.")),
        seen=_saw_results("sunny", "rainy"),
        tools=True,
    ),
    "tool result": Scene(
        play=_use_tools(Result(text="sunny")),
        says=lambda upstream, ask: (
            _reply(Text(text="Sunny.")) if _answered(ask) else _calls(upstream, "Paris")
        ),
        comes=(_comes("Let me see.", "tool_calls", "Paris"), _comes("Sunny.")),
        seen=_saw_results("sunny"),
        tools=True,
    ),
    "image": Scene(
        play=_show, says=_says(Text(text="A dot.")), comes=(_comes("A dot."),), seen=_saw_image
    ),
    "image in tool result": Scene(
        play=_use_tools(Result(text="look", image=PNG)),
        says=lambda upstream, ask: (
            _reply(Text(text="A dot.")) if _answered(ask) else _calls(upstream, "Paris")
        ),
        comes=(_comes("Let me see.", "tool_calls", "Paris"), _comes("A dot.")),
        seen=_saw_image_result,
        tools=True,
    ),
    "structured output": Scene(
        play=_ask, says=_structured, comes=(_comes(ANSWER),), seen=_saw_schema, schema=True
    ),
    "reasoning round trip": Scene(
        play=_use_tools(Result(text="sunny")),
        says=_reasoned,
        comes=(_comes("", "tool_calls", "Paris", thinking="Hm, Paris."), _comes("Sunny.")),
        seen=_saw_reasoning,
        tools=True,
        think=True,
    ),
    "length stop": Scene(
        play=_ask,
        says=_says(Text(text="It is"), reason="length"),
        comes=(_comes("It is", "length"),),
    ),
    "refusal": Scene(
        play=_ask,
        says=_says(Text(text="I will not."), reason="refusal"),
        comes=(_comes("I will not.", "refusal"),),
    ),
    "upstream 429": Scene(
        play=_ask,
        says=lambda _, __: RateLimited("slow down", status=429, retry_after=7.0),
        comes=(Outcome(status=429, error="slow down", retry_after="7"),),
    ),
    "upstream 500": Scene(
        play=_ask,
        says=lambda _, __: Overloaded("broken pipes", status=500),
        comes=(Outcome(status=500, error="broken pipes"),),
    ),
    "upstream cut": Scene(
        play=_ask,
        says=lambda _, __: [TextDelta(text="It is "), Delay(0.02), Cut()],
        comes=(Outcome(status=502, error=""),),
    ),
}
