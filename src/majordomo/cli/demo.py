"""`majordomo demo`: a chat, a tool call, a failover and a gateway, without a key."""

import argparse
import asyncio
import socket
import sys
import time
from collections.abc import AsyncGenerator, Generator, Sequence
from contextlib import ExitStack, asynccontextmanager, contextmanager

from majordomo.config.file import PatienceTable, Settings
from majordomo.contract import Failure, Response, Tool, named

from .answer import Screen
from .background import gateway
from .demo_model import Speaker, speaker
from .opening import open_registry
from .terminal import Ink, paint_for

_WEATHER = Tool(
    name="get_weather",
    description="The weather in a city.",
    parameters={
        "type": "object",
        "properties": {"city": {"type": "string", "description": "The city's name"}},
        "required": ["city"],
        "additionalProperties": False,
    },
)


def run(arguments: Sequence[str]) -> int:
    given = parser().parse_args(arguments)
    with speaker(scripted=given.scripted) as who:
        _say(f"speaking: {who.about}\n")
        if sys.stdout.isatty():
            _say("it starts with the first question, which may take a moment\n", "dim")
        settings = Settings(
            providers={**who.providers, "dead": f"openai+http://127.0.0.1:{_closed_port()}/v1"},
            aliases={"demo": f"dead/model,{who.spec}"},
            default="demo",
            patience=PatienceTable(retries=0),
        )
        asyncio.run(_three(settings, who))
        with _gateway(settings) as url:
            if url:
                asyncio.run(_through(url))
                _say(_addresses(url, stays=given.stay))
            if given.stay and url:
                _wait()
    return 0


def parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="majordomo demo",
        description="See a streamed chat, a tool call on a model that only chats, a failover "
        "and the gateway. Needs no key.",
        epilog="With pip install 'pymajordomo[local]' a real model speaks, else a script.",
    )
    parser.add_argument("--scripted", action="store_true", help="let a script speak, not the model")
    parser.add_argument("--stay", action="store_true", help="keep the gateway up until Ctrl-C")
    return parser


async def _three(settings: Settings, who: Speaker) -> None:
    async with open_registry(settings) as registry:
        with _step("1. a streamed chat", f"majordomo ask -m {who.spec}"):
            stream = registry.parse(who.spec).stream(
                "In one short sentence: what does a butler do?", max_tokens=60
            )
            await Screen(sys.stdout).show(stream)
        with _step("2. a tool call, from a model that only chats", "tool_choice: get_weather"):
            async with _ticking():
                reply = await registry.parse(who.spec).generate(
                    "What is the weather in Paris?",
                    max_tokens=120,
                    temperature=0.0,
                    tools=(_WEATHER,),
                    tool_choice=named("get_weather"),
                )
            for call in reply.tool_calls:
                _say(f"{call.name} {call.arguments}\n")
            _notes(reply)
        with _step("3. a failover from a dead target", f"majordomo ask -m dead/model,{who.spec}"):
            stream = registry.parse("demo").stream("Say hello to Paris.", max_tokens=40)
            _attempts(await Screen(sys.stdout).show(stream))


async def _through(url: str) -> None:
    """Ask the gateway as an Anthropic client would; behind it a Chat server answers."""
    settings = Settings(providers={"gate": f"anthropic+{url}"})
    with _step("4. the same through the gateway", f"as an Anthropic client of {url}"):
        async with open_registry(settings) as registry:
            stream = registry.parse("gate/demo").stream("Say hello to Rome.", max_tokens=40)
            await Screen(sys.stdout).show(stream)


@contextmanager
def _gateway(settings: Settings) -> Generator[str]:
    """Start it where it can be started; without the extra, say what is missing."""
    with ExitStack() as stack:
        url = ""
        try:
            url = stack.enter_context(gateway(settings))
        except Failure as failure:
            _say(f"\n{failure}\n")
        yield url


@asynccontextmanager
async def _ticking() -> AsyncGenerator[None]:
    """Show that something is under way where nothing can be shown of it yet."""

    async def tick() -> None:
        while sys.stdout.isatty():
            _say(".", "dim")
            await asyncio.sleep(0.5)

    ticking = asyncio.create_task(tick())
    try:
        yield
    finally:
        ticking.cancel()
        _say("\r\033[K" if sys.stdout.isatty() else "")


@contextmanager
def _step(title: str, how: str) -> Generator[None]:
    _say(f"\n{title}\n", "bold")
    _say(f"{how}\n", "dim")
    began = time.monotonic()
    yield
    _say(f"({time.monotonic() - began:.1f} s)\n", "dim")


def _notes(reply: Response) -> None:
    for note in reply.notes[:1]:  # the others are for whoever debugs it
        _say(f"  {note.kind} {note.what}: {note.why}\n", "dim")


def _attempts(reply: Response) -> None:
    for attempt in reply.attempts:
        reason = f": {attempt.reason}" if attempt.reason else ""
        _say(f"  {attempt.target} {attempt.outcome}{reason}\n", "dim")


def _addresses(url: str, *, stays: bool) -> str:
    lead = "\nPoint anything at it:" if stays else "\nThe addresses, while a gateway runs:"
    more = (
        ""
        if stays
        else "\n`majordomo demo --stay` keeps it up; `majordomo serve` is the real one.\n"
    )
    return (
        f"{lead}\n"
        f"  OpenAI SDKs, Codex   base_url = {url}/v1\n"
        f"  Anthropic SDKs       base_url = {url}\n"
        f"  Claude Code          ANTHROPIC_BASE_URL={url} ANTHROPIC_AUTH_TOKEN=any claude\n"
        f"  Gemini SDKs          base_url = {url}\n"
        f"  Ollama clients       OLLAMA_HOST={url}\n{more}"
    )


def _wait() -> None:
    _say("\nCtrl-C ends it.\n", "dim")
    try:
        while True:
            time.sleep(3600)
    except KeyboardInterrupt:
        _say("\n")


def _closed_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port: int = listener.getsockname()[1]
        return port


def _say(text: str, *inks: Ink) -> None:
    paint = paint_for(sys.stdout)
    sys.stdout.write(paint(text, *inks) if inks else text)
    sys.stdout.flush()
