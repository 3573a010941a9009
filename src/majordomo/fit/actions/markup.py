"""Values written between tags: text that becomes what the schema says it is."""

import html
import re

from majordomo.contract import Json, JsonObject

from .schema import Schema, properties, resolve, types
from .text_value import read_text

_CHILD = re.compile(r"\s*<([A-Za-z0-9_][\w.-]*)(?:\s[^<>]*)?(/?)>")
_CDATA = re.compile(r"\s*<!\[CDATA\[(.*)\]\]>\s*", re.DOTALL)
_ENTITY = re.compile(r"&(?:lt|gt|amp|quot|apos|#\d{1,6}|#x[0-9a-fA-F]{1,6});")


def typed(values: JsonObject, schema: Schema) -> JsonObject:
    """Read each value as its declared type: text stays as written, the rest is read as JSON."""
    declared = properties(schema, schema)
    return {
        name: _typed(value, resolve(declared.get(name), schema), schema)
        for name, value in values.items()
    }


def _typed(value: Json, schema: Schema, root: Schema) -> Json:
    if isinstance(value, list):
        return [_typed(item, schema, root) for item in value]
    if not isinstance(value, str):
        return value
    names = types(schema, root)
    verbatim = _CDATA.fullmatch(value)
    if verbatim is not None:
        text = verbatim.group(1)
    else:
        text = html.unescape(value) if _ENTITY.search(value) else value
    if names == ("string",) or not value.strip():
        return text
    stripped = text.strip()
    if "string" not in names and (stripped[:1] in "{[" or names):
        found = read_text(stripped)
        if found is not None:
            return found
        children = elements(stripped)
        if children is not None and names:
            return _unwrapped(children) if len(children) == 1 else children
    return stripped if names and "string" not in names else text


def _unwrapped(children: JsonObject) -> Json:
    ((name, only),) = children.items()
    return only if name in {"value", "item"} and isinstance(only, str) else children


def elements(text: str) -> JsonObject | None:
    """Read `<a>1</a><b>2</b>` as an object; a tag that comes twice is a list."""
    found: JsonObject = {}
    pos = 0
    while pos < len(text):
        opening = _CHILD.match(text, pos)
        if opening is None:
            return found if found and not text[pos:].strip() else None
        name = opening.group(1)
        if opening.group(2):
            value, pos = "", opening.end()
        else:
            end = text.find(f"</{name}>", opening.end())
            if end < 0:
                return None
            value, pos = text[opening.end() : end], end + len(name) + 3
        _add(found, name, value)
    return found or None


def _add(found: JsonObject, name: str, text: str) -> None:
    nested = elements(text) if "<" in text else None
    value: Json = nested if nested is not None else text.strip()
    before = found.get(name)
    if before is None:
        found[name] = value
    elif isinstance(before, list):
        before.append(value)
    else:
        found[name] = [before, value]
