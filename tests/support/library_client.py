"""The library as a client of the wall of faults: one spec, two providers, nothing else."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from msgspec.structs import replace

from majordomo.contract import Failure, ResponseDone, TextDelta
from majordomo.engine.registry import Registry
from majordomo.engine.transport import AiohttpTransport
from majordomo.route import Cooldown, Patience

from .fault_wall import Answer, Asking


@asynccontextmanager
async def library(primary: str, fallback: str, scale: float) -> AsyncGenerator[Asking]:
    """Ask through a chain, streaming, with the default patience and cooldown to scale."""
    transport = AiohttpTransport()  # loaded now, not inside the first request's deadlines
    registry = Registry(
        providers={"primary": _dsn(primary), "fallback": _dsn(fallback)},
        env={},
        http_client=transport,
        patience=patience(scale),
        cooldown=cooldown(scale),
    )
    async with registry:
        model = registry.parse("primary/m,fallback/m")

        async def ask() -> Answer:
            said: list[str] = []
            try:
                async for event in model.stream("Say sixty words."):
                    if isinstance(event, TextDelta):
                        said.append(event.text)
                    elif isinstance(event, ResponseDone):
                        done = event.response
                        assert done.text == "".join(said)
                        return Answer(
                            text="".join(said),
                            finished=True,
                            model=done.model,
                            output=done.usage.output,
                        )
            except Failure as failure:
                return Answer(text="".join(said), error=f"{type(failure).__name__}: {failure}")
            raise AssertionError("a stream ended without its response and without an error")

        yield ask
    await transport.aclose()


def patience(scale: float) -> Patience:
    full = Patience()
    return replace(
        full,
        retry_after=full.retry_after * scale,
        backoff=full.backoff * scale,
        backoff_cap=full.backoff_cap * scale,
        first_token=(full.first_token or 0.0) * scale,
        silence=(full.silence or 0.0) * scale,
        idle=(full.idle or 0.0) * scale,
    )


def cooldown(scale: float) -> Cooldown:
    full = Cooldown()
    return replace(full, base=full.base * scale, cap=full.cap * scale, long=full.long * scale)


def _dsn(url: str) -> str:
    return f"openai+http://key@{url.removeprefix('http://')}/v1"
