"""A model whose target is a scripted server, for tests of what lies between."""

from majordomo.catalog import PROVIDERS, Provider, Timeouts
from majordomo.contract import Capabilities, DialectName
from majordomo.engine.http import Transport
from majordomo.engine.model import Endpoint, TargetModel
from majordomo.engine.outside import Outside
from majordomo.testing import DialectServer

_ROWS: dict[DialectName, str] = {
    "openai_chat": "openai",
    "openai_responses": "openai-responses",
    "anthropic": "anthropic",
    "ollama": "ollama",
    "gemini": "gemini",
}
_PATIENT = Timeouts(connect=5, first_byte=5, idle=5)
DIALECTS: tuple[DialectName, ...] = tuple(_ROWS)


def provider_at(
    url: str,
    dialect: DialectName = "ollama",
    *,
    timeouts: Timeouts = _PATIENT,
    capabilities: Capabilities | None = None,
) -> Provider:
    """Give the dialect's own provider, moved to `url`."""
    row = PROVIDERS[_ROWS[dialect]]
    return Provider(
        name="test",
        dialect=dialect,
        base_url=url + ("/v1" if dialect.startswith("openai") else ""),
        key="" if row.auth == "none" else "secret",
        auth=row.auth,
        capabilities=capabilities or row.capabilities,
        wire=row.wire,
        timeouts=timeouts,
    )


def model_at(
    server: DialectServer | str,
    dialect: DialectName = "ollama",
    *,
    timeouts: Timeouts = _PATIENT,
    capabilities: Capabilities | None = None,
    http_client: Transport | None = None,
) -> TargetModel:
    url = server if isinstance(server, str) else server.url
    provider = provider_at(url, dialect, timeouts=timeouts, capabilities=capabilities)
    return Endpoint(provider, Outside(http_client=http_client)).model("m")
