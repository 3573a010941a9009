"""`key: value` lines, the little of YAML that models write inside tags."""

import re

from majordomo.contract import Json, JsonObject

from .scalar import read_scalar
from .text_value import read_text

_KEY = re.compile(r"([A-Za-z_][\w.-]*)\s*:(?:[ \t]+(.*)|[ \t]*)$")


def mapping(text: str) -> JsonObject | None:
    """Read lines as an object; None when they are not all of it."""
    lines = [line.rstrip() for line in text.strip("\n").split("\n")]
    lines = [line for line in lines if not line.lstrip().startswith("#")]
    if not any(line.strip() for line in lines):
        return {}
    first = _KEY.match(lines[0])
    # The first line has lost its indent to whoever read up to it; a scalar has nothing below.
    plain = first is not None and (first.group(2) or "").strip()[:1] not in {"", "|", ">"}
    rest = lines[1:] if plain and any(line.strip() for line in lines[1:]) else lines
    indent = min(len(line) - len(line.lstrip()) for line in rest if line.strip())
    laid_out = [line[indent:] for line in rest]
    return _mapping([lines[0], *laid_out] if rest is not lines else laid_out)


def _mapping(lines: list[str]) -> JsonObject | None:
    found: JsonObject = {}
    index = 0
    while index < len(lines):
        line = lines[index]
        index += 1
        if not line.strip():
            continue
        key = _KEY.match(line)
        if key is None:
            return None
        below: list[str] = []
        while index < len(lines) and (not lines[index].strip() or lines[index][0] in " -"):
            below.append(lines[index])
            index += 1
        found[key.group(1)] = _value((key.group(2) or "").strip(), below)
    return found


def _value(head: str, below: list[str]) -> Json:
    if head[:1] in {"|", ">"} and len(head) <= 2:
        return _block(head, below)
    if not head:
        return _nested(below)
    if head[0] in "{[\"'":
        value = read_text("\n".join((head, *below)).strip())
        if value is not None:
            return value
    text = "\n".join((head, *below)).rstrip() if any(map(str.strip, below)) else head
    value, repair = read_scalar(text)
    return text if repair in {"refuse", "unquoted text"} else value


def _block(head: str, below: list[str]) -> str:
    body = list(below)
    while body and not body[-1].strip():
        body.pop()
    indent = min((len(line) - len(line.lstrip()) for line in body if line.strip()), default=0)
    joined = ("\n" if head[0] == "|" else " ").join(line[indent:] for line in body)
    return joined if head.endswith("-") else joined + "\n"


def _nested(below: list[str]) -> Json:
    items = [line.strip() for line in below if line.strip()]
    if not items:
        return None
    if all(item.startswith("- ") for item in items):
        return [_value(item[2:].strip(), []) for item in items]
    inner = mapping("\n".join(below))
    return inner if inner is not None else "\n".join(items)
