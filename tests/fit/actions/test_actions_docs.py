"""The example in the documentation runs."""

import re
from pathlib import Path


def test_the_documented_example_runs() -> None:
    page = (Path(__file__).parents[3] / "docs" / "actions.md").read_text(encoding="utf-8")
    example = re.search(r"```python\n(.*?)^```$", page, re.DOTALL | re.MULTILINE)
    assert example is not None
    exec(compile(example.group(1), "docs/actions.md", "exec"), {})  # noqa: S102 -- our own page
