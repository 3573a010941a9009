"""What a captured request says reaches an upstream of its own dialect, word for word."""

from collections import Counter
from collections.abc import Iterator

import pytest

from majordomo.contract import DialectName, Json, Text, ToolCall
from majordomo.dialects.json import objects, read, write, write_text
from majordomo.engine.registry import Registry
from majordomo.gateway.app import App
from majordomo.gateway.service import Service
from support.asgi import call
from support.canned import DSNS, Canned
from support.captures import Capture, captures
from support.gateway import Known

pytestmark = pytest.mark.anyio

PATHS: dict[str, DialectName] = {
    "/v1/chat/completions": "openai_chat",
    "/v1/responses": "openai_responses",
    "/v1/messages": "anthropic",
    "/api/chat": "ollama",
}
# Said in fewer words, or not at all because it says nothing: (end of the place, value).
SAYS_NOTHING = {
    (".model", ""),  # is the target's own name there
    (".stream", ""),  # the gateway always streams
    (".tool_choice", "auto"),
    (".tool_choice.type", "auto"),
    (".functionCallingConfig.mode", "AUTO"),
    (".$schema", ""),
    (".content[].type", "text"),  # one text is said as a string
    (".content[].type", "input_text"),
    (".metadata.a", "b"),  # compatible servers need not know it; OpenAI's own is told
    *((".type", kind) for kind in ("OBJECT", "STRING", "INTEGER")),  # in small letters
}


def dialect_of(capture: Capture) -> DialectName | None:
    if "enerateContent" in capture.path:
        return "gemini"
    return PATHS.get(capture.path)


def said(value: Json, place: str = "") -> Iterator[tuple[str, str]]:
    match value:
        case dict():
            for name, item in value.items():
                yield from said(item, f"{place}.{name}")
        case list():
            for item in value:
                yield from said(item, f"{place}[]")
        case None:
            pass
        case str():
            yield place, value
        case _:
            yield place, write_text(value)


def lost(capture: Capture, sent: bytes) -> list[tuple[str, str]]:
    arrived = Counter(words for _, words in said(read(sent)))
    text = sent.decode()
    missing: list[tuple[str, str]] = []
    for place, words in said(capture.body):
        if arrived[words]:
            arrived[words] -= 1
        elif not (words and words in text) and not _says_nothing(place, words):
            missing.append((place, words))
    return missing


def _says_nothing(place: str, words: str) -> bool:
    return any(place.endswith(end) and value in ("", words) for end, value in SAYS_NOTHING)


OWN = {
    name: capture
    for name, capture in captures().items()
    if capture.method == "POST"
    and dialect_of(capture) is not None
    and "thread" not in capture.fields
    and "item_reference" not in str(capture.fields.get("input"))
    and "application/pdf" not in str(capture.body)  # a compatible server takes none
}


@pytest.mark.parametrize("name", OWN)
async def test_nothing_is_lost_on_the_way_to_its_own_dialect(name: str) -> None:
    capture = OWN[name]
    dialect = dialect_of(capture)
    assert dialect is not None
    transport = Canned(Text(text="Hello!"))
    registry = Registry(providers={"up": DSNS[dialect]}, env={}, http_client=transport)
    app = App(Service(Known(registry), routes={"*": "up/*"}))
    got = await call(
        app,
        "POST",
        capture.path,
        write(capture.body),
        query=capture.query,
        headers=dict(capture.headers),
    )
    assert transport.calls, got.body
    assert lost(capture, transport.calls[0].body) == []


async def test_betas_go_on_as_a_header() -> None:
    capture = next(c for c in OWN.values() if "anthropic-beta" in dict(c.headers))
    transport = Canned(Text(text="Hello!"))
    registry = Registry(providers={"up": DSNS["anthropic"]}, env={}, http_client=transport)
    app = App(Service(Known(registry), routes={"*": "up/*"}))
    headers = dict(capture.headers)
    await call(app, "POST", capture.path, write(capture.body), headers=headers)
    assert transport.calls[0].headers["anthropic-beta"] == headers["anthropic-beta"]


FLAT = "multi_agent_v1__close_agent"


@pytest.mark.parametrize("upstream", ["openai_chat", "anthropic", "ollama", "gemini"])
async def test_tools_in_a_namespace_are_flattened_there_and_back(upstream: DialectName) -> None:
    capture = next(c for c in OWN.values() if '"namespace"' in write_text(c.body))
    transport = Canned(ToolCall(id="x", name=FLAT, arguments="{}"))
    registry = Registry(providers={"up": DSNS[upstream]}, env={}, http_client=transport)
    app = App(Service(Known(registry), default="up/m"))
    body = {**capture.fields, "stream": False}
    got = await call(app, "POST", capture.path, write(body))
    assert f'"{FLAT}"'.encode() in transport.calls[0].body
    (item,) = [item for item, _ in objects(got.object["output"], "output")]
    assert (item["name"], item["namespace"]) == ("close_agent", "multi_agent_v1")
