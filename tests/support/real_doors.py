"""The five doors as their official SDKs use them: ask, stream, count."""

from collections.abc import Callable
from typing import Any, TypeAlias

import anthropic
import ollama
import openai
from google import genai
from google.genai import types
from msgspec import Struct

Native: TypeAlias = Any  # an SDK's own object: what it takes and gives is what is under test
MODEL = "real/smollm2"
MOST = 12  # tokens of an answer


class Said(Struct, frozen=True, kw_only=True):
    pieces: tuple[str, ...]
    input: int
    output: int

    @property
    def text(self) -> str:
        return "".join(self.pieces)


class SdkDoor(Struct, frozen=True, kw_only=True):
    ask: Callable[[str, str], Said]  # the gateway's URL, the question
    stream: Callable[[str, str], Said]
    count: Callable[[str, str], int]


def _openai(url: str) -> Native:
    return openai.OpenAI(base_url=f"{url}/v1", api_key="any", max_retries=0)


def _chat(question: str) -> Native:
    message = {"role": "user", "content": question}
    return {"model": MODEL, "messages": [message], "max_tokens": MOST, "temperature": 0}


def _chat_ask(url: str, question: str) -> Said:
    with _openai(url) as client:
        reply = client.chat.completions.create(**_chat(question))
    usage = reply.usage
    return Said(
        pieces=(reply.choices[0].message.content,),
        input=usage.prompt_tokens,
        output=usage.completion_tokens,
    )


def _chat_stream(url: str, question: str) -> Said:
    usage = {"include_usage": True}
    with _openai(url) as client:
        chunks = list(
            client.chat.completions.create(**_chat(question), stream=True, stream_options=usage)
        )
    pieces = tuple(
        choice.delta.content for chunk in chunks for choice in chunk.choices if choice.delta.content
    )
    last = chunks[-1].usage
    return Said(pieces=pieces, input=last.prompt_tokens, output=last.completion_tokens)


def _chat_count(url: str, question: str) -> int:
    """Chat has no counter of its own; its usage is one."""
    return _chat_ask(url, question).input


def _responses(question: str) -> Native:
    return {"model": MODEL, "input": question, "max_output_tokens": MOST, "temperature": 0}


def _responses_ask(url: str, question: str) -> Said:
    with _openai(url) as client:
        reply = client.responses.create(**_responses(question))
    usage = reply.usage
    return Said(pieces=(reply.output_text,), input=usage.input_tokens, output=usage.output_tokens)


def _responses_stream(url: str, question: str) -> Said:
    with _openai(url) as client:
        events = list(client.responses.create(**_responses(question), stream=True))
    pieces = tuple(event.delta for event in events if event.type == "response.output_text.delta")
    usage = events[-1].response.usage
    return Said(pieces=pieces, input=usage.input_tokens, output=usage.output_tokens)


def _responses_count(url: str, question: str) -> int:
    with _openai(url) as client:
        counted = client.responses.input_tokens.count(model=MODEL, input=question)
    return int(counted.input_tokens)


def _anthropic(url: str) -> Native:
    return anthropic.Anthropic(base_url=url, api_key="any", max_retries=0)


def _messages(question: str) -> Native:
    return {
        "model": MODEL,
        "messages": [{"role": "user", "content": question}],
        "max_tokens": MOST,
        "extra_body": {"temperature": 0},
    }


def _anthropic_ask(url: str, question: str) -> Said:
    with _anthropic(url) as client:
        reply = client.messages.create(**_messages(question))
    return Said(
        pieces=(reply.content[0].text,),
        input=_all_input(reply.usage),
        output=reply.usage.output_tokens,
    )


def _anthropic_stream(url: str, question: str) -> Said:
    with _anthropic(url) as client, client.messages.stream(**_messages(question)) as stream:
        pieces = tuple(stream.text_stream)
        usage = stream.get_final_message().usage
    return Said(pieces=pieces, input=_all_input(usage), output=usage.output_tokens)


def _all_input(usage: Native) -> int:
    """Add what was cached: only here is it not part of the input."""
    cached = (usage.cache_read_input_tokens, usage.cache_creation_input_tokens)
    return int(usage.input_tokens + sum(tokens or 0 for tokens in cached))


def _anthropic_count(url: str, question: str) -> int:
    messages = [{"role": "user", "content": question}]
    with _anthropic(url) as client:
        return int(client.messages.count_tokens(model=MODEL, messages=messages).input_tokens)


def _ollama_client(url: str) -> Native:
    return ollama.Client(host=url)


def _ollama(question: str) -> Native:
    return {
        "model": MODEL,
        "messages": [{"role": "user", "content": question}],
        "options": {"temperature": 0, "num_predict": MOST},
    }


def _ollama_ask(url: str, question: str) -> Said:
    with _ollama_client(url) as client:
        reply = client.chat(**_ollama(question))
    pieces = (reply.message.content,)
    return Said(pieces=pieces, input=reply.prompt_eval_count, output=reply.eval_count)


def _ollama_stream(url: str, question: str) -> Said:
    with _ollama_client(url) as client:
        lines = list(client.chat(**_ollama(question), stream=True))
    pieces = tuple(line.message.content for line in lines if line.message.content)
    return Said(pieces=pieces, input=lines[-1].prompt_eval_count, output=lines[-1].eval_count)


def _ollama_count(url: str, question: str) -> int:
    """Ollama has no counter of its own; its usage is one."""
    return _ollama_ask(url, question).input


def _genai(url: str) -> Native:
    return genai.Client(api_key="any", http_options=types.HttpOptions(base_url=url))


def _gemini(question: str) -> Native:
    config = types.GenerateContentConfig(temperature=0, max_output_tokens=MOST)
    return {"model": MODEL, "contents": question, "config": config}


def _gemini_ask(url: str, question: str) -> Said:
    with _genai(url) as client:
        reply = client.models.generate_content(**_gemini(question))
    usage = reply.usage_metadata
    return Said(
        pieces=(reply.text,), input=usage.prompt_token_count, output=usage.candidates_token_count
    )


def _gemini_stream(url: str, question: str) -> Said:
    with _genai(url) as client:
        chunks = list(client.models.generate_content_stream(**_gemini(question)))
    usage = chunks[-1].usage_metadata
    return Said(
        pieces=tuple(chunk.text for chunk in chunks if chunk.text),
        input=usage.prompt_token_count,
        output=usage.candidates_token_count,
    )


def _gemini_count(url: str, question: str) -> int:
    with _genai(url) as client:
        return int(client.models.count_tokens(model=MODEL, contents=question).total_tokens)


DOORS = {
    "openai_chat": SdkDoor(ask=_chat_ask, stream=_chat_stream, count=_chat_count),
    "openai_responses": SdkDoor(
        ask=_responses_ask, stream=_responses_stream, count=_responses_count
    ),
    "anthropic": SdkDoor(ask=_anthropic_ask, stream=_anthropic_stream, count=_anthropic_count),
    "ollama": SdkDoor(ask=_ollama_ask, stream=_ollama_stream, count=_ollama_count),
    "gemini": SdkDoor(ask=_gemini_ask, stream=_gemini_stream, count=_gemini_count),
}
