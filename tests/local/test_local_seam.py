"""`local/...` in a spec: what a caller is told when the model cannot be started."""

import importlib.util
from pathlib import Path

import pytest

import majordomo
from majordomo.catalog.providers import PROVIDERS
from majordomo.engine.registry import Registry
from majordomo.engine.target import target as target_of
from majordomo.local import ServerSettings
from majordomo.testing.server import DialectServer

pytestmark = pytest.mark.anyio


async def test_weights_that_are_missing_are_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MAJORDOMO_CACHE", str(tmp_path))
    with pytest.raises(majordomo.Failure, match="run `majordomo local pull`"):
        await majordomo.model("local/smollm2").generate("Hello!")


async def test_the_extra_that_is_missing_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing(_name: str) -> None: ...

    monkeypatch.setattr("majordomo.local.server.find_spec", missing)
    path = tmp_path / "any.gguf"
    path.write_bytes(b"GGUF")
    with pytest.raises(majordomo.Failure, match=r"run `pip install 'pymajordomo\[local\]'`"):
        await majordomo.model(f"local/{path}").generate("Hello!")


@pytest.mark.skipif(not importlib.util.find_spec("xllamacpp"), reason="needs the extra `local`")
async def test_a_file_that_is_no_model_is_said_to_be_none(tmp_path: Path) -> None:
    path = tmp_path / "broken.gguf"
    path.write_bytes(b"this is no model")
    with pytest.raises(majordomo.Failure, match=r"llama.cpp could not load broken\.gguf: \S"):
        await majordomo.model(f"local/{path}").generate("Hello!")


async def test_the_next_target_serves_when_there_is_no_local_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MAJORDOMO_CACHE", str(tmp_path))
    async with DialectServer("openai_chat", ["Hello yourself!"]) as server:
        there = f"openai+http://{server.url.removeprefix('http://')}/v1"
        model = majordomo.model("local/smollm2, up/any", providers={"up": there})
        response = await model.generate("Hello!")
    assert response.model == "up/any"
    assert [attempt.outcome for attempt in response.attempts] == ["ModelNotFound", "served"]


ADDRESSES = {
    "a name": ("smollm2", "local://smollm2/v1"),
    "a path": ("/models/my model.gguf", "local://%2Fmodels%2Fmy%20model.gguf/v1"),
}


@pytest.mark.parametrize(("model", "address"), ADDRESSES.values(), ids=ADDRESSES)
async def test_the_address_carries_the_model(model: str, address: str) -> None:
    assert target_of(PROVIDERS["local"], model).base_url == address


def test_the_catalog_knows_how_much_room_a_local_model_is_given() -> None:
    assert PROVIDERS["local"].capabilities.max_context == ServerSettings(path="").context


PATIENCE: dict[str, tuple[str, majordomo.Patience, float | None]] = {
    "its own": ("local/smollm2", majordomo.Patience(), 600.0),
    "a sooner one that was chosen": ("local/smollm2", majordomo.Patience(idle=5.0), 5.0),
    "not a later one": ("local/smollm2", majordomo.Patience(idle=900.0), 600.0),
    "for ever is no figure": ("local/smollm2", majordomo.Patience(idle=None), 600.0),
    "everybody else's": ("openai/x", majordomo.Patience(), 30.0),
    "everybody else's, chosen": ("openai/x", majordomo.Patience(idle=None), None),
}


@pytest.mark.parametrize(("spec", "patience", "idle"), PATIENCE.values(), ids=PATIENCE.keys())
def test_a_local_model_may_pause_for_longer_than_others(
    spec: str, patience: majordomo.Patience, idle: float | None
) -> None:
    [target] = Registry(patience=patience).parse(spec).targets
    assert target.provider.timeouts.idle == idle
