"""The page of recipes by provider, from the catalog's rows."""

from collections.abc import Iterator

from majordomo.catalog.provider import Provider
from majordomo.catalog.providers import PROVIDERS
from majordomo.config.env import variable_of

from .field import code, table


def page() -> str:
    return "\n".join(_lines()) + "\n"


def _lines() -> Iterator[str]:
    yield "# Providers"
    yield ""
    yield "<!-- Made by `make reference` from the catalog; a test compares. -->"
    yield ""
    yield "These are built in: set the key where one is needed, and name any model of theirs as"
    yield "`provider/model-id`. `majordomo models PROVIDER` asks which there are."
    yield ""
    yield from table(
        ("provider", "dialect", "key", "address", "tools"),
        [
            (
                code(row.name),
                code(row.dialect),
                _key(row),
                code(row.base_url) if row.base_url else "yours",
                row.capabilities.tools,
            )
            for row in PROVIDERS.values()
        ],
    )
    yield ""
    yield "Any other server of one of the dialects is one [DSN](../reference/dsn.md) away."
    yield ""
    for title, words, dsn in _RECIPES:
        yield f"## {title}"
        yield ""
        yield words
        yield ""
        yield "```sh"
        yield dsn
        yield "```"
        yield ""


def _key(row: Provider) -> str:
    if not row.key_env:
        return "none"
    names = " or ".join(code(name) for name in row.key_env)
    return names if row.key_required else f"{names}, if it wants one"


_RECIPES = (
    (
        "A server of your own with the OpenAI API (vLLM, llama.cpp, LM Studio, SGLang, …)",
        "On its usual port it is built in (`vllm/…`, `llamacpp/…`, `lmstudio/…`); elsewhere:",
        f"export {variable_of('gpu')}='openai+http://192.0.2.7:8000/v1'",
    ),
    (
        "A model that only chats",
        "Tools are written into its prompt and read out of its text:",
        f"export {variable_of('plain')}='openai+http://192.0.2.7:8000/v1?tools=emulated'",
    ),
    (
        "Azure OpenAI",
        "The v1 surface; the model id is the deployment's name:",
        (
            f"export {variable_of('azure')}="
            "'openai://my-key@my-resource.openai.azure.com/openai/v1?auth=api-key'"
        ),
    ),
    (
        "Ollama on another machine",
        "Without TLS, with patience for loading a model:",
        f"export {variable_of('home')}='ollama+http://192.0.2.8:11434?timeout=900'",
    ),
    (
        "Another majordomo",
        "A gateway is a server of every dialect; the Anthropic one carries the most:",
        f"export {variable_of('team')}='anthropic://mjd-key@gateway.example'",
    ),
    (
        "Anthropic's API through a proxy that wants a bearer token",
        "The key goes where `auth` says:",
        f"export {variable_of('corp')}='anthropic://my-key@llm.example?auth=bearer'",
    ),
)
