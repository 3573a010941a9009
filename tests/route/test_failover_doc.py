"""`docs/failover.md` says what the code does: its table is the policy."""

import ast
import re
from pathlib import Path

from majordomo.route import Cooldown, Patience
from support.failover_doc import BEGIN, END, table

ROOT = Path(__file__).parents[2]
DOC = ROOT / "docs" / "failover.md"


def test_the_table_is_the_policy() -> None:
    text = DOC.read_text(encoding="utf-8")
    shown = text.partition(BEGIN)[2].partition(END)[0].strip()
    assert shown == table(), f"write this between the marks of {DOC.name}:\n{table()}"


def test_every_test_it_names_is_there() -> None:
    for path, name in re.findall(r"`(tests/[\w/]+\.py)::(\w+)", DOC.read_text(encoding="utf-8")):
        tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
        assert name in {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}


def test_the_defaults_it_gives_are_the_defaults() -> None:
    text = DOC.read_text(encoding="utf-8")
    patience, cooldown = Patience(), Cooldown()
    for name in ("retries", "retry_after", "first_token", "thinking", "silence", "idle", "resumes"):
        given = re.search(rf"\| `{name}` \| (\d+)", text)
        assert given is not None, name
        assert float(given[1]) == getattr(patience, name)
    assert f"({cooldown.threshold} failed tries in a row)" in text
    rests = [f"{cooldown.after(benches):g}" for benches in range(4)]
    assert ", ".join(rests) in text
