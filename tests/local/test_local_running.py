"""The servers of a process: one a model, and not too many."""

from pathlib import Path

import pytest

from majordomo.contract import Overloaded
from majordomo.local import Address, ServerSettings, running
from majordomo.local.weights import CACHE_VARIABLE, SMOLLM2, cached

pytestmark = pytest.mark.anyio


class Pretended:
    """A server that is there as soon as it is started."""

    def __init__(self, settings: ServerSettings) -> None:
        self.settings = settings
        self.address: Address | None = None
        self.starts = 0

    def start(self) -> Address:
        self.starts += 1
        self.address = Address(url="http://127.0.0.1:1", key=self.settings.key)
        return self.address


@pytest.fixture
def servers(monkeypatch: pytest.MonkeyPatch) -> dict[str, Pretended]:
    table: dict[str, Pretended] = {}
    monkeypatch.setattr(running, "_servers", table)
    monkeypatch.setattr(running, "LocalServer", Pretended)
    return table


def model_file(folder: Path, name: str) -> str:
    path = folder / f"{name}.gguf"
    path.write_bytes(b"GGUF")
    return str(path)


async def test_the_first_request_starts_it_and_the_next_finds_it(
    servers: dict[str, Pretended], tmp_path: Path
) -> None:
    path = model_file(tmp_path, "one")
    url = f"local://{path.replace('/', '%2F')}/v1/chat/completions"
    first, second = [await running.open_local(url) for _ in range(2)]
    assert first == second
    assert first.url == "http://127.0.0.1:1/v1/chat/completions"
    assert [server.starts for server in servers.values()] == [1]


async def test_each_server_has_a_key_of_its_own(
    servers: dict[str, Pretended], tmp_path: Path
) -> None:
    for name in ("one", "two"):
        running.server_of(model_file(tmp_path, name))
    keys = {server.settings.key for server in servers.values()}
    assert len(keys) == 2
    assert all(len(key) > 20 for key in keys)


async def test_only_a_model_known_to_ramble_is_stopped(
    servers: dict[str, Pretended], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path))
    (tmp_path / "models").mkdir()
    cached(SMOLLM2).write_bytes(b"GGUF")
    for model in ("smollm2", model_file(tmp_path, "mine")):
        running.server_of(model)
    assert [server.settings.answer for server in servers.values()] == [1024, 0]


async def test_two_names_of_one_file_are_one_server(
    servers: dict[str, Pretended], tmp_path: Path
) -> None:
    path = model_file(tmp_path, "one")
    (tmp_path / "link.gguf").symlink_to(path)
    assert running.server_of(path) is running.server_of(str(tmp_path / "link.gguf"))
    assert len(servers) == 1


async def test_a_client_cannot_make_us_load_every_file_there_is(
    servers: dict[str, Pretended], tmp_path: Path
) -> None:
    for number in range(4):
        running.server_of(model_file(tmp_path, str(number))).start()
    with pytest.raises(Overloaded, match="4 local models are running already"):
        running.server_of(model_file(tmp_path, "more"))
    assert running.server_of(model_file(tmp_path, "0")), "those that run go on"
    assert len(servers) == 4
