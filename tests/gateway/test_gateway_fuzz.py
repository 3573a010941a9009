"""Damaged requests at every door: a reply in shape, never a 500, never a hang, nothing logged."""

import asyncio
import logging
import random

import pytest

from majordomo.engine.registry import Registry
from majordomo.gateway.app import App
from majordomo.gateway.service import Service
from support.asgi import call
from support.canned import DSNS, Canned
from support.captures import Capture, captures
from support.gateway import Known
from support.mutation import damaged
from support.shapes import fault

pytestmark = pytest.mark.anyio

ROUNDS, EACH = 20, 500
POSTS = [capture for capture in captures().values() if capture.method == "POST"]


def gateway(upstream: str) -> App:
    """Let the real engine encode for one dialect, over a transport that needs no socket."""
    registry = Registry(providers={"up": upstream}, env={}, http_client=Canned())
    return App(Service(Known(registry), default="up/m"))


@pytest.mark.parametrize("seed", range(ROUNDS))
async def test_a_damaged_request_gets_a_reply_in_shape(
    seed: int, caplog: pytest.LogCaptureFixture
) -> None:
    dice = random.Random(seed)  # noqa: S311 -- the same damage every time
    app = gateway([*DSNS.values()][seed % len(DSNS)])
    caplog.set_level(logging.WARNING, "majordomo.gateway")
    for _ in range(EACH):
        await _try(app, dice.choice(POSTS), dice)
    assert caplog.text == ""


async def _try(app: App, capture: Capture, dice: random.Random) -> None:
    request = damaged(capture, dice)
    async with asyncio.timeout(20):
        got = await call(
            app,
            "POST",
            request.path,
            request.body,
            query=request.query,
            headers=request.headers,
        )
    where = (capture.path, request.body[:3000], got.body[:300])
    assert got.status < 500, where
    assert fault(capture.path, got) == "", where
