"""Every Python block of the documentation runs, in order, page by page."""

import ast
import gc
import inspect
import os
import socket
import warnings
from collections.abc import Generator, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

import majordomo
from majordomo.cli.background import gateway
from majordomo.cli.question import red_square
from majordomo.config.file import Settings
from majordomo.contract import DialectName
from majordomo.testing import DialectServer
from support.docs_model import obliging
from support.docs_pages import Block, blocks

pytestmark = pytest.mark.anyio

GATEWAY = "http://127.0.0.1:8484"  # where the pages say it is

# Pages whose blocks are run elsewhere, or are shown only as fragments of the source.
ELSEWHERE = {
    "docs/actions.md": "tests/fit/actions/test_actions_docs.py",
    "docs/agents.md": "tests/agent/test_agent_documents.py",
    "docs/local.md": "tests/real/test_real_docs.py",
    "docs/fit.md": "shows signatures of the source",
}

SERVERS: dict[DialectName, tuple[str, tuple[str, ...]]] = {
    "openai_chat": ("openai+{url}/v1", ("OPENAI", "GROQ", "LOCAL", "HOME")),
    "anthropic": ("anthropic+{url}", ("ANTHROPIC",)),
    "ollama": ("ollama+{url}", ("OLLAMA",)),
}


def python() -> dict[str, list[Block]]:
    pages: dict[str, list[Block]] = {}
    for block in blocks("python"):
        if block.page not in ELSEWHERE:
            pages.setdefault(block.page, []).append(block)
    return pages


@pytest.fixture(scope="module")
def providers() -> Generator[dict[str, str]]:
    """Give the variables that make every provider the pages name a scripted one."""
    with ExitStack() as stack:
        environ: dict[str, str] = {}
        for dialect, (dsn, names) in SERVERS.items():
            server = stack.enter_context(DialectServer.in_thread(dialect, obliging))
            environ |= {f"LLM_{name}": dsn.format(url=server.url) for name in names}
        environ["LLM_BOX"] = environ["LLM_OPENAI"] + "?tools=emulated&structured=prompt"
        with socket.create_server(("127.0.0.1", 0)) as closed:
            environ["LLM_DEAD"] = f"openai+http://127.0.0.1:{closed.getsockname()[1]}/v1"
        yield environ


@pytest.fixture
def served(
    providers: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[str]:
    (tmp_path / "photo.png").write_bytes(red_square(64))
    for name, dsn in providers.items():
        monkeypatch.setenv(name, dsn)
    with gateway(Settings()) as url:
        yield url
    gc.enable()


@pytest.mark.parametrize("found", python().values(), ids=python().keys())
async def test_the_python_of_a_page_runs(
    found: list[Block],
    served: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {
        "model": majordomo.model("openai/gpt-5-mini"),
        "eye_dsn": os.environ["LLM_OPENAI"],
    }
    gc.disable()  # pages leave their clients to the end, and here the end is below
    for block in found:
        code = compile(
            block.text.replace(GATEWAY, served),
            block.name,
            "exec",
            flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT,
        )
        result: object = eval(code, names)  # noqa: S307 -- our own pages
        if inspect.isawaitable(result):
            await result
    names.clear()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)
        gc.collect()


def test_no_page_is_excused_that_is_not_there() -> None:
    pages = {block.page for block in blocks("python")}
    assert set(ELSEWHERE) <= pages
