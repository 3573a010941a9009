"""What Ollama's clients ask besides chatting."""

import pytest

from majordomo.contract import Capabilities, Json
from majordomo.dialects.json import list_at, object_at, read
from majordomo.dialects.ollama import encode_show, encode_tags, encode_version
from majordomo.dialects.rfc3339 import rfc3339
from support.schemas import assert_valid


def test_lists_models_for_the_sdk() -> None:
    body = object_at(read(encode_tags(["a/x", "fast"], created=0)), "body")
    models = [object_at(model, "model") for model in list_at(body["models"], "models")]
    assert [model["name"] for model in models] == ["a/x", "fast"]
    # The server sends `name` beside `model` and clients read it; the Python SDK's type has not.
    nameless: list[Json] = [{k: v for k, v in m.items() if k != "name"} for m in models]
    assert_valid({"models": nameless}, "ollama.tags")


@pytest.mark.parametrize(
    ("capabilities", "can"),
    [
        (Capabilities(), ["completion", "tools", "vision", "thinking"]),
        (Capabilities(tools="off", images=None, thinking=False), ["completion"]),
    ],
)
def test_shows_what_a_model_can(capabilities: Capabilities, can: list[Json]) -> None:
    body = object_at(read(encode_show(capabilities, created=0)), "body")
    assert_valid(body, "ollama.show")
    assert body["capabilities"] == can


def test_shows_how_much_it_reads() -> None:
    body = object_at(read(encode_show(Capabilities(max_context=4096), created=0)), "body")
    assert object_at(body["model_info"], "")["majordomo.context_length"] == 4096


def test_tells_its_version() -> None:
    assert read(encode_version("1.2")) == {"version": "1.2"}


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0, "1970-01-01T00:00:00Z"),
        (951_782_399, "2000-02-28T23:59:59Z"),
        (951_782_400, "2000-02-29T00:00:00Z"),
        (951_868_800, "2000-03-01T00:00:00Z"),
        (1_798_761_599, "2026-12-31T23:59:59Z"),
        (4_107_542_400, "2100-03-01T00:00:00Z"),
    ],
)
def test_tells_the_time_without_a_calendar(seconds: int, text: str) -> None:
    assert rfc3339(seconds) == text
