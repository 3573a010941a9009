"""From the model a client asks for to the spec that serves it."""

from fnmatch import fnmatchcase


def spec_for(model: str, routes: dict[str, str]) -> str:
    """Give the spec of the first route that matches, or the name itself.

    A spec may use `*` for what its pattern's `*` matched: `"ollama/*" = "home/*"`.
    """
    for pattern, spec in routes.items():
        if fnmatchcase(model, pattern):
            return spec.replace("*", _matched(model, pattern))
    return model


def _matched(model: str, pattern: str) -> str:
    head, star, tail = pattern.partition("*")
    return model[len(head) : len(model) - len(tail)] if star else model
