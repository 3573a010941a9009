"""A chain whose targets are scripted servers called a, b, c and so on."""

import asyncio
from collections.abc import AsyncGenerator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from typing import TypeAlias

import pytest
from msgspec import Struct
from msgspec.structs import replace

from majordomo.contract import Capabilities, DialectName, Event, Finish, Start, TextDelta, Usage
from majordomo.engine.chain import Chain
from majordomo.engine.fitting import Fit, as_it_is
from majordomo.engine.outside import Outside
from majordomo.engine.target import Target
from majordomo.engine.terms import Chance
from majordomo.engine.transport import AiohttpTransport
from majordomo.route import HealthBook, Patience
from majordomo.testing import DialectServer, Script

from .asking import provider_at
from .transports import Client

# Long enough for a busy machine, short enough for a test that fails.
QUICK = Patience(backoff=0.001, first_token=5.0, silence=5.0, idle=5.0)
PLAIN = Capabilities(images=None)
PREFILL = Capabilities(prefill=True)


PACE = QUICK.first_token  # of tests that have no wish of their own


@pytest.fixture(params=["raced", "unhurried"])
def pace(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Play a test with the next target ready to race the first, and with nobody in a hurry."""
    if request.param == "unhurried":
        monkeypatch.setitem(globals(), "PACE", None)


class Upstream(Struct, frozen=True, kw_only=True):
    script: Script
    capabilities: Capabilities = PLAIN
    dialect: DialectName = "openai_chat"


Links: TypeAlias = Sequence[Upstream | Script]


class Rig(Struct, kw_only=True):
    chain: Chain
    servers: list[DialectServer]
    book: HealthBook

    @property
    def asked(self) -> list[int]:
        """How often each target was asked."""
        return [len(server.requests) for server in self.servers]


@asynccontextmanager
async def chained(
    *links: Upstream | Script,
    patience: Patience = QUICK,
    fit: Fit = as_it_is,
    client: Client = AiohttpTransport,
) -> AsyncGenerator[Rig]:
    transport = client()
    async with AsyncExitStack() as stack:
        stack.push_async_callback(transport.aclose)
        ups = [link if isinstance(link, Upstream) else Upstream(script=link) for link in links]
        servers = [
            await stack.enter_async_context(DialectServer(up.dialect, up.script)) for up in ups
        ]
        book = HealthBook()
        if patience.first_token == QUICK.first_token:
            patience = replace(patience, first_token=PACE)
        chain = Chain(
            [_target(n, s, u) for n, s, u in zip("abcdef", servers, ups, strict=False)],
            Outside(http_client=transport),
            book=book,
            patience=patience,
            fit=fit,
            chance=Chance(dice=lambda: 0.5),
        )
        yield Rig(chain=chain, servers=servers, book=book)


def reply(*words: str, tokens: int = 7) -> list[Event]:
    finish = Finish(reason="stop", usage=Usage(input=3, output=tokens))
    return [Start(model="m"), *(TextDelta(text=word) for word in words), finish]


def others() -> set[asyncio.Task[object]]:
    """Every task but the one that asks."""
    return {task for task in asyncio.all_tasks() if task is not asyncio.current_task()}


def _target(name: str, server: DialectServer, upstream: Upstream) -> Target:
    provider = provider_at(server.url, upstream.dialect)
    named = type(provider)(
        name=name,
        dialect=provider.dialect,
        base_url=provider.base_url,
        key=provider.key,
        auth=provider.auth,
    )
    return Target(provider=named, model="x", capabilities=upstream.capabilities)
