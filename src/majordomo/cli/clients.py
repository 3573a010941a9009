"""The programs `majordomo run` knows: what each must be told to talk to a gateway."""

from collections.abc import Callable
from pathlib import Path

from msgspec import Struct

# Clients insist on a key; on the loopback address none is checked.
_KEY = "majordomo"


class Client(Struct, frozen=True, kw_only=True):
    program: str
    install: str
    variables: Callable[[str, Path], dict[str, str]]  # from the gateway's URL; a folder to use
    arguments: Callable[[str, str], tuple[str, ...]]  # from the URL and the spec; come first
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


CLIENTS: dict[str, Client] = {
    "claude": Client(
        program="claude",
        install="npm install -g @anthropic-ai/claude-code",
        variables=_claude_variables,
        arguments=lambda _, spec: ("--model", spec),
    ),
    "codex": Client(
        program="codex",
        install="npm install -g @openai/codex",
        variables=lambda _, __: {"MAJORDOMO_KEY": _KEY},
        arguments=_codex_arguments,
        model_flags=(),
    ),
    "gemini": Client(
        program="gemini",
        install="npm install -g @google/gemini-cli",
        variables=_gemini_variables,
        arguments=lambda _, spec: ("-m", spec),
    ),
}
