"""A scripted model that does what documentation asks of one: calls tools, answers in schemas."""

import re

from majordomo.contract import Json, JsonObject, Response, Text, ToolCall, Usage
from majordomo.dialects.dialect import Ask
from majordomo.dialects.json import write_text
from majordomo.testing import Turn

_USAGE = Usage(input=12, output=8)
_WRITTEN_TOOL = re.compile(r"\b(get_weather|weather)\b")


def obliging(ask: Ask) -> Turn:
    """Call the first tool until there is a result; answer in the schema; else say something."""
    request = ask.request
    results = any(message.tool_results for message in request.messages)
    if request.tools and request.tool_choice.mode != "none" and not results:
        name = request.tool_choice.name
        tool = next(tool for tool in request.tools if not name or tool.name == name)
        arguments = write_text(example(tool.parameters, tool.parameters))
        made = ToolCall(id="call_1", name=tool.name, arguments=arguments)
        return Response(parts=(made,), finish_reason="tool_calls", usage=_USAGE)
    if request.schema is not None:
        return _said(write_text(example(request.schema, request.schema)))
    told = request.system + "".join(message.text for message in request.messages)
    written = _WRITTEN_TOOL.search(told)
    if written and not results:
        call: JsonObject = {"name": written[1], "arguments": {"city": "Paris"}}
        return _said(f"<tool_call>{write_text(call)}</tool_call>")
    return _said("Because of how light is scattered.")


def _said(text: str) -> Response:
    return Response(parts=(Text(text=text),), finish_reason="stop", usage=_USAGE)


def example(schema: Json, root: JsonObject) -> Json:
    """Give a value a schema allows; only what documentation uses is understood."""
    match schema:
        case {"$ref": str(name)}:
            return example(_defined(name, root), root)
        case {"enum": [first, *_]} | {"const": first}:
            return first
        case {"type": "object", "properties": dict(properties)}:
            return {name: example(each, root) for name, each in properties.items()}
        case {"type": "array", "items": item}:
            return [example(item, root)]
        case {"type": str(name)}:
            return _PLAIN.get(name)
        case _:
            return {}


def _defined(reference: str, root: JsonObject) -> Json:
    match root:
        case {"$defs": dict(definitions)}:
            return definitions[reference.rpartition("/")[2]]
        case _:
            return {}


_PLAIN: dict[str, Json] = {
    "string": "Paris",
    "integer": 7,
    "number": 1.5,
    "boolean": True,
    "array": [],
    "object": {},
}
