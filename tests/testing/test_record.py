"""Replies kept in a file: written once, given again the same, and missed with a diff."""

from dataclasses import dataclass
from pathlib import Path

import msgspec
import pytest

from majordomo.agent import Agent, tool
from majordomo.contract import (
    Capabilities,
    Exhausted,
    Failure,
    Image,
    InvalidOutput,
    Malformed,
    Overloaded,
    PartDone,
    RateLimited,
    Response,
    Text,
    TextDelta,
    Thinking,
    ToolCall,
    Usage,
    user,
)
from majordomo.engine.model import Model
from majordomo.engine.registry import Registry
from majordomo.testing import DialectServer, Mismatch, record, scripted
from support.asking import provider_at

pytestmark = pytest.mark.anyio


@tool
def weather(city: str) -> str:
    """Say the weather."""
    return f"Rain in {city}."


CALL = Response(
    parts=(Thinking(text="Look."), ToolCall(id="c1", name="weather", arguments='{"city":"Lima"}')),
    finish_reason="tool_calls",
    usage=Usage(input=9, output=3),
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "tapes" / "weather.jsonl"


def written(path: Path) -> str:
    return path.read_text()


async def test_an_agents_run_is_replayed_without_its_model(path: Path) -> None:
    real = scripted(CALL, "It rains.")
    first = await Agent(record(path)(real), [weather]).run("Is it raining in Lima?")
    with record(path) as tape:
        assert tape.replaying
        again = await Agent(tape(scripted()), [weather]).run("Is it raining in Lima?")
    assert again == first
    assert again.usage == Usage(input=9, output=3)


async def test_the_file_is_one_readable_line_an_exchange(path: Path) -> None:
    await Agent(record(path)(scripted(CALL, "It rains.")), [weather]).run("Is it raining?")
    lines = [msgspec.json.decode(line) for line in written(path).splitlines()]
    assert [sorted(line) for line in lines] == [["model", "reply", "request"]] * 2
    assert lines[0]["request"]["messages"][0]["parts"] == [
        {"type": "text", "text": "Is it raining?"}
    ]
    assert lines[0]["request"]["tools"][0]["name"] == "weather"
    assert lines[1]["reply"]["parts"] == [{"type": "text", "text": "It rains."}]


async def test_recording_twice_writes_the_same_file(path: Path) -> None:
    await record(path)(scripted("Hello!")).generate("Hi")
    before = written(path)
    await record(path, mode="record")(scripted("Hello!")).generate("Hi")
    assert written(path) == before


async def test_a_mismatch_shows_a_diff(path: Path) -> None:
    await record(path)(scripted("Hello!")).generate("Hi, Ann", temperature=0.5)
    with pytest.raises(Mismatch) as caught:
        await record(path)(scripted()).generate("Hi, Bob", temperature=0.5)
    said = str(caught.value)
    assert '-          "text": "Hi, Ann"' in said
    assert '+          "text": "Hi, Bob"' in said
    assert "temperature" not in [line.strip() for line in said.splitlines() if line[0] in "+-"]


async def test_what_was_used_up_and_what_was_left_are_mismatches_too(path: Path) -> None:
    model = record(path)(scripted("one", "two"))
    await model.generate("1")
    await model.generate("2")
    with pytest.raises(Mismatch, match="1 exchanges were not asked for"), record(path) as tape:
        await tape(scripted()).generate("2")
    with record(path) as tape:
        replayed = tape(scripted())
        assert (await replayed.generate("2")).text == "two"
        assert (await replayed.generate("1")).text == "one"
        with pytest.raises(Mismatch, match="no more exchanges"):
            await replayed.generate("1")


async def test_pictures_are_kept_by_their_fingerprint(path: Path) -> None:
    asked = user("What is it?", Image(data=b"\x89PNG" * 1000, mime="image/png"))
    await record(path)(scripted("A dot.")).generate(asked)
    assert len(written(path)) < 1000
    assert (await record(path)(scripted()).generate(asked)).text == "A dot."
    other = user("What is it?", Image(data=b"other", mime="image/png"))
    with pytest.raises(Mismatch):
        await record(path)(scripted()).generate(other)


FAILURES: dict[str, Failure] = {
    "rate limited": RateLimited("slow down", status=429, retry_after=2.0),
    "overloaded": Overloaded("busy", status=529, code="overloaded_error"),
    "unnamed": Failure("odd"),
}


@pytest.mark.parametrize("failure", FAILURES.values(), ids=FAILURES)
async def test_failures_are_replayed_as_what_they_were(path: Path, failure: Failure) -> None:
    for script in ([failure], []):
        model = record(path)(scripted(*script))
        with pytest.raises(type(failure), match=failure.message) as caught:
            await model.generate("Hi")
        assert caught.value.status == failure.status
        assert caught.value.retry_after == failure.retry_after
        assert caught.value.target == "scripted/model"


async def words(model: Model) -> tuple[list[str], str]:
    said: list[str] = []
    try:
        async for word in model.stream("Hi").text():
            said.append(word)  # noqa: PERF401 -- it may raise in the middle
    except Overloaded as failure:
        return said, failure.message
    return said, ""


async def test_a_reply_that_broke_off_breaks_off_again(path: Path) -> None:
    broken = [TextDelta(text="Hel"), PartDone(part=Text(text="Hel")), Overloaded("gone")]
    assert await words(record(path)(scripted(broken))) == (["Hel"], "gone")
    assert await words(record(path)(scripted())) == (["Hel"], "gone")


async def test_a_failover_is_replayed_with_its_attempts(path: Path) -> None:
    async with (
        DialectServer("ollama", lambda _: Overloaded("busy", status=503, retry_after=60.0)) as bad,
        DialectServer("ollama", ["Hello!"]) as good,
    ):
        rows = {"bad": provider_at(bad.url), "good": provider_at(good.url)}
        async with Registry(providers=rows, env={}) as registry:
            first = await record(path)(registry.parse("bad/m, good/m")).generate("Hi")
    again = await record(path)(Registry(providers=rows, env={}).parse("bad/m, good/m")).generate(
        "Hi"
    )
    assert again.text == "Hello!"
    assert again.model == "good/m"
    assert [(a.target, a.outcome) for a in again.attempts] == [
        (a.target, a.outcome) for a in first.attempts
    ]


async def test_exhaustion_is_replayed_with_its_attempts(path: Path) -> None:
    rows = {"none": provider_at("http://127.0.0.1:1")}
    for _ in range(2):
        async with Registry(providers=rows, env={}) as registry:
            with pytest.raises(Exhausted, match="none/m: Disconnected") as caught:
                await record(path)(registry.parse("none/m")).generate("Hi")
            assert caught.value.attempts[0].target == "none/m"


@dataclass
class City:
    name: str


async def test_an_answer_that_would_not_do_is_replayed_with_its_text(path: Path) -> None:
    async with DialectServer("openai_chat", lambda _: "Paris") as server:
        plain = Capabilities(structured="prompt", json_mode=False)
        rows = {"up": provider_at(server.url, "openai_chat", capabilities=plain)}
        for _ in range(2):
            async with Registry(providers=rows, env={}) as registry:
                model = record(path)(registry.parse("up/m"))
                with pytest.raises(InvalidOutput, match="no JSON") as caught:
                    await model.generate_as(City, "Which city?")
            assert caught.value.text == "Paris"
        assert len(server.requests) == 3


async def test_partial_values_are_recorded_whole(path: Path) -> None:
    for script in (['{"name": "Ulm"}'], []):
        stream = record(path)(scripted(*script)).stream_as(City, "Which city?")
        assert await stream.value() == City("Ulm")


async def test_failures_keep_their_kind(path: Path) -> None:
    failure = InvalidOutput("no city", text="Paris", violations=("no JSON",))
    for script in ([failure], []):
        with pytest.raises(InvalidOutput) as caught:
            await record(path)(scripted(*script)).generate("Hi")
        assert (caught.value.text, caught.value.violations) == ("Paris", ("no JSON",))


async def test_a_model_may_be_made_only_to_record(path: Path) -> None:
    await record(path)(lambda: scripted("Hello!")).generate("Hi")

    def never() -> None:
        raise AssertionError

    # It never answers, which is what its type says too.
    assert (await record(path)(never).generate("Hi")).text == "Hello!"  # type: ignore[arg-type]


async def test_two_models_share_a_tape(path: Path) -> None:
    tape = record(path)
    for name in ("a/x", "b/y"):
        await tape(scripted(f"I am {name}", name=name)).generate("Who?")
    replay = record(path)
    assert (await replay(scripted(name="b/y")).generate("Who?")).text == "I am b/y"
    assert (await replay(scripted(name="a/x")).generate("Who?")).text == "I am a/x"


async def test_a_reply_that_was_left_is_not_written(path: Path) -> None:
    async with record(path)(scripted("Hello!")).stream("Hi") as stream:
        await anext(stream)
    assert not record(path).replaying


def test_a_broken_file_names_the_line(path: Path) -> None:
    path.parent.mkdir()
    path.write_text("\n{}\n")
    with pytest.raises(Malformed, match=r"weather\.jsonl:2 is no recorded exchange"):
        record(path)


def test_the_synchronous_face(path: Path) -> None:
    assert record(path)(scripted("Hello!")).sync.generate("Hi").text == "Hello!"
    assert record(path)(scripted()).sync.generate("Hi").text == "Hello!"
