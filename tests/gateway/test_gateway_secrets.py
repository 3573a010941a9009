"""A provider's key stays between us and the provider, whatever the provider does with it."""

import logging
from collections.abc import Mapping
from pathlib import Path

import pytest

from majordomo.config.gateway import Gateway
from majordomo.contract import DialectName
from majordomo.dialects.json import write
from majordomo.engine.http import HttpCall, HttpReply
from majordomo.engine.registry import Registry
from majordomo.gateway.app import App
from majordomo.gateway.service import Service
from majordomo.route import Patience
from majordomo.trace.sqlite import SqliteStore
from support.asgi import call
from support.canned import DSNS
from support.gateway import Known
from support.gateway_doors import DOORS

pytestmark = pytest.mark.anyio

SECRET = "sk-proj-5e3f0c2a99"
STATUSES = (200, 400, 401, 403, 404, 429, 500)


class Telltale:
    """A transport whose upstream quotes the key it was given, in the body and in the headers."""

    def __init__(self, status: int) -> None:
        self._status = status

    async def send(self, call: HttpCall) -> HttpReply:
        given = " ".join(call.headers.values())
        assert SECRET in given
        said = f"Incorrect API key provided: {SECRET}. You sent {given}"
        body = write({"error": {"message": said, "code": SECRET}})
        if self._status == 200 and "ollama" not in call.url:
            body = b"data: " + body + b"\n\n"  # as the first event of a stream
        return _Reply(self._status, body, given)

    async def aclose(self) -> None:
        """There is nothing to close."""


class _Reply:
    def __init__(self, status: int, body: bytes, given: str) -> None:
        self.status = status
        self.headers: Mapping[str, str] = {"www-authenticate": given}
        self._pieces = [body]

    async def read(self) -> bytes:
        return self._pieces.pop() if self._pieces else b""

    async def finish(self) -> None:
        """The end was read."""

    def close(self) -> None:
        self._pieces = []


@pytest.mark.parametrize("status", STATUSES)
@pytest.mark.parametrize("upstream", DSNS)
async def test_a_key_is_nowhere_to_be_found(
    upstream: DialectName, status: int, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    traces = tmp_path / "traces.db"
    store = SqliteStore(traces)
    registry = Registry(
        providers={"up": DSNS[upstream].replace("key@", f"{SECRET}@")},
        env={},
        http_client=Telltale(status),
        patience=Patience(backoff=0.0, backoff_cap=0.0),
    )
    settings = Gateway(trace_contents=True)
    app = App(Service(Known(registry), settings, default="up/m", store=store))
    seen: list[str] = []
    for path, body in DOORS.values():
        for stream in (False, True):
            got = await call(app, "POST", path, write({**body, "stream": stream}))
            assert got.status >= 400 or stream or status == 200
            seen += [got.body.decode(), str(got.headers)]
    for path in ("/metrics", "/readyz", "/v1/models"):
        seen.append((await call(app, "GET", path)).body.decode())
    store.close()
    assert any("hidden key" in each for each in seen)
    for each in (*seen, caplog.text, repr(registry.providers["up"])):
        assert SECRET not in each
    assert SECRET.encode() not in _contents(tmp_path)


def _contents(folder: Path) -> bytes:
    return b"".join(file.read_bytes() for file in folder.iterdir())
