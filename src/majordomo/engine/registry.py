"""Names to models: providers, aliases, and everybody's health. Nothing in it is global."""

import os
from collections.abc import Mapping
from typing import Self

from msgspec.structs import replace

from majordomo.catalog.provider import Provider
from majordomo.catalog.providers import PROVIDERS
from majordomo.config.dsn import BadDsn, Configured, parse_dsn
from majordomo.config.env import PREFIX, from_env, load_env, provider_of
from majordomo.route import (
    Cooldown,
    HealthBook,
    HealthReport,
    Patience,
    check_alias,
    parse_spec,
    unknown,
)
from majordomo.route import Target as Named

from .chain import Chain
from .fitting import Fit, WholePipeline
from .http import Transport
from .outside import Outside
from .target import Target
from .terms import Chance

_PATIENCE = Patience()
_COOLDOWN = Cooldown()
_CHANCE = Chance()
_MOST_CHAINS = 1024  # specs may come from strangers


class Registry:
    """Reads specs as chains. Chains of one registry share its connections and its health book.

        async with Registry(aliases={"best": "anthropic/claude-x, openai/gpt-x"}) as registry:
            response = await registry.parse("best, ollama/qwen3").generate("Hello!")

    Providers added in code win over the environment's, which win over the built-in ones.
    """

    def __init__(  # noqa: PLR0913 -- each is a part somebody wants to replace
        self,
        *,
        providers: Mapping[str, Provider | str] | None = None,
        aliases: Mapping[str, str] | None = None,
        env: Mapping[str, str] | None = None,
        http_client: Transport | None = None,
        patience: Patience = _PATIENCE,
        cooldown: Cooldown = _COOLDOWN,
        fit: Fit | None = None,
        chance: Chance = _CHANCE,
        joined_text: bool = False,
    ) -> None:
        """`providers` may also be DSNs; `env` is the process's environment unless given.

        `joined_text` gives the text of one upstream read as one piece, for those who only pass
        it on: a burst of a hundred words is then one event.
        """
        self._env: Mapping[str, str] = os.environ if env is None else env
        self._outside = Outside(http_client=http_client, environ=self._env)
        self._patience = patience
        self._book = HealthBook(cooldown)
        self._fit: Fit = fit or WholePipeline()
        self._chance = chance
        self._joined_text = joined_text
        self._providers: dict[str, Configured] = {}
        self._aliases: dict[str, str] = {}
        self._chains: dict[str, Chain] = {}  # they hold no state, so each is made once
        for name, provider in (providers or {}).items():
            self.add_provider(provider, name=name)
        for name, spec in (aliases or {}).items():
            self.alias(name, spec)

    def parse(self, spec: str, *, patience: Patience | None = None) -> Chain:
        """Read a spec as a model. Nothing is sent, and no environment but `LLM_*` is read."""
        if patience is not None:
            return self._chain(spec, patience)
        chain = self._chains.get(spec)
        if chain is None:
            chain = self._chain(spec, self._patience)
            if len(self._chains) >= _MOST_CHAINS:
                self._chains.clear()
            self._chains[spec] = chain
        return chain

    def add_provider(self, provider: Provider | str, *, name: str = "") -> None:
        """Add a provider, or the DSN of one under a name; an older one of that name goes."""
        self._chains.clear()
        if isinstance(provider, str):
            check_alias(name)
            self._providers[name] = parse_dsn(name, provider)
        else:
            named = name or provider.name
            check_alias(named)
            self._providers[named] = Configured(provider=replace(provider, name=named))

    def alias(self, name: str, spec: str) -> None:
        """Let a name stand for a spec; whether it makes sense shows when it is used."""
        check_alias(name)
        self._chains.clear()
        self._aliases[name] = spec

    def load_env(self) -> tuple[BadDsn, ...]:
        """Add every provider of the environment now; give back what is wrong with the others."""
        self._chains.clear()
        loaded = load_env(self._env)
        self._providers = {**loaded.providers, **self._providers}
        return loaded.problems

    @property
    def aliases(self) -> dict[str, str]:
        return dict(self._aliases)

    @property
    def providers(self) -> dict[str, Provider]:
        """Every provider that is known without looking one up."""
        added = {name: configured.provider for name, configured in self._providers.items()}
        return {**PROVIDERS, **added}

    def provider(self, name: str) -> Configured:
        """Look a provider up: added in code, then the environment's, then built in."""
        if name in self._providers:
            return self._providers[name]
        found = from_env(name, self._env)
        if found is not None:
            self._providers[name] = found
            return found
        if name in PROVIDERS:
            return Configured(provider=PROVIDERS[name])
        in_env = {provider_of(each) for each in self._env if each.startswith(PREFIX)}
        raise unknown("provider", name, {*self.providers, *in_env})

    def health(self, *specs: str) -> tuple[HealthReport, ...]:
        """Say how targets have been doing: those of the specs, or all that have failed lately."""
        targets = [str(t) for spec in specs for t in parse_spec(spec, self._aliases)]
        return self._book.snapshot(self._chance.clock(), targets)

    async def aclose(self) -> None:
        await self._outside.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()

    def _chain(self, spec: str, patience: Patience) -> Chain:
        return Chain(
            [self._target(target) for target in parse_spec(spec, self._aliases)],
            self._outside,
            book=self._book,
            patience=patience,
            fit=self._fit,
            chance=self._chance,
            joined_text=self._joined_text,
        )

    def _target(self, named: Named) -> Target:
        configured = self.provider(named.provider)
        return Target(
            provider=configured.provider,
            model=named.model,
            capabilities=configured.capabilities(named.model),
        )
