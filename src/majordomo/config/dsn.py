"""A provider in one line: `scheme://[key@]host[:port][/path][?option=value…]`.

What is wrong with one is said without showing any of it: a key in the wrong place is still a
key, and error messages end up in logs.
"""

from collections.abc import Iterable
from difflib import get_close_matches
from urllib.parse import SplitResult, parse_qsl, unquote, urlsplit

from msgspec import Struct
from msgspec.structs import replace

from majordomo.catalog.families import capabilities_for
from majordomo.catalog.limits import COMPATIBLE
from majordomo.catalog.provider import Provider
from majordomo.catalog.providers import PROVIDERS
from majordomo.contract import Capabilities, InvalidRequest

from .option import (
    OPTIONS,
    BadValue,
    Option,
    Value,
    set_on_capabilities,
    set_on_provider,
)

SCHEMES = ("openai", "openai-responses", "anthropic", "ollama", "foreman", "gemini")


class BadDsn(InvalidRequest):
    """`name` is the variable or setting that holds it."""

    def __init__(self, name: str, problem: str) -> None:
        super().__init__(f"{name}: {problem}", parameter=name, code="bad_dsn")
        self.name = name
        self.problem = problem


class Configured(Struct, frozen=True, kw_only=True):
    """A provider, and what was said about it that no knowledge of its models may override."""

    provider: Provider
    settings: tuple[tuple[Option, Value], ...] = ()

    def capabilities(self, model: str) -> Capabilities:
        capabilities = capabilities_for(self.provider, model)
        for option, value in self.settings:
            capabilities = set_on_capabilities(capabilities, option, value)
        return capabilities


def parse_dsn(name: str, dsn: str, *, variable: str = "") -> Configured:
    """Read the DSN of provider `name`; problems are reported as those of `variable`."""
    said = variable or name
    parts = _split(dsn.strip(), said)
    scheme, tls = _scheme(parts.scheme, said)
    row = PROVIDERS[scheme]
    provider = replace(row, name=name, base_url=_base_url(parts, row, said, tls=tls))
    provider = _as_whom(provider, row, parts)
    settings = tuple(_settings(parts.query, said))
    for option, value in settings:
        provider = set_on_provider(provider, option, value)
    return Configured(provider=provider, settings=settings)


def _split(dsn: str, said: str) -> SplitResult:
    if "://" not in dsn:
        raise BadDsn(said, "is not of the form scheme://[key@]host[:port][/path][?options]")
    try:
        parts = urlsplit(dsn)
        port = parts.port
    except ValueError:
        raise BadDsn(said, "has a host or port that cannot be read") from None
    if parts.fragment or "@" in parts.path or "@" in parts.query:
        raise BadDsn(said, "has a `/`, `?` or `#` in its key: write it as %2F, %3F or %23")
    if not parts.hostname or port == 0:
        raise BadDsn(said, "names no host" if port != 0 else "has a host or port of zero")
    return parts


def _scheme(written: str, said: str) -> tuple[str, bool]:
    scheme, plus, transport = written.partition("+")
    if scheme not in SCHEMES:
        near = _nearest(scheme, SCHEMES)
        raise BadDsn(said, f"has an unknown scheme{near} (known: {', '.join(SCHEMES)})")
    if plus and transport != "http":
        raise BadDsn(said, f"may only say {scheme}:// or {scheme}+http://")
    return scheme, not plus


def _base_url(parts: SplitResult, row: Provider, said: str, *, tls: bool) -> str:
    host = parts.hostname or ""
    if not host.isascii() or any(letter in host for letter in " %\\\"'<>"):
        raise BadDsn(said, "has a host that is no host name")
    shown = f"[{host}]" if ":" in host else host
    port = f":{parts.port}" if parts.port is not None else ""
    path = parts.path.rstrip("/") or urlsplit(row.base_url).path
    return f"{'https' if tls else 'http'}://{shown}{port}{path}"


def _as_whom(provider: Provider, row: Provider, parts: SplitResult) -> Provider:
    """Send a key only where it belongs: the usual variables go to the usual host alone."""
    userinfo, at, _ = parts.netloc.rpartition("@")
    key = unquote(userinfo) if at else ""
    if key:
        auth = "bearer" if row.auth == "none" else row.auth
        return replace(provider, key=key, key_env=(), auth=auth, **_compatible(row, parts))
    if parts.hostname == urlsplit(row.base_url).hostname:
        return provider
    return replace(provider, key_env=(), key_required=False, **_compatible(row, parts))


def _compatible(row: Provider, parts: SplitResult) -> dict[str, Capabilities]:
    """Expect no more of somebody else's server than what all of its kind can do."""
    own = urlsplit(row.base_url).hostname
    if row.dialect == "openai_chat" and parts.hostname != own:
        return {"capabilities": COMPATIBLE}
    return {}


def _settings(query: str, said: str) -> Iterable[tuple[Option, Value]]:
    seen: set[str] = set()
    for position, (name, text) in enumerate(parse_qsl(query, keep_blank_values=True), 1):
        option = OPTIONS.get(name)
        if option is None:
            near = _nearest(name, OPTIONS)
            raise BadDsn(said, f"has an unknown option in place {position}{near}")
        if name in seen:
            raise BadDsn(said, f"sets {name} twice")
        seen.add(name)
        try:
            yield option, option.read(text)
        except BadValue as error:
            raise BadDsn(said, f"{name} {error}") from None


def _nearest(name: str, known: Iterable[str]) -> str:
    near = get_close_matches(name.lower(), list(known), n=1)
    return f"; did you mean {near[0]!r}?" if near else ""
