"""Coding agents on the embedded model, as a user types it."""

import os
from pathlib import Path

import pytest
from msgspec import Struct

from support.coding_clients import CLAUDE_CODE, CODEX
from support.command import Said, started
from support.npm import CACHE, Unavailable, installed
from support.real_model import weights


class Agent(Struct, frozen=True, kw_only=True):
    name: str
    package: str
    words: tuple[str, ...]  # a prompt of one turn


AGENTS = {
    "claude": Agent(
        name="claude", package=CLAUDE_CODE.package, words=("-p", "Say hello in one word")
    ),
    "codex": Agent(
        name="codex",
        package=CODEX.package,
        words=("exec", "--skip-git-repo-check", "Say hello in one word"),
    ),
}


# What Codex says of an answer that was stopped because it did not end: that is the model's
# doing, one time in twenty, and no fault of what is between the two.
RAMBLED = "Incomplete response returned, reason: max_output_tokens"


@pytest.mark.full
@pytest.mark.parametrize("client", AGENTS.values(), ids=AGENTS)
def test_a_coding_agent_completes_a_prompt_on_the_embedded_model_as_plainly_typed(
    client: Agent, tmp_path: Path
) -> None:
    try:
        weights()
        programs = installed(client.package)
    except Unavailable as reason:
        pytest.skip(str(reason))
    said = _typed(client, programs, tmp_path)
    for _ in range(2):
        if RAMBLED in said.err:
            said = _typed(client, programs, tmp_path)
    assert said.code == 0, said.err
    assert said.out.strip()
    assert "room for 8192 tokens" in said.err


def _typed(client: Agent, programs: Path, folder: Path) -> Said:
    return started(
        *("run", client.name, "-m", "local", "--", *client.words),
        cwd=folder,
        environ={
            "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}",
            "HOME": str(folder),
            "MAJORDOMO_CACHE": str(CACHE / "majordomo"),
            "IS_SANDBOX": "1",  # Claude Code may be run as root in a container
        },
        seconds=300,
    )
