"""Real clients' requests fitted to every other dialect: each body is valid in the SDK's types."""

from pathlib import Path

import pytest

from majordomo.catalog.families import capabilities_for
from majordomo.catalog.providers import PROVIDERS
from majordomo.contract import DialectName, Json, JsonObject, Unsupported
from majordomo.dialects.json import object_at, read
from majordomo.dialects.lookup import dialect
from majordomo.fit import fit
from majordomo.fit.ledger import DIALECTS
from support.schemas import assert_valid

_RECORDINGS = Path(__file__).parents[1] / "recordings"
RECORDED = [
    (source, path.name)
    for source in DIALECTS
    for path in sorted((_RECORDINGS / source / "requests").glob("*.json"))
]
TARGETS: dict[DialectName, tuple[str, str, str]] = {
    "openai_chat": ("openai", "gpt-4.1", "openai.chat.request"),
    "openai_responses": ("openai-responses", "gpt-6", "openai.responses.request"),
    "anthropic": ("anthropic", "claude-opus-5", "anthropic.request"),
    "ollama": ("ollama", "llama3.2", "ollama.request"),
    "gemini": ("gemini", "gemini-3-pro", "gemini.request"),
}


@pytest.mark.parametrize("target", DIALECTS)
@pytest.mark.parametrize(("source", "name"), RECORDED)
def test_a_recorded_request_is_valid_for_whoever_else_serves_it(
    source: DialectName, name: str, target: DialectName
) -> None:
    if source == target:
        return  # the dialects' own tests hold that pair to more
    recorded = object_at(read((_RECORDINGS / source / "requests" / name).read_bytes()), name)
    body = object_at(recorded.get("body", recorded), name)
    request = dialect(source).decode_request(body, model="m").request
    if not request.messages:
        return  # Ollama's way of loading a model: nothing is asked
    provider_name, model, schema = TARGETS[target]
    provider = PROVIDERS[provider_name]
    try:
        fitted = fit(request, capabilities_for(provider, model), dialect=target)
    except Unsupported as refusal:
        assert target == "ollama"
        assert "document" in refusal.message  # noqa: PT017 -- the only thing that may be refused
        return
    sent = dialect(target).encode_request(
        fitted.request, model=model, stream=False, wire=provider.wire
    )
    assert_valid(_as_the_sdk_types_it(object_at(read(sent.body), "body"), target), schema)


def _as_the_sdk_types_it(body: JsonObject, target: DialectName) -> JsonObject:
    """Undo two quirks of SDK types that no server has."""
    tools: list[Json] = []
    given = body.get("tools")
    for tool in given if isinstance(given, list) else []:
        one = dict(object_at(tool, "tools"))
        if target == "openai_responses" and one.get("type") == "function":
            one.setdefault("strict", None)  # required in the type, optional on the wire
        if target == "ollama":  # its type names a few keywords, its server takes them all
            function = dict(object_at(one["function"], "function"))
            function.pop("parameters", None)
            one["function"] = function
        tools.append(one)
    return {**body, "tools": tools} if tools else body
