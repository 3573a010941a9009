"""JSON Schema as a TypeScript-like signature: what a model needs to know in fewer tokens."""

import re
from collections.abc import Sequence
from typing import TypeAlias

from majordomo.contract import Json, Tool
from majordomo.dialects.json import write_text

from .schema import Schema, branches, properties, required, resolve, types

_IDENTIFIER = re.compile(r"[A-Za-z_$][\w$]*")
_SPACE = re.compile(r"\s+")
_SENTENCE = re.compile(r"[.!?](?=\s)|\n")
_LONGEST_REMARK = 240
_MAX_DEPTH = 8
_MAX_LISTS = 32
_WORDS = {"string": "string", "integer": "int", "number": "number", "boolean": "boolean"}
_LIMITS = (
    ("minimum", "≥{}"),
    ("exclusiveMinimum", ">{}"),
    ("maximum", "≤{}"),
    ("exclusiveMaximum", "<{}"),
    ("minLength", "at least {} characters"),
    ("maxLength", "at most {} characters"),
    ("minItems", "at least {} items"),
    ("maxItems", "at most {} items"),
    ("pattern", "matches {}"),
    ("format", "{}"),
)


_Around: TypeAlias = tuple[Schema, ...]  # the lists a type is written in


def signatures(tools: Sequence[Tool], *, longest: int = 600) -> str:
    return "\n\n".join(signature(tool, longest=longest) for tool in tools if not tool.hosted)


def signature(tool: Tool, *, longest: int = 600) -> str:
    """Write a tool as a comment and a function; descriptions end with the sentence that fits."""
    head = _comment(shortened(tool.description, longest))
    root = tool.parameters
    shape = _object(root, root, 0, ()) if properties(root, root) else "{}"
    return f"{head}{tool.name}({shape})"


def shortened(text: str, longest: int) -> str:
    """Cut a text at the end of a sentence or line, or at a word where there is none."""
    text = text.strip()
    if len(text) <= longest:
        return text
    head = text[:longest]
    ends = [found.end() for found in _SENTENCE.finditer(head) if found.end() > longest // 3]
    return head[: ends[-1]].rstrip() if ends else head.rpartition(" ")[0].rstrip() + " …"


def _comment(description: str) -> str:
    text = description.strip()
    if not text:
        return ""
    return "".join(f"// {line.rstrip()}\n" for line in text.split("\n") if line.strip())


def _object(schema: Schema, root: Schema, depth: int, around: _Around) -> str:
    declared = properties(schema, root)
    if not declared:
        return _map(schema, root, depth, around)
    needed = required(schema, root)
    pad = "  " * (depth + 1)
    lines = [
        f"{pad}{_key(name)}{'' if name in needed else '?'}: "
        f"{_type(schema, root, depth + 1, around)}{_remark(schema, value)}"
        for name, value in declared.items()
        for schema in (resolve(value, root),)
    ]
    return "{\n" + "\n".join(lines) + "\n" + "  " * depth + "}"


def _map(schema: Schema, root: Schema, depth: int, around: _Around) -> str:
    values = schema.get("additionalProperties")
    if isinstance(values, dict) and values:
        return f"{{[key]: {_type(resolve(values, root), root, depth + 1, around)}}}"
    return "object"


def _key(name: str) -> str:
    return name if _IDENTIFIER.fullmatch(name) else write_text(name)


def _type(schema: Schema, root: Schema, depth: int, around: _Around) -> str:
    if depth > _MAX_DEPTH:
        return "any"
    listed = schema.get("enum")
    if isinstance(listed, list):
        return " | ".join(write_text(value) for value in listed)
    if "const" in schema:
        return write_text(schema["const"])
    options = branches(schema, root)
    if options != [schema]:
        return " | ".join(dict.fromkeys(_type(option, root, depth, around) for option in options))
    names = types(schema, root)
    written = [_named(name, schema, root, depth, around) for name in names]
    return " | ".join(dict.fromkeys(written)) or "any"


def _named(name: str, schema: Schema, root: Schema, depth: int, around: _Around) -> str:
    if name == "object":
        return _object(schema, root, depth, around)
    if name == "array":
        return _array(schema, root, depth, around)
    return _WORDS.get(name, name)


def _array(schema: Schema, root: Schema, depth: int, around: _Around) -> str:
    """Write a list; one that holds itself is written twice, and after that as anything."""
    if len(around) > _MAX_LISTS or sum(one is schema for one in around) > 1:
        return "any[]"
    around = (*around, schema)
    heads = schema.get("prefixItems")
    if isinstance(heads, list):
        return f"[{', '.join(_type(resolve(item, root), root, depth, around) for item in heads)}]"
    items = _type(resolve(schema.get("items"), root), root, depth, around)
    return f"({items})[]" if " | " in items and not items.startswith("{") else f"{items}[]"


def _remark(schema: Schema, written: Json) -> str:
    """Say behind a property what its type cannot: meaning, limits, default."""
    parts: list[str] = []
    described = written.get("description") if isinstance(written, dict) else None
    described = described or schema.get("description")
    if isinstance(described, str) and described.strip():
        parts.append(shortened(_SPACE.sub(" ", described.strip()), _LONGEST_REMARK))
    limits = [form.format(_plain(schema[word])) for word, form in _LIMITS if word in schema]
    if limits:
        parts.append(", ".join(limits))
    if schema.get("default") is not None:
        parts.append(f"default {write_text(schema['default'])}")
    return f" // {'; '.join(parts)}" if parts else ""


def _plain(value: Json) -> str:
    return value if isinstance(value, str) else write_text(value)
