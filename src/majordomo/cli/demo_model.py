"""Who speaks in the demonstration: a real model on this machine, or else a script that says so."""

import sys
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from importlib.util import find_spec

from msgspec import Struct

from majordomo.contract import Failure, Finish, TextDelta
from majordomo.dialects.dialect import Ask
from majordomo.local.download import pull
from majordomo.local.weights import SMOLLM2, cached
from majordomo.testing import Delay, DialectServer, Item, Turn

_MB = 1_000_000


class Speaker(Struct, frozen=True, kw_only=True):
    spec: str
    about: str
    providers: dict[str, str] = {}


@contextmanager
def speaker(*, scripted: bool = False) -> Generator[Speaker]:
    """Give the embedded model, fetching its weights if need be; a script if there is none."""
    reason = "it was asked for" if scripted else _why_not_real()
    if not reason:
        yield Speaker(spec="local/smollm2", about="SmolLM2-135M, running on this machine")
        return
    with DialectServer.in_thread("openai_chat", _reply) as server:
        yield Speaker(
            spec="script/scripted",
            about=f"a script, not a model: {reason}",
            providers={"script": f"openai+{server.url}/v1?tools=emulated&structured=prompt"},
        )


def _why_not_real() -> str:
    if find_spec("xllamacpp") is None:
        return "pip install 'pymajordomo[local]' brings a real one"
    if cached(SMOLLM2).is_file():
        return ""
    sys.stdout.write(f"fetching the weights of {SMOLLM2.name}, once ...\n")
    sys.stdout.flush()
    try:
        pull(SMOLLM2, progress=_progress if sys.stdout.isatty() else _quiet)
    except Failure as failure:
        return str(failure)
    if sys.stdout.isatty():
        sys.stdout.write("\n")
    return ""


def _progress(done: int, total: int) -> None:
    filled = 30 * done // total
    sys.stdout.write(f"\r  [{'#' * filled:.<30}] {done // _MB} of {total // _MB} MB ")
    sys.stdout.flush()


def _quiet(done: int, total: int) -> None:
    """Draw nothing where nobody is watching."""


_STORY = "A steward hears every guest in their own tongue, and the house in its own, and nobody \
needs to know who answered the bell."
_CALL = '<tool_call>{"name": "get_weather", "arguments": {"city": "Paris"}}</tool_call>'


def _reply(ask: Ask) -> Turn:
    """Say a line word by word; where tools were written into the prompt, call the one there is."""
    said = ask.request.system + "".join(message.text for message in ask.request.messages)
    return list(_words(_CALL if "get_weather" in said else _STORY))


def _words(text: str) -> Iterator[Item]:
    for word in text.split(" "):
        yield TextDelta(text=word + " ")
        yield Delay(0.02)
    yield Finish(reason="stop")
