"""Messages, with Anthropic's SDK."""

import anthropic

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
    base64,
)

FINISHES = {"end_turn": "stop", "max_tokens": "length", "tool_use": "tool_calls"}


class AnthropicClient:
    def __init__(self, sdk: Native) -> None:
        self._client = sdk
        self._history: list[Native] = []

    def user(self, text: str, image: bytes = b"") -> None:
        content = [{"type": "text", "text": text}, *_image(image)]
        self._history.append({"role": "user", "content": content})

    def results(self, calls: tuple[Called, ...], results: tuple[Result, ...]) -> None:
        content = [
            {
                "type": "tool_result",
                "tool_use_id": call.id,
                "content": [{"type": "text", "text": result.text}, *_image(result.image)],
            }
            for call, result in zip(calls, results, strict=True)
        ]
        self._history.append({"role": "user", "content": content})

    def ask(self, wanted: Wanted) -> Outcome:
        given = {
            "model": wanted.model,
            "max_tokens": 4096,
            "messages": self._history,
            **_options(wanted),
        }
        try:
            reply = self._streamed(given) if wanted.stream else self._whole(given)
        except anthropic.APIStatusError as error:
            return _refused(error)
        self._history.append({"role": "assistant", "content": reply.content})
        blocks = reply.content
        return Outcome(
            text="".join(block.text for block in blocks if block.type == "text"),
            thinking="".join(block.thinking for block in blocks if block.type == "thinking"),
            calls=tuple(
                Called(id=block.id, name=block.name, arguments=block.input)
                for block in blocks
                if block.type == "tool_use"
            ),
            finish=FINISHES.get(reply.stop_reason, str(reply.stop_reason)),
            input=reply.usage.input_tokens,
            output=reply.usage.output_tokens,
        )

    def _whole(self, given: Native) -> Native:
        return self._client.messages.create(**given)

    def _streamed(self, given: Native) -> Native:
        with self._client.messages.stream(**given) as stream:
            return stream.get_final_message()


def _refused(error: anthropic.APIStatusError) -> Outcome:
    in_band = error.status_code == 200
    return Outcome(
        status=-1 if in_band else error.status_code,
        error=error.message,
        retry_after=error.response.headers.get("retry-after", ""),
    )


def _image(image: bytes) -> list[Native]:
    if not image:
        return []
    source = {"type": "base64", "media_type": "image/png", "data": base64(image)}
    return [{"type": "image", "source": source}]


def _options(wanted: Wanted) -> Native:
    options: Native = {}
    if wanted.tools:
        options["tools"] = [
            {"name": TOOL_NAME, "description": TOOL_TEXT, "input_schema": TOOL_SCHEMA}
        ]
    if wanted.schema:
        options["output_config"] = {"format": {"type": "json_schema", "schema": ANSWER_SCHEMA}}
    if wanted.think:
        options["thinking"] = {"type": "adaptive"}
    return options
