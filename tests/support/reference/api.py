"""The page about the Python API, from signatures, fields and docstrings."""

import inspect
import re
from collections.abc import Callable, Iterator

import msgspec
from msgspec import Struct

import majordomo

from .field import code, rows, table

_GROUPS: tuple[tuple[str, Callable[[object], bool]], ...] = (
    ("Models", lambda value: _module(value).startswith(("majordomo.engine", "majordomo.front"))),
    ("Tools and agents", lambda value: _module(value).startswith("majordomo.agent")),
    (
        "Providers and patience",
        lambda v: _module(v).startswith(("majordomo.catalog", "majordomo.route")),
    ),
    ("Failures", lambda value: isinstance(value, type) and issubclass(value, Exception)),
    ("Events", lambda value: _module(value) == "majordomo.contract.event"),
    ("Values", lambda value: isinstance(value, type)),
    ("Functions", inspect.isfunction),
    ("Names for types, and constants", lambda _: True),
)


def page() -> str:
    return "\n".join(_lines()) + "\n"


def _lines() -> Iterator[str]:
    yield "# Python"
    yield ""
    yield "<!-- Made by `make reference` from signatures and docstrings; a test compares. -->"
    yield ""
    yield "Everything here is imported from `majordomo`; each name is loaded when it is first used."
    left = {name: getattr(majordomo, name) for name in sorted(majordomo.__all__, key=str.lower)}
    for title, belongs in _GROUPS:
        here = {name: value for name, value in left.items() if belongs(value)}
        left = {name: value for name, value in left.items() if name not in here}
        if here:
            yield from _group(title, here)


def _group(title: str, values: dict[str, object]) -> Iterator[str]:
    yield ""
    yield f"## {title}"
    if title.startswith("Names"):
        yield ""
        yield from table(
            ("name", "what it is"), [(code(n), code(_brief(v))) for n, v in values.items()]
        )
        return
    if title == "Failures":
        yield ""
        lines = [(code(n), code(_base(v)), _first(inspect.getdoc(v))) for n, v in values.items()]
        yield from table(("name", "is a", ""), lines)
        yield ""
        yield "The tree of them is on [its own page](errors.md)."
        return
    for name, value in values.items():
        yield ""
        yield f"### {name}"
        if callable(value):
            yield from _value(name, value)


def _value(name: str, value: Callable[..., object]) -> Iterator[str]:
    doc, signature = _own_doc(value), _signature(value)
    if isinstance(value, type) and issubclass(value, Struct):
        yield from _words(doc)
        fields = list(rows(value))
        if fields:
            yield ""
            lines = [(code(r.name), code(r.kind), code(r.default), r.words) for r in fields]
            yield from table(("field", "type", "default", ""), lines)
    else:
        if signature:
            yield ""
            yield "```text"
            yield f"{name}{signature}"
            yield "```"
        yield from _words(doc)
    if isinstance(value, type):
        yield from _members(value)


def _members(kind: type) -> Iterator[str]:
    lines: list[tuple[str, str]] = []
    for name, member in vars(kind).items():
        if name.startswith("_") or inspect.ismemberdescriptor(member):
            continue
        if isinstance(member, property):
            lines.append((code(name), _first(inspect.getdoc(member))))
        elif inspect.isfunction(member):
            word = "async " if inspect.iscoroutinefunction(member) else ""
            lines.append(
                (code(f"{word}{name}{_signature(member)}"), _first(inspect.getdoc(member)))
            )
    if lines:
        yield ""
        yield from table(("member", ""), lines)


def _own_doc(value: object) -> str:
    """Give its own words: without any, a class would show those of its base."""
    own: object = vars(value).get("__doc__") if isinstance(value, type) else inspect.getdoc(value)
    return inspect.cleandoc(own) if isinstance(own, str) else ""


def _words(doc: str) -> Iterator[str]:
    """Give a docstring as Markdown; what it shows indented is code."""
    if doc:
        yield ""
        yield from doc.splitlines()


def _signature(value: Callable[..., object]) -> str:
    """Write it without the paths of modules, and without what a default is made of."""
    try:
        signature = inspect.signature(value)
    except (TypeError, ValueError):
        return ""
    parameters = [
        each.replace(default=_Default(each.default)) if each.default is not each.empty else each
        for each in signature.parameters.values()
        if each.name != "self"
    ]
    return _plain(str(signature.replace(parameters=parameters)))


class _Default:
    def __init__(self, value: object) -> None:
        self._value = value

    def __repr__(self) -> str:
        if isinstance(self._value, Struct):
            return f"{type(self._value).__name__}(…)"
        return repr(self._value)


def _plain(text: str) -> str:
    text = re.sub(r"\b(?:typing|collections\.abc|majordomo(?:\.\w+)*)\.", "", text)
    text = re.sub(r"\*<class '(?:[\w.]+\.)?(\w+)'>", r"Unpack[\1]", text)
    return re.sub(r"<class '(?:[\w.]+\.)?(\w+)'>", r"\1", text)


def _brief(value: object) -> str:
    if isinstance(value, Struct):
        return f"{type(value).__name__}({_set(value)})"
    text = _plain(str(value))
    return text if len(text) < 160 else text[:157] + "..."


def _set(value: Struct) -> str:
    blank = type(value)()
    names = [field.name for field in msgspec.structs.fields(value)]
    return ", ".join(
        f"{name}={getattr(value, name)!r}"
        for name in names
        if getattr(value, name) != getattr(blank, name)
    )


def _base(value: object) -> str:
    return value.__bases__[0].__name__ if isinstance(value, type) else ""


def _first(doc: str | None) -> str:
    """Give the first paragraph, on one line."""
    return " ".join((doc or "").partition("\n\n")[0].split())


def _module(value: object) -> str:
    module: object = getattr(value, "__module__", "")
    return module if isinstance(module, str) else ""
