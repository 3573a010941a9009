"""What the library costs: CPU per call and per stream, and what importing it takes.

`python bench/library.py [--quick] [--peers]` prints two tables beside what one would use instead,
writes `bench/results/library.json`, and fails if a promise is broken. Figures of one run compare;
those of different machines do not.
"""

import json
import statistics
import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from peers import Missing, python_peer

_HERE = Path(__file__).parent
_RESULTS = _HERE / "results" / "library.json"
_BARE = "bare aiohttp + json"
_NEEDS = {"openai SDK": "openai"}
_NAMES = {  # what it is called -> which `ask_*` it is
    _BARE: "bare",
    "majordomo": "majordomo",
    "openai SDK": "openai",
    "litellm": "litellm",
    "pydantic-ai": "pydantic_ai",
    "any-llm": "any_llm",
}
_PEERS = {  # installed by `--peers` into environments of their own -> what pip calls them
    "litellm": "litellm[proxy]",
    "pydantic-ai": "pydantic-ai-slim[openai]",
    "any-llm": "any-llm-sdk[openai]",
}
_PROMISES = {"call": 1.5, "stream": 2.0}  # times the bare client's CPU
_IMPORT_MS, _IMPORT_MB = 60.0, 30.0
_IMPORTS = {
    "nothing": "",
    "majordomo": "import majordomo",
    "majordomo, model at hand": "import majordomo; majordomo.model",
    "openai SDK": "import openai",
    "litellm": "import litellm",
    "pydantic-ai": "import pydantic_ai",
    "any-llm": "import any_llm",
}


def main() -> int:
    passes = 1 if "--quick" in sys.argv else 3
    requests = measure_requests(passes)
    imports = measure_imports(3 if passes == 1 else 9)
    print_requests(requests)
    print_imports(imports)
    _RESULTS.parent.mkdir(exist_ok=True)
    _RESULTS.write_text(json.dumps({"microseconds": requests, "import": imports}, indent=2) + "\n")
    broken = broken_promises(requests, imports)
    for promise in broken:
        print(f"broken: {promise}")
    return 1 if broken else 0


def measure_requests(passes: int) -> dict[str, dict[str, float]]:
    """Let everybody run in turn, several times over, so that a busy moment hits them all."""
    names = [name for name in _NAMES if interpreter(name)]
    for name in sorted(set(_NAMES) - set(names)):
        print(f"{name} is not installed: left out")
    figures: dict[str, dict[str, list[float]]] = {
        name: {"call": [], "stream": []} for name in names
    }
    with upstream() as url:
        for _ in range(passes):
            for name in names:
                done = subprocess.run(
                    [interpreter(name), str(_HERE / "contestant.py"), _NAMES[name], url],
                    capture_output=True,
                    check=True,
                )
                for kind, values in json.loads(done.stdout).items():
                    figures[name][kind].extend(values)
    return {
        name: {kind: round(statistics.median(values), 1) for kind, values in kinds.items()}
        for name, kinds in figures.items()
    }


@cache
def interpreter(name: str) -> str:
    """Give the Python that has what a contestant needs; none where it is not installed."""
    if name not in _PEERS:
        found = name not in _NEEDS or find_spec(_NEEDS[name])
        return sys.executable if found else ""
    if "--peers" not in sys.argv:
        return ""
    try:
        return str(python_peer(_NAMES[name], _PEERS[name]) / "bin" / "python")
    except Missing as why:
        print(f"{name}: {why}")
        return ""


@contextmanager
def upstream() -> Generator[str]:
    with subprocess.Popen(
        [sys.executable, str(_HERE / "upstream.py")],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        assert process.stdin is not None
        yield f"http://127.0.0.1:{process.stdout.readline().strip()}/v1"
        process.stdin.close()


def measure_imports(times: int) -> dict[str, dict[str, float]]:
    """CPU and memory of a fresh process that does nothing else; the interpreter's own included."""
    found: dict[str, dict[str, float]] = {}
    for name, statement in _IMPORTS.items():
        if not interpreter(name):
            continue
        runs = [_run_once(statement, interpreter(name)) for _ in range(times)]
        found[name] = {
            "ms": round(statistics.median(run[0] for run in runs), 1),
            "mb": round(statistics.median(run[1] for run in runs), 1),
        }
    return found


def _run_once(statement: str, python: str) -> tuple[float, float]:
    program = (
        f"{statement}\n"
        "import resource, time\n"
        "print(time.process_time() * 1e3, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)"
    )
    done = subprocess.run([python, "-c", program], capture_output=True, check=True)
    milliseconds, size = done.stdout.split()
    unit = 1024 * 1024 if sys.platform == "darwin" else 1024
    return float(milliseconds), float(size) / unit


def print_requests(requests: dict[str, dict[str, float]]) -> None:
    bare = requests[_BARE]
    print(f"{'CPU of the client, µs':26}{'one call':>12}{'':>8}{'100-chunk stream':>18}")
    for name, kinds in requests.items():
        cells = [f"{kinds[kind]:12.0f}{kinds[kind] / bare[kind]:7.2f}x" for kind in _PROMISES]
        print(f"{name:26}{cells[0]}{cells[1]:>22}")


def print_imports(imports: dict[str, dict[str, float]]) -> None:
    print(f"\n{'import':26}{'CPU, ms':>12}{'RSS, MB':>12}")
    for module, figures in imports.items():
        print(f"{module:26}{figures['ms']:12.0f}{figures['mb']:12.1f}")


def broken_promises(
    requests: dict[str, dict[str, float]], imports: dict[str, dict[str, float]]
) -> list[str]:
    ours, bare = requests["majordomo"], requests[_BARE]
    broken = [
        f"a {kind} costs {ours[kind] / bare[kind]:.2f}x the bare client, promised {limit}x"
        for kind, limit in _PROMISES.items()
        if ours[kind] > limit * bare[kind]
    ]
    imported = imports["majordomo"]
    if imported["ms"] >= _IMPORT_MS:
        broken.append(f"the import takes {imported['ms']} ms, promised {_IMPORT_MS}")
    if imported["mb"] >= _IMPORT_MB:
        broken.append(f"the import takes {imported['mb']} MB, promised {_IMPORT_MB}")
    return broken


if __name__ == "__main__":
    sys.exit(main())
