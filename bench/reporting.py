"""The table of the gateway's benchmark, and the goals it is held against."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from measuring import Figures, Scenario

_OURS, _FLOOR = "majordomo", "nginx"


class Goal(NamedTuple):
    what: str
    figure: float
    most: float
    unit: str


def print_table(figures: Mapping[str, Figures], scenarios: Sequence[Scenario]) -> None:
    names = list(figures)
    rows = list(dict.fromkeys(row for each in figures.values() for row in each))
    first = [f"{scenario.name}, µs" for scenario in scenarios]
    rows = [*first, *(row for row in rows if row not in first)]
    print(f"{'':32}" + "".join(f"{name[:18]:>20}" for name in names))
    for row in rows:
        cells = [figures[name].get(row) for name in names]
        print(f"{row:32}" + "".join(_cell(cell) for cell in cells))


def goals(figures: Mapping[str, Figures]) -> list[dict[str, object]]:
    """Hold our figures against what was promised; the floor is the one of this run."""
    ours, floor = figures[_OURS], figures.get(_FLOOR, {})
    small, stream = floor.get("small chat→chat, µs"), floor.get("stream chat→chat, µs")
    found: list[Goal] = []
    if small and stream:
        for door in ("anthropic→chat", "chat→anthropic", "responses→chat"):
            times = ours[f"small {door}, µs"] / small
            found.append(Goal(f"small request, {door}", times, 6.0, "x nginx"))
            times = ours[f"stream {door}, µs"] / stream
            found.append(Goal(f"100-chunk stream, {door}", times, 5.0, "x nginx"))
        times = ours["small chat→chat, µs"] / small
        found.append(Goal("small request, same dialect", times, 4.0, "x nginx"))
        times = ours["stream chat→chat, µs"] / stream
        found.append(Goal("100-chunk stream, same dialect", times, 3.0, "x nginx"))
    agent = ours["agent 60 kB anthropic→chat, µs"] / 1000
    emulated = (ours["tools emulated 4 kB, µs"] - ours["tools native 4 kB, µs"]) / 1000
    found += [
        Goal("60 kB agent request, anthropic→chat", agent, 1.2, "ms"),
        Goal("added latency, p50", ours["added latency p50, ms"], 0.4, "ms"),
        Goal("added latency, p99", ours["added latency p99, ms"], 2.0, "ms"),
        Goal("added time to first chunk, p50", ours["added first chunk p50, ms"], 0.4, "ms"),
        Goal("emulated tool turn over native", emulated, 1.0, "ms"),
        Goal("RSS at start", ours["RSS at start, MB"], 60.0, "MB"),
        Goal("RSS after 10,000 requests", ours["RSS after 10,000, MB"], 80.0, "MB"),
        Goal("start to first answer", ours["start, s"], 0.8, "s"),
    ]
    return [
        {"what": what, "figure": figure, "most": most, "unit": unit, "met": figure <= most}
        for what, figure, most, unit in found
    ]


def print_goals(found: Sequence[Mapping[str, object]]) -> None:
    print()
    for goal in found:
        mark = "met" if goal["met"] else "NOT MET"
        print(
            f"{goal['what']:40}{goal['figure']:>9.2f} of {goal['most']:g} {goal['unit']:8} {mark}"
        )


def _cell(figure: float | None) -> str:
    if figure is None:
        return f"{'-':>20}"
    return f"{figure:20.0f}" if figure >= 100 else f"{figure:20.2f}"
