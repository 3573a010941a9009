"""What a caller writes, read as a chain: `openai/gpt-x, openrouter/anthropic/claude-x, cheap`."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from difflib import get_close_matches
from typing import Literal

from msgspec import Struct

from majordomo.contract import InvalidRequest


class Target(Struct, frozen=True):
    """One provider and one of its models; the id is verbatim and may hold `/` and `:`."""

    provider: str
    model: str

    def __str__(self) -> str:
        return f"{self.provider}/{self.model}"


class BadSpec(InvalidRequest):
    """A spec that names no chain."""

    def __init__(self, message: str, *, status: int = 400) -> None:
        super().__init__(message, status=status, code="bad_spec", parameter="model")


def parse_spec(spec: str, aliases: Mapping[str, str]) -> tuple[Target, ...]:
    """Read a spec as the targets to try, in order: aliases inline, the first of equals kept."""
    return tuple(dict.fromkeys(_targets(spec, aliases, ())))


def check_alias(name: str) -> None:
    """Refuse a name that could never be written as an alias in a spec."""
    if not name or name != name.strip() or "/" in name or "," in name:
        raise BadSpec(f"{name!r} cannot be an alias: it needs a name without `/`, `,` or space")


def unknown(kind: Literal["alias", "provider"], name: str, known: Iterable[str]) -> BadSpec:
    """Say that a name is not known, what is, and which was probably meant."""
    names = sorted(known)
    nearest = _nearest(name, names)
    hint = f"; did you mean {nearest!r}?" if nearest else ""
    there = f"known: {', '.join(names)}" if names else "none is known"
    return BadSpec(f"unknown {kind} {name!r}{hint} ({there})", status=404)


def _targets(spec: str, aliases: Mapping[str, str], path: tuple[str, ...]) -> Iterator[Target]:
    for element in _elements(spec, path):
        provider, slash, model = element.partition("/")
        if not slash:
            yield from _expanded(element, aliases, path)
        elif provider.strip() and model.strip():
            yield Target(provider.strip(), model.strip())
        else:
            missing = "model id" if provider.strip() else "provider"
            raise BadSpec(f"{element!r} names no {missing}{_inside(path)}")


def _elements(spec: str, path: tuple[str, ...]) -> Iterator[str]:
    elements = [element.strip() for element in spec.split(",")]
    if elements == [""]:
        raise BadSpec(f"the spec{_inside(path)} is empty")
    for position, element in enumerate(elements, 1):
        if not element:
            raise BadSpec(f"element {position} of {spec!r}{_inside(path)} is empty")
        yield element


def _expanded(alias: str, aliases: Mapping[str, str], path: tuple[str, ...]) -> Iterator[Target]:
    if alias in path:
        loop = " -> ".join((*path[path.index(alias) :], alias))
        raise BadSpec(f"alias {alias!r} stands for itself: {loop}")
    if alias not in aliases:
        raise unknown("alias", alias, aliases)
    yield from _targets(aliases[alias], aliases, (*path, alias))


def _inside(path: tuple[str, ...]) -> str:
    return f" (in alias {' -> '.join(path)})" if path else ""


def _nearest(name: str, names: list[str]) -> str:
    """Ignore case first: `OpenAI` means `openai`, whatever the letters' distance says."""
    fold: Callable[[str], str] = str.casefold
    by_fold = {fold(known): known for known in names}
    near = get_close_matches(fold(name), by_fold, n=1, cutoff=0.6)
    return by_fold[near[0]] if near else ""
