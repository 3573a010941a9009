"""What nearly every request is made of, read at one glance.

A block or a tool of exactly the usual fields is read here; whatever has one more, or one of
another type, is None and left to those who look at each field and can say where it is wrong.
An agent sends a hundred such blocks with every turn: this costs a third of looking closely.
"""

from majordomo.contract import Json, Message, Part, Role, Text, Tool, ToolCall, ToolResult
from majordomo.dialects.json import arguments_text

ROLES: dict[str, Role] = {"user": "user", "assistant": "assistant", "system": "system"}


def plain_message(wire: Json) -> Message | None:
    """Read a turn of nothing but text, bare or in blocks such as `plain_part` reads."""
    if type(wire) is not dict or len(wire) != 2:
        return None
    word, content = wire.get("role"), wire.get("content")
    role = ROLES.get(word) if type(word) is str else None
    if role is None or not content:
        return None
    if type(content) is str:
        return Message(role=role, parts=(Text(text=content),))
    if type(content) is not list:
        return None
    parts: list[Part] = []
    for item in content:
        part = plain_part(item)
        if part is None:
            return None
        parts.append(part)
    return Message(role=role, parts=tuple(parts))


def plain_part(wire: Json) -> Part | None:
    """Read a bare text, call, or result; the number of fields says that there are no others."""
    if type(wire) is not dict:
        return None
    kind = wire.get("type")
    if kind == "text":
        text = wire.get("text")
        return Text(text=text) if type(text) is str and len(wire) == 2 else None
    if kind == "tool_use":
        id, name, given = wire.get("id"), wire.get("name"), wire.get("input")
        if type(id) is str and type(name) is str and type(given) is dict and len(wire) == 4:
            return ToolCall(id=id, name=name, arguments=arguments_text(given))
    elif kind == "tool_result":
        id, failed = wire.get("tool_use_id"), wire.get("is_error")
        size = 3 if failed is None else 4
        if type(id) is str and len(wire) == size and (failed is None or type(failed) is bool):
            content = _result_content(wire.get("content"))
            if content is not None:
                return ToolResult(id=id, content=content, is_error=failed is True)
    return None


def plain_tool(wire: Json) -> Tool | None:
    """Read a tool of the client's own: a name, a description, a schema."""
    if type(wire) is not dict or len(wire) != 3:
        return None
    name, said, schema = wire.get("name"), wire.get("description"), wire.get("input_schema")
    if type(name) is str and type(said) is str and type(schema) is dict:
        return Tool(name=name, description=said, parameters=schema)
    return None


def _result_content(wire: Json) -> tuple[Text, ...] | None:
    if type(wire) is str:
        return (Text(text=wire),) if wire else ()
    if type(wire) is not list:
        return None
    texts: list[Text] = []
    for item in wire:
        text = plain_part(item)
        if type(text) is not Text:
            return None
        texts.append(text)
    return tuple(texts)
