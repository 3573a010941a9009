"""Providers from the environment: `LLM_<NAME>=<dsn>` makes provider `<name>`."""

from collections.abc import Mapping

from msgspec import Struct

from .dsn import BadDsn, Configured, parse_dsn

PREFIX = "LLM_"


class Loaded(Struct, frozen=True, kw_only=True):
    """Everything the environment says, and everything that is wrong with it."""

    providers: dict[str, Configured]
    problems: tuple[BadDsn, ...] = ()


def variable_of(provider: str) -> str:
    """Name the variable that would hold this provider: `my-box` is `LLM_MY_BOX`."""
    return PREFIX + provider.upper().replace("-", "_")


def provider_of(variable: str) -> str:
    return variable.removeprefix(PREFIX).lower().replace("_", "-")


def from_env(provider: str, environ: Mapping[str, str]) -> Configured | None:
    """Look one provider up; None if the environment does not know it."""
    variable = variable_of(provider)
    dsn = environ.get(variable, "").strip()
    return parse_dsn(provider, dsn, variable=variable) if dsn else None


def load_env(environ: Mapping[str, str]) -> Loaded:
    """Read every `LLM_` variable; one that is wrong does not hide the others."""
    providers: dict[str, Configured] = {}
    problems: list[BadDsn] = []
    for variable in sorted(environ):
        name = provider_of(variable)
        if not variable.startswith(PREFIX) or not name or not environ[variable].strip():
            continue
        try:
            providers[name] = parse_dsn(name, environ[variable], variable=variable)
        except BadDsn as problem:
            problems.append(problem)
    return Loaded(providers=providers, problems=tuple(problems))
