"""What a docstring says of a function and its parameters: Google, NumPy and Sphinx style."""

import inspect
import re

from msgspec import Struct

_HEADS = re.compile(
    r"(args|arguments|parameters|params|attributes|returns?|yields?|raises|examples?|notes?|"
    r"see also|references|warnings?)\s*:?",
    re.IGNORECASE,
)
_OURS = frozenset({"args", "arguments", "parameters", "params", "attributes"})
_FIELD = re.compile(
    r":(?:param|parameter|arg|attribute|ivar)\s+(?:[^:]*\s)?\*{0,2}(\w+)\s*:\s*(.*)"
)
_OTHER_FIELD = re.compile(r":\w+[^:]*:")
_ENTRY = re.compile(r"\*{0,2}(\w+)\s*(?:\([^)]*\))?\s*:\s*(.*)")
_NUMPY_ENTRY = re.compile(r"\*{0,2}(\w+)\s*(?::.*)?")


class Doc(Struct, frozen=True, kw_only=True):
    summary: str = ""
    parameters: dict[str, str] = {}


def read_docstring(text: str | None) -> Doc:
    if not text:
        return Doc()
    summary: list[str] = []
    found: dict[str, list[str]] = {}
    section, current, numpy = "", "", False
    lines = inspect.cleandoc(text).splitlines()
    for index, line in enumerate(lines):
        head = _head(line)
        if head:
            section, current = head, ""
            numpy = index + 1 < len(lines) and set(lines[index + 1].strip()) == {"-"}
        elif field := _FIELD.match(line):
            section, current = "args", field[1]
            found[current] = [field[2]]
        elif _OTHER_FIELD.match(line):
            section, current = "other", ""
        elif not section:
            summary.append(line)
        elif section in _OURS:
            current = _parameter(line, current, found, numpy=numpy)
    return Doc(
        summary=" ".join(" ".join(summary).split()) if summary else "",
        parameters={name: " ".join(" ".join(words).split()) for name, words in found.items()},
    )


def _head(line: str) -> str:
    found = _HEADS.fullmatch(line)
    if found is None:
        return ""
    name = found[1].lower()
    return name if line.endswith(":") or line == found[1].title() else ""


def _parameter(line: str, current: str, found: dict[str, list[str]], *, numpy: bool) -> str:
    """Add one line of a section about parameters; give the parameter it belongs to."""
    words = line.strip()
    if not words or set(words) == {"-"}:
        return current
    indent = len(line) - len(line.lstrip())
    entry = _NUMPY_ENTRY.fullmatch(words) if numpy else _ENTRY.match(words)
    if entry and (indent == 0 if numpy else indent <= 4):
        found[entry[1]] = [] if numpy else [entry[2]]
        return entry[1]
    if current:
        found[current].append(words)
    return current
