"""What the documentation shows runs, and using it loads nothing that is not needed."""

import ast
import inspect
import re
import subprocess
import sys
from pathlib import Path

import pytest

from majordomo.contract import Request, Response
from majordomo.testing import scripted
from support.agent_turns import calls

pytestmark = pytest.mark.anyio

PAGE = Path(__file__).parents[2] / "docs" / "agents.md"
BLOCKS = re.findall(r"^```python\n(.*?)^```", PAGE.read_text(), re.DOTALL | re.MULTILINE)


def answer(request: Request) -> Response | str:
    if request.schema is not None:
        city = '{"name": "Oslo", "people": 709000}'
        wrapped = "value" in str(request.schema["required"])
        return f'{{"value": [{city}]}}' if wrapped else city
    if request.messages[-1].tool_results:
        return "No."
    return calls(("weather", '{"city": "Lima"}'))


async def test_every_block_of_the_page_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {"model": scripted(answer), "__name__": "page"}
    assert len(BLOCKS) == 6
    for block in BLOCKS:
        code = compile(block, str(PAGE), "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
        done: object = eval(code, names)  # noqa: S307 -- our own page
        if inspect.isawaitable(done):
            await done
    assert [str(result) for result in [names["city"]]] == ["City(name='Oslo', people=709000)"]
    assert (tmp_path / "weather.jsonl").exists()


LEAN = """
import sys
import majordomo.agent
from majordomo.agent import Agent, Toolbox, tool
from majordomo.testing import record

@tool
def add(a: int, b: int) -> int:
    return a + b

heavy = {"mcp", "pydantic", "anyio", "PIL", "jsonschema_rs", "annotated_types"}
found = sorted(heavy & set(sys.modules))
if found:
    raise SystemExit(f"loaded {found}")
"""


def test_tools_and_agents_need_nothing_but_the_base_install() -> None:
    done = subprocess.run([sys.executable, "-c", LEAN], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
