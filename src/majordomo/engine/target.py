"""One provider plus one model id: where a request goes, and as whom."""

from collections.abc import Mapping
from functools import cached_property
from urllib.parse import quote

from msgspec import Struct

from majordomo.catalog.families import capabilities_for
from majordomo.catalog.provider import AuthStyle, Provider
from majordomo.contract import Capabilities, InvalidRequest, Unauthorized


class Target(Struct, frozen=True, kw_only=True, dict=True):
    provider: Provider
    model: str  # verbatim: it may hold `/` and `:`
    capabilities: Capabilities

    @cached_property
    def name(self) -> str:
        return f"{self.provider.name}/{self.model}"

    @cached_property
    def base_url(self) -> str:
        """Where its calls begin: `{model}` in a provider's address is its model."""
        address = self.provider.base_url.rstrip("/")
        return address.replace("{model}", quote(self.model, safe="")) if "{" in address else address


def target(provider: Provider, model: str) -> Target:
    """Put the two together, with what is known of that model there."""
    if not provider.base_url:
        raise InvalidRequest(f"provider {provider.name!r} has no address: give its base_url")
    return Target(provider=provider, model=model, capabilities=capabilities_for(provider, model))


def auth_headers(provider: Provider, environ: Mapping[str, str]) -> dict[str, str]:
    """Say who pays. The key is read at every call, so a rotated one needs no restart."""
    if provider.auth == "none":
        return {}
    key = provider.key or _from_environment(provider.key_env, environ)
    if not key:
        if provider.key_required:
            names = " or ".join(provider.key_env) or "a key"
            raise Unauthorized(f"no API key: set {names}")
        return {}
    if not (key.isascii() and key.isprintable()):
        raise Unauthorized("the API key has characters that no header can carry")
    return {_HEADERS[provider.auth]: f"Bearer {key}" if provider.auth == "bearer" else key}


def _from_environment(names: tuple[str, ...], environ: Mapping[str, str]) -> str:
    """Give the first that is set; a trailing line break from a secrets file is no part of it."""
    return next((key for name in names if (key := environ.get(name, "").strip())), "")


_HEADERS: dict[AuthStyle, str] = {
    "bearer": "authorization",
    "x-api-key": "x-api-key",
    "x-goog-api-key": "x-goog-api-key",
    "api-key": "api-key",
}
