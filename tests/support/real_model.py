"""A real llama.cpp server with a real model for tests, and a look at what it is doing."""

import json
import time
from collections.abc import Generator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

from majordomo.contract import Failure
from majordomo.local import Address, LocalServer, ServerSettings, pull
from majordomo.local.server import check_installed

from .npm import CACHE, Unavailable

KEY = "sk-real"
CONTEXT = 3072  # tokens: small, so that it can be exceeded soon
MODEL = "smollm2"
_TICK = 0.01  # seconds between two looks


@cache
def weights() -> Path:
    try:
        check_installed()
        return pull(environ={"MAJORDOMO_CACHE": str(CACHE / "majordomo")})
    except Failure as reason:
        raise Unavailable(str(reason)) from None


@contextmanager
def llama_server() -> Generator[Address]:
    settings = ServerSettings(
        path=str(weights()),
        alias=MODEL,
        context=CONTEXT,
        key=KEY,
        ping=1,  # seconds: a long prompt is read over many of them
    )
    with LocalServer(settings) as server:
        yield server.start()


def dsn(address: Address, key: str = KEY) -> str:
    """Name it as a plain chat server, which is all that is used of it."""
    return f"openai+http://{key}@{address.url.removeprefix('http://')}/v1?tools=emulated"


def busy(address: Address) -> bool:
    """Ask it whether any of its slots is at work."""
    headers = {"authorization": f"Bearer {address.key}"}
    ask = Request(f"{address.url}/slots", headers=headers)  # noqa: S310 -- a server of our own
    with urlopen(ask) as reply:  # noqa: S310 -- our own server
        slots: list[dict[str, Any]] = json.load(reply)
    return any(slot["is_processing"] for slot in slots)


def until_idle(address: Address, most: float) -> float:
    """Wait until no slot works any more; give the seconds that took, `most` at worst."""
    began = time.monotonic()
    while (passed := time.monotonic() - began) < most and busy(address):
        time.sleep(_TICK)
    return passed
