"""The two lines a newcomer writes."""

from collections.abc import Mapping

from msgspec.structs import replace

from majordomo.catalog.provider import Provider
from majordomo.engine.chain import Chain
from majordomo.engine.http import Transport
from majordomo.engine.registry import Registry
from majordomo.route import Patience


def model(
    spec: str,
    *,
    aliases: Mapping[str, str] | None = None,
    providers: Mapping[str, Provider | str] | None = None,
    patience: Patience | None = None,
    http_client: Transport | None = None,
) -> Chain:
    """Give the model a spec names: `openai/gpt-5-mini`, or a chain `anthropic/x, ollama/y`.

    Each call has connections and health of its own; a program with several models makes one
    `Registry` and parses all of them there.
    """
    registry = Registry(
        providers=providers or {},
        aliases=aliases,
        http_client=http_client,
        patience=patience or Patience(),
    )
    return registry.parse(spec)


def emulated(chain: Chain) -> Chain:
    """Give the same model with tool calling through its text, whatever it has of its own."""
    return chain.with_targets(
        [
            replace(target, capabilities=replace(target.capabilities, tools="emulated"))
            for target in chain.targets
        ]
    )
