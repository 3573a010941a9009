"""Coding agents from npm, each run once, headless and offline, against a gateway."""

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

from msgspec import Struct

from majordomo.contract import JsonObject

from .npm import installed


class Started(Struct, frozen=True, kw_only=True):
    """How to start it, once its home is prepared."""

    arguments: tuple[str, ...]
    environ: dict[str, str]


class CodingClient(Struct, frozen=True, kw_only=True):
    name: str
    package: str
    program: str
    tool: str  # the one it runs commands with
    arguments: JsonObject  # of a call that shows note.txt
    prepare: Callable[[Path, str, str], Started]  # its home, the gateway's URL, the model

    def run(self, prompt: str, *, url: str, model: str, home: Path) -> str:
        """Let it work in `home/work` until it is done; give what it printed."""
        bin = installed(self.package)
        work = home / "work"
        work.mkdir(exist_ok=True)
        started = self.prepare(home, url, model)
        done = subprocess.run(
            [str(bin / self.program), *started.arguments, prompt],
            env={"PATH": os.environ["PATH"], "HOME": str(home), **started.environ},
            cwd=work,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
            timeout=60,
        )
        assert done.returncode == 0, f"{self.name}: {done.stdout}\n{done.stderr}"
        return done.stdout


def _claude(_home: Path, url: str, model: str) -> Started:
    return Started(
        arguments=("--allowedTools", "Bash", "-p"),
        environ={
            "ANTHROPIC_BASE_URL": url,
            "ANTHROPIC_AUTH_TOKEN": "any",
            "ANTHROPIC_MODEL": model,
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
            "CLAUDE_CODE_MAX_RETRIES": "1",
            "IS_SANDBOX": "1",  # it may be run as root in a container
        },
    )


_CODEX = """\
model = "{model}"
model_provider = "majordomo"

[model_providers.majordomo]
name = "majordomo"
base_url = "{url}/v1"
env_key = "MAJORDOMO_KEY"
wire_api = "responses"
request_max_retries = 0
stream_max_retries = 0
"""


def _codex(home: Path, url: str, model: str) -> Started:
    folder = home / ".codex"
    folder.mkdir()
    (folder / "config.toml").write_text(_CODEX.format(url=url, model=model))
    return Started(
        arguments=(
            *("exec", "--json", "--skip-git-repo-check"),
            "--dangerously-bypass-approvals-and-sandbox",
        ),
        environ={"MAJORDOMO_KEY": "any"},
    )


def _gemini(home: Path, url: str, model: str) -> Started:
    folder = home / ".gemini"
    folder.mkdir()
    (folder / "settings.json").write_text(
        '{"security": {"auth": {"selectedType": "gemini-api-key"}}}'
    )
    return Started(
        arguments=("--skip-trust", "--yolo", "--model", model, "--prompt"),
        environ={"GOOGLE_GEMINI_BASE_URL": url, "GEMINI_API_KEY": "any"},
    )


CLAUDE_CODE = CodingClient(
    name="Claude Code",
    package="@anthropic-ai/claude-code@2.1.325",
    program="claude",
    tool="Bash",
    arguments={"command": "cat note.txt", "description": "Show the note"},
    prepare=_claude,
)
CODEX = CodingClient(
    name="Codex",
    package="@openai/codex@0.166.0",
    program="codex",
    tool="exec_command",
    arguments={"cmd": "cat note.txt"},
    prepare=_codex,
)
GEMINI_CLI = CodingClient(
    name="Gemini CLI",
    package="@google/gemini-cli@0.61.0",
    program="gemini",
    tool="run_shell_command",
    arguments={"command": "cat note.txt"},
    prepare=_gemini,
)
