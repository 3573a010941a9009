"""The providers everybody has, as rows. Only a new dialect is code."""

from difflib import get_close_matches

from majordomo.contract import InvalidRequest
from majordomo.dialects.dialect import Wire

from .limits import (
    ANTHROPIC,
    CEREBRAS,
    COMPATIBLE,
    DEEPSEEK,
    GEMINI,
    GROQ,
    LLAMACPP,
    LM_STUDIO,
    LOCAL,
    MISTRAL,
    MOONSHOT,
    OLLAMA,
    OLLAMA_CLOUD,
    OPENAI_CHAT,
    OPENAI_RESPONSES,
    OPENROUTER,
    VLLM,
)
from .provider import Provider, Timeouts

# A local server may load a model before it says its first word.
_LOCAL = Timeouts(connect=5.0, first_byte=1800.0, idle=600.0)
_OLD_FIELD = Wire(max_tokens_field="max_tokens")


def provider_named(name: str) -> Provider:
    """Give a built-in provider; an unknown name says which one was probably meant."""
    if name in PROVIDERS:
        return PROVIDERS[name]
    near = get_close_matches(name, PROVIDERS, n=1)
    hint = f"did you mean {near[0]!r}?" if near else f"known are: {', '.join(sorted(PROVIDERS))}"
    raise InvalidRequest(f"no provider is called {name!r}; {hint}")


_ROWS = (
    Provider(
        name="openai",
        dialect="openai_chat",
        base_url="https://api.openai.com/v1",
        key_env=("OPENAI_API_KEY",),
        capabilities=OPENAI_CHAT,
    ),
    Provider(
        name="openai-responses",
        dialect="openai_responses",
        base_url="https://api.openai.com/v1",
        key_env=("OPENAI_API_KEY",),
        capabilities=OPENAI_RESPONSES,
    ),
    Provider(
        # The v1 surface: no api-version, the model id is the deployment's name. Its host is
        # the customer's own, so it is given: https://<resource>.openai.azure.com/openai/v1
        name="azure",
        dialect="openai_chat",
        base_url="",
        key_env=("AZURE_OPENAI_API_KEY", "AZURE_API_KEY"),
        auth="api-key",
        capabilities=OPENAI_CHAT,
    ),
    Provider(
        name="anthropic",
        dialect="anthropic",
        base_url="https://api.anthropic.com",
        key_env=("ANTHROPIC_API_KEY",),
        auth="x-api-key",
        capabilities=ANTHROPIC,
    ),
    Provider(
        name="gemini",
        dialect="gemini",
        base_url="https://generativelanguage.googleapis.com",
        key_env=("GEMINI_API_KEY", "GOOGLE_API_KEY"),
        auth="x-goog-api-key",
        capabilities=GEMINI,
    ),
    Provider(
        name="ollama",
        dialect="ollama",
        base_url="http://localhost:11434",
        auth="none",
        capabilities=OLLAMA,
        timeouts=_LOCAL,
    ),
    Provider(
        name="ollama-cloud",
        dialect="ollama",
        base_url="https://ollama.com",
        key_env=("OLLAMA_API_KEY",),
        capabilities=OLLAMA_CLOUD,
    ),
    Provider(
        # Ollama's dialect, but a stream may come as one whole object. Runs where it is put, so
        # its address is given.
        name="foreman",
        dialect="ollama",
        base_url="",
        key_env=("FOREMAN_API_KEY",),
        key_required=False,
        capabilities=OLLAMA,
        timeouts=_LOCAL,
    ),
    Provider(
        name="openrouter",
        dialect="openai_chat",
        base_url="https://openrouter.ai/api/v1",
        key_env=("OPENROUTER_API_KEY",),
        capabilities=OPENROUTER,
        wire=Wire(max_tokens_field="max_tokens", reasoning_field="reasoning"),
    ),
    Provider(
        name="groq",
        dialect="openai_chat",
        base_url="https://api.groq.com/openai/v1",
        key_env=("GROQ_API_KEY",),
        capabilities=GROQ,
        wire=Wire(reasoning_field="reasoning"),
    ),
    Provider(
        name="mistral",
        dialect="openai_chat",
        base_url="https://api.mistral.ai/v1",
        key_env=("MISTRAL_API_KEY",),
        capabilities=MISTRAL,
        wire=Wire(
            max_tokens_field="max_tokens",
            required_word="any",
            seed_field="random_seed",
            stream_usage=False,  # sent unasked; unknown fields are refused
        ),
    ),
    Provider(
        name="deepseek",
        dialect="openai_chat",
        base_url="https://api.deepseek.com/v1",
        key_env=("DEEPSEEK_API_KEY",),
        capabilities=DEEPSEEK,
        wire=Wire(max_tokens_field="max_tokens", reasoning_field="reasoning_content"),
    ),
    Provider(
        name="together",
        dialect="openai_chat",
        base_url="https://api.together.xyz/v1",
        key_env=("TOGETHER_API_KEY",),
        capabilities=COMPATIBLE,
        wire=_OLD_FIELD,
    ),
    Provider(
        name="fireworks",
        dialect="openai_chat",
        base_url="https://api.fireworks.ai/inference/v1",
        key_env=("FIREWORKS_API_KEY",),
        capabilities=COMPATIBLE,
        wire=Wire(max_tokens_field="max_tokens", reasoning_field="reasoning_content"),
    ),
    Provider(
        name="xai",
        dialect="openai_chat",
        base_url="https://api.x.ai/v1",
        key_env=("XAI_API_KEY",),
        capabilities=COMPATIBLE,
    ),
    Provider(
        name="cerebras",
        dialect="openai_chat",
        base_url="https://api.cerebras.ai/v1",
        key_env=("CEREBRAS_API_KEY",),
        capabilities=CEREBRAS,
        wire=Wire(reasoning_field="reasoning"),
    ),
    Provider(
        name="moonshot",
        dialect="openai_chat",
        base_url="https://api.moonshot.ai/v1",
        key_env=("MOONSHOT_API_KEY",),
        capabilities=MOONSHOT,
        wire=Wire(max_tokens_field="max_tokens", reasoning_field="reasoning_content"),
    ),
    Provider(
        name="vllm",
        dialect="openai_chat",
        base_url="http://localhost:8000/v1",
        key_env=("VLLM_API_KEY",),
        key_required=False,
        capabilities=VLLM,
        wire=Wire(reasoning_field="reasoning"),
        timeouts=_LOCAL,
    ),
    Provider(
        name="llamacpp",
        dialect="openai_chat",
        base_url="http://localhost:8080/v1",
        key_env=("LLAMA_API_KEY",),
        key_required=False,
        capabilities=LLAMACPP,
        wire=Wire(max_tokens_field="max_tokens", reasoning_field="reasoning_content"),
        timeouts=_LOCAL,
    ),
    Provider(
        # llama.cpp in a process of our own, started by the first request: see `majordomo.local`.
        # The model is a name it knows or the path of a .gguf.
        name="local",
        dialect="openai_chat",
        base_url="local://{model}/v1",
        auth="none",
        capabilities=LOCAL,
        wire=Wire(max_tokens_field="max_tokens"),
        timeouts=_LOCAL,
    ),
    Provider(
        name="lmstudio",
        dialect="openai_chat",
        base_url="http://localhost:1234/v1",
        auth="none",
        capabilities=LM_STUDIO,
        wire=Wire(max_tokens_field="max_tokens", reasoning_field="reasoning_content"),
        timeouts=_LOCAL,
    ),
)

PROVIDERS: dict[str, Provider] = {row.name: row for row in _ROWS}
