"""Weights by name or by path, and where they are kept."""

from pathlib import Path

import pytest

from majordomo.contract import ModelNotFound
from majordomo.local.weights import SMOLLM2, cache_folder, cached, find_weights

FOLDERS: dict[str, tuple[str, dict[str, str], str]] = {
    "linux": ("linux", {}, "~/.cache/majordomo"),
    "linux with XDG": ("linux", {"XDG_CACHE_HOME": "/caches"}, "/caches/majordomo"),
    "macOS": ("darwin", {"XDG_CACHE_HOME": "/caches"}, "~/Library/Caches/majordomo"),
    "Windows": ("win32", {"LOCALAPPDATA": "/local"}, "/local/majordomo/cache"),
    "said outright": ("win32", {"MAJORDOMO_CACHE": "/mine", "LOCALAPPDATA": "/local"}, "/mine"),
    "said outright, at home": ("linux", {"MAJORDOMO_CACHE": "~/mine"}, "~/mine"),
}


@pytest.mark.parametrize(("platform", "environ", "folder"), FOLDERS.values(), ids=FOLDERS)
def test_the_cache_is_where_the_system_keeps_caches(
    platform: str, environ: dict[str, str], folder: str
) -> None:
    assert cache_folder(environ, platform) == Path(folder).expanduser()


def test_a_name_is_looked_up_in_the_cache(tmp_path: Path) -> None:
    environ = {"MAJORDOMO_CACHE": str(tmp_path)}
    path = cached(SMOLLM2, environ)
    path.parent.mkdir()
    path.write_bytes(b"GGUF")
    assert find_weights("smollm2", environ) == path


def test_a_path_is_the_file_itself(tmp_path: Path) -> None:
    path = tmp_path / "mine.gguf"
    path.write_bytes(b"GGUF")
    assert find_weights(str(path), {}) == path


MISSING = {
    "weights that were not pulled": ("smollm2", "run `majordomo local pull`"),
    "a file that is not there": ("/no/such.gguf", "there is no file /no/such.gguf"),
    "something else": ("gpt-5", "'gpt-5' is no model to run here: say smollm2 or a path"),
}


@pytest.mark.parametrize(("model", "said"), MISSING.values(), ids=MISSING)
def test_what_is_missing_is_said_with_what_to_do(model: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(ModelNotFound, match=said):
        find_weights(model, {"MAJORDOMO_CACHE": str(tmp_path)})
