"""What the source says beside a field: the comment on its line, or the lines above it."""

import ast
import inspect
import textwrap
from collections.abc import Iterator


def comments(kind: type) -> dict[str, str]:
    """Give the words written beside each field of a class, its bases' too."""
    found: dict[str, str] = {}
    for each in reversed(kind.__mro__):
        if each.__module__.startswith("majordomo"):
            found |= dict(_own(each))
    return found


def _own(kind: type) -> Iterator[tuple[str, str]]:
    source = textwrap.dedent(inspect.getsource(kind))
    lines = source.splitlines()
    body = ast.parse(source).body[0]
    assert isinstance(body, ast.ClassDef)
    for node in body.body:
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            assert node.end_lineno is not None
            beside = lines[node.end_lineno - 1][node.end_col_offset or 0 :].partition("#")[2]
            above = _above(lines, node.lineno - 2)
            yield node.target.id, (beside.strip() or above)


def _above(lines: list[str], at: int) -> str:
    gathered: list[str] = []
    while at >= 0 and lines[at].strip().startswith("#"):
        gathered.insert(0, lines[at].strip().removeprefix("#").strip())
        at -= 1
    return " ".join(gathered)
