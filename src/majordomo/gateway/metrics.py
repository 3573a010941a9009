"""Counters and histograms in Prometheus' text format. Plain additions on the hot path.

https://prometheus.io/docs/instrumenting/exposition_formats/
"""

from bisect import bisect_left
from collections.abc import Iterator

MOST_SERIES = 1000  # clients choose model names; memory must not grow with them
SECONDS = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 120.0, 300.0)


class Counter:
    __slots__ = ("help", "labels", "name", "values")

    def __init__(self, name: str, help: str, labels: tuple[str, ...] = ()) -> None:
        self.name = name
        self.help = help
        self.labels = labels
        self.values: dict[tuple[str, ...], float] = {}

    def add(self, *labels: str, by: float = 1) -> None:
        values = self.values
        if labels in values:
            values[labels] += by
            return
        if len(values) >= MOST_SERIES:
            labels = ("other",) * len(labels)
        values[labels] = values.get(labels, 0) + by

    def lines(self) -> Iterator[str]:
        yield f"# HELP {self.name} {self.help}"
        yield f"# TYPE {self.name} counter"
        for labels, value in sorted(self.values.items()):
            yield f"{self.name}{_labels(self.labels, labels)} {value:g}"


class Histogram:
    __slots__ = ("buckets", "count", "help", "name", "sum")

    def __init__(self, name: str, help: str) -> None:
        self.name = name
        self.help = help
        self.buckets = [0] * (len(SECONDS) + 1)
        self.sum = 0.0
        self.count = 0

    def observe(self, seconds: float) -> None:
        self.buckets[bisect_left(SECONDS, seconds)] += 1
        self.sum += seconds
        self.count += 1

    def lines(self) -> Iterator[str]:
        yield f"# HELP {self.name} {self.help}"
        yield f"# TYPE {self.name} histogram"
        below = 0
        for bound, amount in zip(SECONDS, self.buckets, strict=False):
            below += amount
            yield f'{self.name}_bucket{{le="{bound:g}"}} {below}'
        yield f'{self.name}_bucket{{le="+Inf"}} {self.count}'
        yield f"{self.name}_sum {self.sum:g}"
        yield f"{self.name}_count {self.count}"


class Metrics:
    """Everything the gateway counts. Label values are bounded: doors, outcomes, targets."""

    def __init__(self) -> None:
        self.requests = Counter(
            "majordomo_requests_total", "Requests answered.", ("door", "status")
        )
        self.attempts = Counter(
            "majordomo_attempts_total", "Tries of one target.", ("target", "outcome")
        )
        self.failovers = Counter(
            "majordomo_failovers_total", "Requests served by another target than the first."
        )
        self.tokens = Counter("majordomo_tokens_total", "Tokens reported.", ("kind",))
        self.emulation = Counter(
            "majordomo_emulation_total", "What tool emulation did.", ("event",)
        )
        self.gone = Counter("majordomo_clients_gone_total", "Clients that left early.")
        self.first = Histogram("majordomo_first_token_seconds", "Time to the first byte out.")
        self.total = Histogram("majordomo_request_seconds", "Time to the last byte out.")
        self.in_flight = 0

    def render(self, benched: dict[str, bool]) -> bytes:
        lines = [
            "# HELP majordomo_in_flight Requests being answered.",
            "# TYPE majordomo_in_flight gauge",
            f"majordomo_in_flight {self.in_flight}",
            "# HELP majordomo_benched Whether a target is benched.",
            "# TYPE majordomo_benched gauge",
            *(
                f"majordomo_benched{_labels(('target',), (target,))} {int(out)}"
                for target, out in sorted(benched.items())
            ),
        ]
        families = (self.requests, self.attempts, self.failovers, self.tokens, self.emulation)
        for family in (*families, self.gone, self.first, self.total):
            lines.extend(family.lines())
        return ("\n".join(lines) + "\n").encode()


def _labels(names: tuple[str, ...], values: tuple[str, ...]) -> str:
    if not names:
        return ""
    pairs = (f'{name}="{_escaped(value)}"' for name, value in zip(names, values, strict=False))
    return "{" + ",".join(pairs) + "}"


def _escaped(value: str) -> str:
    return value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
