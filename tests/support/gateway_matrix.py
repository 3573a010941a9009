"""The matrix: five doors, five upstream dialects, every scene, streamed and not.

A cell is `●` when the SDK took the reply and it means what the upstream said, or the reason why
it cannot.
"""

from collections.abc import Callable, Generator, Iterator
from contextlib import ExitStack, contextmanager
from itertools import product
from pathlib import Path
from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from majordomo.contract import DialectName
from majordomo.dialects.dialect import Ask
from majordomo.engine.registry import Registry
from majordomo.gateway.service import Service
from majordomo.route import Patience
from majordomo.testing import DialectServer, Turn

from .doors.client import Client, Outcome, Wanted
from .doors.scenes import EMULATED, SCENES, Seen
from .doors.sdks import DOORS, sdks
from .gateway import Known, serving
from .matrix import TITLES

PAGE = Path(__file__).parents[2] / "docs" / "gateway-matrix.md"
UPSTREAMS: dict[DialectName, str] = {
    "openai_chat": "openai+http://key@{host}/v1?reasoning_field=reasoning_content",
    "openai_responses": "openai-responses+http://key@{host}/v1",
    "anthropic": "anthropic+http://key@{host}",
    "ollama": "ollama+http://key@{host}",
    "gemini": "gemini+http://key@{host}",
}
SWIFT = Patience(backoff=0.001, backoff_cap=0.001)  # nothing is gained by waiting for a script
MODES = {"whole": False, "streamed": True}


PLAIN = "tools of a plain chat model"
ALL_SCENES = {**SCENES, PLAIN: EMULATED}


class Cell(Struct, frozen=True, kw_only=True):
    scene: str
    door: str
    upstream: DialectName
    mode: str

    @property
    def name(self) -> str:
        return f"{self.scene}, {self.door} over {self.upstream}, {self.mode}"

    @property
    def model(self) -> str:
        """Say the cell in the model id: that is how the upstream knows which scene to play."""
        said = f"{self.scene}.{self.door}.{self.mode}".replace(" ", "-").replace(",", "")
        provider = "plain" if self.scene == PLAIN else self.upstream.replace("_", "-")
        return f"{provider}/{said}"


CELLS: dict[str, Cell] = {
    cell.name: cell
    for scene, door, upstream, mode in product(SCENES, DOORS, UPSTREAMS, MODES)
    for cell in (Cell(scene=scene, door=door, upstream=upstream, mode=mode),)
}

# Programs with other habits, where a habit could lose something.
HABITS: dict[str, Cell] = {
    cell.name: cell
    for scene, door, upstream, mode in product(
        ("parallel calls", "reasoning round trip"),
        ("openai_chat, forgetful", "openai_responses, stored"),
        UPSTREAMS,
        MODES,
    )
    for cell in (Cell(scene=scene, door=door, upstream=upstream, mode=mode),)
}


EMULATIONS: dict[str, Cell] = {
    cell.name: cell
    for door, mode in product(DOORS, MODES)
    for cell in (Cell(scene=PLAIN, door=door, upstream="openai_chat", mode=mode),)
}


class Verdict(Struct, frozen=True, kw_only=True):
    """What came of a cell: `problem` is empty when it is as it must be."""

    problem: str = ""
    reason: str = ""  # why something that was said cannot be


Grid: TypeAlias = Callable[[Cell], Verdict]


@contextmanager
def grid() -> Generator[Grid]:
    """Start five upstreams and one gateway, and give a way to play a cell."""
    with ExitStack() as stack:
        servers = {
            upstream: stack.enter_context(DialectServer.in_thread(upstream, _script(upstream)))
            for upstream in UPSTREAMS
        }
        dsns = {
            name.replace("_", "-"): dsn.format(host=servers[name].url.removeprefix("http://"))
            for name, dsn in UPSTREAMS.items()
        }
        dsns["plain"] = dsns["openai-chat"].partition("?")[0] + "?tools=emulated"
        registry = Registry(providers=dsns, env={}, patience=SWIFT)
        url = stack.enter_context(serving(Service(Known(registry))))
        clients = stack.enter_context(sdks(url))

        played: dict[str, Verdict] = {}

        def play(cell: Cell) -> Verdict:
            if cell.name not in played:
                client, server = clients[cell.door](), servers[cell.upstream]
                played[cell.name] = _played(cell, client, server)
            return played[cell.name]

        yield play


def _script(upstream: DialectName) -> Callable[[Ask], Turn]:
    scenes = {name.replace(" ", "-"): scene for name, scene in ALL_SCENES.items()}

    def turn(ask: Ask) -> Turn:
        return scenes[ask.model.partition(".")[0]].says(upstream, ask)

    return turn


def _played(cell: Cell, client: Client, server: DialectServer) -> Verdict:
    scene = ALL_SCENES[cell.scene]
    before = len(server.requests)
    wanted = Wanted(
        model=cell.model,
        stream=MODES[cell.mode],
        tools=scene.tools,
        schema=scene.schema,
        think=scene.think,
    )
    came = tuple(scene.play(client, wanted))
    expected, reason = _expected(cell, scene.comes)
    for got, due in zip(came, expected, strict=False):
        if problem := _difference(got, due):
            return Verdict(problem=f"{problem}\n{came}")
    if len(came) != len(expected):
        return Verdict(problem=f"ended early: {came}")
    unread = [seen.problem for seen in server.requests[before:] if seen.problem]
    if unread:
        return Verdict(problem=f"the upstream could not read {unread}")
    if not came[0].error and not scene.seen(_seen(server, before), cell.upstream):
        return Verdict(problem=f"the upstream saw {server.requests[-1].body!r}")
    return Verdict(reason=reason)


def _seen(server: DialectServer, before: int) -> Seen:
    return [
        (seen.ask.request, seen.body) for seen in server.requests[before:] if seen.ask is not None
    ]


def _difference(got: Outcome, due: Outcome) -> str:
    if due.error not in got.error:
        return f"said {got.error!r} instead of {due.error!r}"
    bare = [(call.name, call.arguments) for call in got.calls]
    if bare != [(call.name, call.arguments) for call in due.calls]:
        return f"called {bare}"
    ids = [call.id for call in got.calls if call.id]
    if len(set(ids)) != len(ids):
        return f"ids collide: {ids}"
    got = replace(got, calls=(), error="")
    due = replace(due, calls=(), error="")
    return "" if got == due else f"got {got} instead of {due}"


# What a dialect has no word for: the cell then means the nearest thing it can say, or the
# client is told that it cannot be.
NO_REFUSAL = "the dialect has no word for a refusal: the text stands, the reply just stops"


def _expected(cell: Cell, comes: tuple[Outcome, ...]) -> tuple[tuple[Outcome, ...], str]:
    """Give what this cell must come to, and why where it is less than the scene says."""
    streamed = MODES[cell.mode]
    first, *rest = comes
    match cell.scene:
        case "refusal" if cell.upstream == "ollama" or (
            cell.door == "ollama" and cell.upstream in ("anthropic", "openai_responses")
        ):
            return (replace(first, finish="stop"),), NO_REFUSAL
        case "upstream cut" if streamed:
            return (replace(first, status=-1),), ""
        case "upstream 429" if cell.door in ("ollama", "gemini"):
            return (replace(first, retry_after=""),), ""  # their SDKs do not show the header
        case _:
            return (first, *rest), ""


def page(play: Grid) -> str:
    return "\n".join(_lines(play)) + "\n"


def _lines(play: Grid) -> Iterator[str]:
    yield "# What goes through the gateway"
    yield ""
    yield "Made by `make matrix` and checked by the tests: the official SDK of each door, a real"
    yield "gateway, and a scripted server of each upstream dialect, over real sockets."
    yield "● means that the SDK took every reply, streamed and not, and that both sides saw the"
    yield "same meaning; a number points to the reason why they cannot."
    reasons: list[str] = []
    for scene in SCENES:
        yield ""
        yield f"## {scene[0].upper()}{scene[1:]}"
        yield ""
        yield "| door \\ upstream | " + " | ".join(TITLES[name] for name in UPSTREAMS) + " |"
        yield "|---" * (len(UPSTREAMS) + 1) + "|"
        for door in DOORS:
            marks = [_mark(scene, door, upstream, play, reasons) for upstream in UPSTREAMS]
            yield f"| {TITLES[door]} | " + " | ".join(marks) + " |"
    yield ""
    yield f"## {PLAIN[0].upper()}{PLAIN[1:]}"
    yield ""
    yield "| door \\ upstream | OpenAI Chat, `tools=emulated` |"
    yield "|---|---|"
    for door in DOORS:
        yield f"| {TITLES[door]} | {_mark(PLAIN, door, 'openai_chat', play, reasons)} |"
    yield ""
    yield from (f"{number}. {reason}" for number, reason in enumerate(reasons, 1))


def _mark(scene: str, door: str, upstream: DialectName, play: Grid, reasons: list[str]) -> str:
    verdicts = [play(Cell(scene=scene, door=door, upstream=upstream, mode=mode)) for mode in MODES]
    if any(verdict.problem for verdict in verdicts):
        return "**wrong**"
    found = dict.fromkeys(verdict.reason for verdict in verdicts if verdict.reason)
    for reason in found:
        if reason not in reasons:
            reasons.append(reason)
    return ", ".join(f"({reasons.index(reason) + 1})" for reason in found) or "●"


if __name__ == "__main__":
    with grid() as play:
        PAGE.write_text(page(play), encoding="utf-8")
