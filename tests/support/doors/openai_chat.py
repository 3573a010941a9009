"""Chat, with OpenAI's SDK."""

from collections.abc import Iterator

import openai
from openai.lib.streaming.chat import ChatCompletionStreamState

from .client import (
    ANSWER_SCHEMA,
    TOOL_NAME,
    TOOL_SCHEMA,
    TOOL_TEXT,
    Called,
    Native,
    Outcome,
    Result,
    Wanted,
    arguments,
    base64,
)
from .openai_errors import refused

FINISHES = {"content_filter": "refusal"}


class ChatClient:
    """`forgetful` is a program that echoes only what OpenAI's own API knows."""

    def __init__(self, sdk: Native, *, forgetful: bool = False) -> None:
        self._client = sdk
        self._history: list[Native] = []
        self._forgetful = forgetful

    def user(self, text: str, image: bytes = b"") -> None:
        url = {"url": f"data:image/png;base64,{base64(image)}"}
        parts = [{"type": "text", "text": text}, {"type": "image_url", "image_url": url}]
        self._history.append({"role": "user", "content": parts if image else text})

    def results(self, calls: tuple[Called, ...], results: tuple[Result, ...]) -> None:
        for call, result in zip(calls, results, strict=True):
            url = {"url": f"data:image/png;base64,{base64(result.image)}"}
            parts = [{"type": "text", "text": result.text}, {"type": "image_url", "image_url": url}]
            content = parts if result.image else result.text
            self._history.append({"role": "tool", "tool_call_id": call.id, "content": content})

    def ask(self, wanted: Wanted) -> Outcome:
        given = {"model": wanted.model, "messages": self._history, **_options(wanted)}
        try:
            reply = self._streamed(given) if wanted.stream else self._whole(given)
        except openai.APIError as error:
            return refused(error)
        choice = reply.choices[0]
        message = choice.message
        self._history.append(_echo(message, forgetful=self._forgetful))
        refusal = bool(message.refusal)
        return Outcome(
            text=message.refusal or message.content or "",
            thinking=getattr(message, "reasoning_content", None) or "",
            calls=tuple(_calls(message)),
            finish="refusal"
            if refusal
            else FINISHES.get(choice.finish_reason, str(choice.finish_reason)),
            input=reply.usage.prompt_tokens,
            output=reply.usage.completion_tokens,
        )

    def _whole(self, given: Native) -> Native:
        return self._client.chat.completions.create(**given)

    def _streamed(self, given: Native) -> Native:
        """Add the chunks up with the SDK's own accumulator: it is strict about indices."""
        state: Native = ChatCompletionStreamState()
        options = {"include_usage": True}
        for chunk in self._client.chat.completions.create(
            **given, stream=True, stream_options=options
        ):
            state.handle_chunk(chunk)
        return state.current_completion_snapshot


def _options(wanted: Wanted) -> Native:
    options: Native = {}
    if wanted.tools:
        tool = {"name": TOOL_NAME, "description": TOOL_TEXT, "parameters": TOOL_SCHEMA}
        options["tools"] = [{"type": "function", "function": tool}]
    if wanted.schema:
        schema = {"name": "answer", "schema": ANSWER_SCHEMA, "strict": True}
        options["response_format"] = {"type": "json_schema", "json_schema": schema}
    if wanted.think:
        options["reasoning_effort"] = "high"
    return options


def _echo(message: Native, *, forgetful: bool) -> Native:
    echo = message.model_dump(exclude_none=True)
    for field in ("parsed", "refusal"):
        echo.pop(field, None)
    for call in echo.get("tool_calls", ()):
        call["function"].pop("parsed_arguments", None)
        call.pop("index", None)
    if not forgetful:
        return echo
    return {name: echo[name] for name in ("role", "content", "tool_calls") if name in echo}


def _calls(message: Native) -> Iterator[Called]:
    for call in message.tool_calls or ():
        yield Called(
            id=call.id, name=call.function.name, arguments=arguments(call.function.arguments)
        )
