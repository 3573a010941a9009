"""The shape of the project, held by a test: layers, purity, names, sizes, public faces."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "majordomo"
MODULES = sorted(SOURCE.rglob("*.py"))
TESTS = sorted((ROOT / "tests").rglob("*.py"))
PACKAGES = sorted(path.parent for path in SOURCE.rglob("__init__.py"))

# Imports point down only: the lower the number, the lower the layer.
LAYERS = {
    "contract": 0,
    "dialects": 1,
    "route": 2,
    "fit": 2,
    "catalog": 2,
    "trace": 3,
    "config": 4,
    "local": 4,
    "engine": 5,
    "agent": 6,
    "testing": 6,
    "gateway": 7,
    "cli": 8,
}
PURE = ("contract", "dialects", "fit", "route")
IMPURE = {
    *(
        "aiohttp",
        "anyio",
        "asyncio",
        "concurrent",
        "datetime",
        "http",
        "logging",
        "multiprocessing",
    ),
    *("os", "pathlib", "random", "secrets", "select", "socket", "ssl", "subprocess", "threading"),
    *("time", "urllib.request", "uuid"),
}
BANNED_NAMES = {
    *("utils", "util", "helpers", "helper", "common", "misc", "base", "core", "manager"),
    *("handler", "handlers", "types"),
}
LONGEST_FILE = 400
LONGEST_FUNCTION = 40


def name_of(path: Path) -> str:
    return str(path.relative_to(ROOT))


def imports(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module


def layer_of(module: str) -> str | None:
    head, _, rest = module.partition(".")
    return rest.partition(".")[0] if head == "majordomo" and rest else None


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_imports_point_down_only(path: Path) -> None:
    inner = path.relative_to(SOURCE).parts
    if len(inner) == 1:
        return  # the front door may open any room
    here = inner[0]
    for module in imports(path):
        there = layer_of(module)
        if there is None or there == here:
            continue
        assert LAYERS[there] < LAYERS[here], f"{here} must not import {module}"


@pytest.mark.parametrize(
    "path", [path for path in MODULES if path.relative_to(SOURCE).parts[0] in PURE], ids=name_of
)
def test_the_pure_middle_does_no_io_and_reads_no_clock(path: Path) -> None:
    for module in imports(path):
        assert module not in IMPURE, f"{module} has no place in the pure middle"
        assert module.partition(".")[0] not in IMPURE, f"{module} has no place in the pure middle"


@pytest.mark.parametrize("path", [*MODULES, *TESTS], ids=name_of)
def test_a_file_is_read_in_one_sitting(path: Path) -> None:
    assert len(path.read_text().splitlines()) <= LONGEST_FILE


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_a_function_is_seen_at_once(path: Path) -> None:
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            assert node.end_lineno is not None
            length = node.end_lineno - node.lineno + 1
            assert length <= LONGEST_FUNCTION, f"{node.name} has {length} lines"


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_a_file_is_named_for_what_it_defines(path: Path) -> None:
    assert path.stem not in BANNED_NAMES


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_a_module_says_what_it_is(path: Path) -> None:
    assert ast.get_docstring(ast.parse(path.read_text()))


@pytest.mark.parametrize("path", PACKAGES, ids=name_of)
def test_a_public_face_is_true_and_sorted(path: Path) -> None:
    package = import_module(".".join(path.relative_to(SOURCE.parent).parts))
    public: list[str] = getattr(package, "__all__", [])
    assert len(set(public)) == len(public)
    for name in public:
        assert hasattr(package, name), f"{name} is promised but not there"


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_nothing_is_left_for_later(path: Path) -> None:
    text = path.read_text()
    for mark in ("TO" + "DO", "FIX" + "ME", "XX" + "X", "NotImplemented" + "Error"):
        assert mark not in text


LIGHT = """
import os, sys

class Watched(dict):
    def __getitem__(self, key): raise SystemExit(f"read ${key}")
    def get(self, key, default=None): raise SystemExit(f"read ${key}")

os.environ = Watched()
import majordomo
heavy = {"aiohttp", "asyncio", "httpx", "ssl", "PIL", "jsonschema_rs", "uvicorn", "logging"}
found = sorted(heavy & set(sys.modules))
if found: raise SystemExit(f"loaded {found}")
"""


def test_importing_reads_no_environment_and_loads_no_http_stack() -> None:
    done = subprocess.run(
        [sys.executable, "-c", LIGHT], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
