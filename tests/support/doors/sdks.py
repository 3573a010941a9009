"""The official SDKs, pointed at one gateway, opened once and closed together."""

from collections.abc import Callable, Generator
from contextlib import contextmanager

import ollama
from anthropic import Anthropic
from google import genai
from google.genai import types
from openai import OpenAI

from .anthropic import AnthropicClient
from .client import Client, Native
from .gemini import GeminiClient
from .ollama import OllamaClient
from .openai_chat import ChatClient
from .openai_responses import ResponsesClient

DOORS = ("openai_chat", "openai_responses", "anthropic", "ollama", "gemini")


@contextmanager
def sdks(url: str, key: str = "k") -> Generator[dict[str, Callable[[], Client]]]:
    """Give a way to open a conversation through each door, and through two with other habits."""
    openai: Native = OpenAI(base_url=f"{url}/v1", api_key=key, max_retries=0)
    anthropic: Native = Anthropic(base_url=url, api_key=key, max_retries=0)
    gemini: Native = genai.Client(api_key=key, http_options=types.HttpOptions(base_url=url))
    llama: Native = ollama.Client(host=url, headers={"authorization": f"Bearer {key}"})
    try:
        yield {
            "openai_chat": lambda: ChatClient(openai),
            "openai_responses": lambda: ResponsesClient(openai),
            "anthropic": lambda: AnthropicClient(anthropic),
            "ollama": lambda: OllamaClient(llama),
            "gemini": lambda: GeminiClient(gemini),
            "openai_chat, forgetful": lambda: ChatClient(openai, forgetful=True),
            "openai_responses, stored": lambda: ResponsesClient(openai, stored=True),
        }
    finally:
        for sdk in (openai, anthropic, gemini, llama):
            sdk.close()
