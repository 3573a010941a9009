"""Every complaint of others has a test of ours that exists, and the published page says which."""

import ast
import re
from functools import cache
from pathlib import Path

import pytest

from support.complaints import PAGE, complaints, page

ROOT = Path(__file__).parents[1]
ALL = complaints()
GUARDS = sorted({guard for complaint in ALL for guard in complaint.guards})
GUARD = re.compile(r"(?P<path>[^:]+)::(?:(?P<group>\w+)::)?(?P<test>\w+)(?:\[(?P<row>.+)\])?")


def test_there_are_as_many_as_were_heard() -> None:
    assert len(ALL) == 35
    for complaint in ALL:
        assert complaint.guards
        assert all(re.fullmatch(r"[\w./-]+#\d+", place) for place in complaint.heard)


@pytest.mark.parametrize("guard", GUARDS)
def test_a_guard_stands_where_it_is_said_to(guard: str) -> None:
    found = GUARD.fullmatch(guard)
    assert found is not None
    tree = parsed(ROOT / found["path"])
    body = tree.body
    if found["group"]:
        (group,) = [n for n in body if isinstance(n, ast.ClassDef) and n.name == found["group"]]
        body = group.body
    functions = [n for n in body if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef)]
    assert found["test"] in [function.name for function in functions]
    if found["row"]:
        assert found["row"] in words_of(ROOT / found["path"]), "there is no such row"


def test_the_published_page_is_the_table() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "run: make tables"


@cache
def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def words_of(path: Path) -> set[str]:
    """Give every text in a test and in the supporting modules it imports: rows are among them."""
    words: set[str] = set()
    for place in {path, *supporting(path)}:
        constants = (node for node in ast.walk(parsed(place)) if isinstance(node, ast.Constant))
        words |= {node.value for node in constants if isinstance(node.value, str)}
    return words


def supporting(path: Path, steps: int = 3) -> set[Path]:
    """Follow the imports of our own test support, a few steps far."""
    found: set[Path] = set()
    for node in ast.walk(parsed(path)):
        if isinstance(node, ast.ImportFrom) and (file := _file(node, path)) is not None:
            found |= {file, *(supporting(file, steps - 1) if steps else ())}
    return found


def _file(node: ast.ImportFrom, path: Path) -> Path | None:
    folder = path.parents[node.level - 1] if node.level else ROOT / "tests"
    file = folder.joinpath(*(node.module or "").split(".")).with_suffix(".py")
    return file if file.is_file() else None
