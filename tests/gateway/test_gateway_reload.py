"""A changed configuration is taken over while requests run; a bad one is refused."""

import asyncio
import logging
from pathlib import Path

import pytest

from majordomo.config.file import load
from majordomo.dialects.json import write
from majordomo.gateway.create import known, service
from majordomo.gateway.reload import Reload, ReloadingApp
from majordomo.testing import DialectServer
from support.asgi import Got, call

pytestmark = pytest.mark.anyio

PAUSE = 0.005


def written(path: Path, server: DialectServer, *, key: str = "") -> None:
    keys = f"[[gateway.keys]]\nname = 'k'\nsha256 = '{key}'\n" if key else ""
    text = f"default = 'up/m'\n[providers]\nup = 'openai+{server.url}/v1'\n{keys}"
    path.write_text(text)


async def asked(app: ReloadingApp) -> Got:
    body = write({"model": "any", "messages": [{"role": "user", "content": "hi"}]})
    return await call(app, "POST", "/v1/chat/completions", body)


async def test_a_changed_file_is_taken_over(tmp_path: Path) -> None:
    path = tmp_path / "majordomo.toml"
    async with (
        DialectServer("openai_chat", ["one"]) as one,
        DialectServer("openai_chat", ["two"]) as two,
    ):
        written(path, one)
        reload = Reload(path, known, {}, pause=PAUSE)
        app = ReloadingApp(service(load(path, {})), reload)
        assert b"one" in (await asked(app)).body
        before = app.service.registry
        watching = asyncio.create_task(reload.watch(app.service))
        written(path, two)
        while app.service.registry is before:  # noqa: ASYNC110 -- files tell nobody
            await asyncio.sleep(PAUSE)
        watching.cancel()
        assert b"two" in (await asked(app)).body
        await app.service.aclose()


async def test_a_bad_file_is_refused_and_the_old_one_goes_on(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "majordomo.toml"
    async with DialectServer("openai_chat", ["one"]) as server:
        written(path, server)
        reload = Reload(path, known, {})
        app = ReloadingApp(service(load(path, {})), reload)
        path.write_text("[gateway]\nprot = 1\n")
        with caplog.at_level(logging.WARNING):
            assert not reload.reload(app.service)
        assert "did you mean 'port'" in caplog.text
        assert b"one" in (await asked(app)).body
        await app.service.aclose()


async def test_new_keys_count_at_once(tmp_path: Path) -> None:
    path = tmp_path / "majordomo.toml"
    async with DialectServer("openai_chat", ["one"]) as server:
        written(path, server)
        reload = Reload(path, known, {})
        app = ReloadingApp(service(load(path, {})), reload)
        assert (await asked(app)).status == 200
        written(path, server, key="00")
        assert reload.reload(app.service)
        assert (await asked(app)).status == 401
        await app.service.aclose()


async def test_a_request_under_way_keeps_its_connection(tmp_path: Path) -> None:
    path = tmp_path / "majordomo.toml"
    async with DialectServer("openai_chat", ["one"]) as server:
        written(path, server)
        reload = Reload(path, known, {})
        app = ReloadingApp(service(load(path, {})), reload)
        model = app.service.resolve("any", None)[1]
        app.service.metrics.in_flight += 1
        assert reload.reload(app.service)
        await asyncio.sleep(0)
        assert (await model.generate("hi")).text == "one"
        app.service.metrics.in_flight -= 1
        await app.service.aclose()
