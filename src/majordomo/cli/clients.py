"""The programs `majordomo run` knows: what each must be told to talk to a gateway."""

from collections.abc import Callable
from pathlib import Path

from msgspec import Struct

from .small_form import INSTRUCTIONS, Flag, SmallForm

# Clients insist on a key; on the loopback address none is checked.
_KEY = "majordomo"


class Client(Struct, frozen=True, kw_only=True):
    program: str
    install: str
    variables: Callable[[str, Path], dict[str, str]]  # from the gateway's URL; a folder to use
    arguments: Callable[[str, str], tuple[str, ...]]  # from the URL and the spec; come first
    prompt: int  # tokens of its own it was seen to send, tools in words and all
    small: SmallForm
    model_flags: tuple[str, ...] = ("-m", "--model")  # with one of these, ours stays away


def _claude_variables(url: str, _: Path) -> dict[str, str]:
    return {
        "ANTHROPIC_BASE_URL": url,
        "ANTHROPIC_AUTH_TOKEN": _KEY,
        # What is set for the real service must not be sent to another.
        "ANTHROPIC_API_KEY": "",
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
    }


def _codex_arguments(url: str, spec: str) -> tuple[str, ...]:
    settings = {
        "model": spec,
        "model_provider": "majordomo",
        "model_providers.majordomo.name": "majordomo",
        "model_providers.majordomo.base_url": f"{url}/v1",
        "model_providers.majordomo.env_key": "MAJORDOMO_KEY",
        "model_providers.majordomo.wire_api": "responses",
    }
    return tuple(word for name, value in settings.items() for word in ("-c", f'{name}="{value}"'))


def _gemini_variables(url: str, folder: Path) -> dict[str, str]:
    settings = folder / "settings.json"  # with another address it asks how to log in, unless told
    settings.write_text('{"security": {"auth": {"selectedType": "gemini-api-key"}}}')
    return {
        "GOOGLE_GEMINI_BASE_URL": url,
        "GEMINI_API_KEY": _KEY,
        "GEMINI_CLI_SYSTEM_SETTINGS_PATH": str(settings),
    }


def _codex_setting(name: str, value: str) -> Flag:
    """Give a setting of Codex that the user has not made; a feature may be named alone too."""
    return Flag(words=("-c", f"{name}={value}"), unless=(name, name.removeprefix("features.")))


_CLAUDE_SMALL = SmallForm(
    without="its tools, long instructions, hooks and CLAUDE.md",
    flags=(
        Flag(words=("--bare",), unless=("--bare",)),
        # One word: of two, the second would take the words after it for tools as well.
        Flag(words=("--tools=",), unless=("--tools", "--allowedTools", "--allowed-tools")),
        Flag(
            words=("--system-prompt", INSTRUCTIONS),
            unless=("--system-prompt", "--system-prompt-file"),
        ),
    ),
    variables={"CLAUDE_CODE_MAX_OUTPUT_TOKENS": "2048"},  # it asks for 32000
)

_CODEX_SMALL = SmallForm(
    without="most of its tools and its long instructions",
    files={"instructions.md": INSTRUCTIONS},
    flags=(
        _codex_setting("model_instructions_file", '"{folder}/instructions.md"'),
        *(
            _codex_setting(f"features.{name}", "false")
            for name in (
                *("apps", "goals", "multi_agent", "plugins"),
                *("shell_tool", "unified_exec", "view_image"),
            )
        ),
    ),
)

# The file of defaults: what the user's own settings say about tools still counts.
_GEMINI_SMALL = SmallForm(
    without="its tools and its long instructions",
    files={"instructions.md": INSTRUCTIONS, "defaults.json": '{"tools": {"core": []}}'},
    variables={
        "GEMINI_SYSTEM_MD": "{folder}/instructions.md",
        "GEMINI_CLI_SYSTEM_DEFAULTS_PATH": "{folder}/defaults.json",
    },
)

CLIENTS: dict[str, Client] = {
    "claude": Client(
        program="claude",
        install="npm install -g @anthropic-ai/claude-code",
        variables=_claude_variables,
        arguments=lambda _, spec: ("--model", spec),
        prompt=9600,
        small=_CLAUDE_SMALL,
    ),
    "codex": Client(
        program="codex",
        install="npm install -g @openai/codex",
        variables=lambda _, __: {"MAJORDOMO_KEY": _KEY},
        arguments=_codex_arguments,
        prompt=7200,
        small=_CODEX_SMALL,
        model_flags=(),
    ),
    "gemini": Client(
        program="gemini",
        install="npm install -g @google/gemini-cli",
        variables=_gemini_variables,
        arguments=lambda _, spec: ("-m", spec),
        prompt=8400,
        small=_GEMINI_SMALL,
    ),
}
