"""Responses, with OpenAI's SDK."""

from collections.abc import Iterator

import openai

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


class ResponsesClient:
    """`stored` is a program that leaves the history to the server."""

    def __init__(self, sdk: Native, *, stored: bool = False) -> None:
        self._client = sdk
        self._input: list[Native] = []
        self._stored = stored
        self._previous: str | None = None

    def user(self, text: str, image: bytes = b"") -> None:
        content = [{"type": "input_text", "text": text}]
        self._input.append({"role": "user", "content": content + _image(image)})

    def results(self, calls: tuple[Called, ...], results: tuple[Result, ...]) -> None:
        for call, result in zip(calls, results, strict=True):
            parts = [{"type": "input_text", "text": result.text}, *_image(result.image)]
            output = parts if result.image else result.text
            self._input.append(
                {"type": "function_call_output", "call_id": call.id, "output": output}
            )

    def ask(self, wanted: Wanted) -> Outcome:
        given = {"model": wanted.model, "input": self._input, **_options(wanted)}
        if self._stored:
            given["previous_response_id"] = self._previous
        else:
            given |= {"store": False, "include": ["reasoning.encrypted_content"]}
        try:
            reply = self._streamed(given) if wanted.stream else self._whole(given)
        except openai.APIError as error:
            return refused(error)
        if reply.status == "failed":
            return Outcome(status=-1, error=reply.error.message)
        self._remember(reply)
        return Outcome(
            text="".join(_texts(reply)),
            thinking="".join(_thoughts(reply)),
            calls=tuple(_calls(reply)),
            finish=_finish(reply),
            input=reply.usage.input_tokens,
            output=reply.usage.output_tokens,
        )

    def _remember(self, reply: Native) -> None:
        self._previous = reply.id
        if self._stored:
            self._input = []
        else:
            self._input += [item.model_dump(exclude_none=True) for item in reply.output]

    def _whole(self, given: Native) -> Native:
        return self._client.responses.create(**given)

    def _streamed(self, given: Native) -> Native:
        last: Native = None
        for event in self._client.responses.create(**given, stream=True):
            last = event
        return last.response


def _image(image: bytes) -> list[Native]:
    if not image:
        return []
    url = f"data:image/png;base64,{base64(image)}"
    return [{"type": "input_image", "image_url": url, "detail": "auto"}]


def _options(wanted: Wanted) -> Native:
    options: Native = {}
    if wanted.tools:
        tool = {"name": TOOL_NAME, "description": TOOL_TEXT, "parameters": TOOL_SCHEMA}
        options["tools"] = [{"type": "function", "strict": False, **tool}]
    if wanted.schema:
        schema = {"name": "answer", "schema": ANSWER_SCHEMA, "strict": True}
        options["text"] = {"format": {"type": "json_schema", **schema}}
    if wanted.think:
        options["reasoning"] = {"effort": "high", "summary": "auto"}
    return options


def _parts(reply: Native) -> Iterator[Native]:
    for item in reply.output:
        if item.type == "message":
            yield from item.content


def _texts(reply: Native) -> Iterator[str]:
    for part in _parts(reply):
        yield part.refusal if part.type == "refusal" else part.text


def _thoughts(reply: Native) -> Iterator[str]:
    for item in reply.output:
        if item.type == "reasoning":
            yield from (part.text for part in item.summary)


def _calls(reply: Native) -> Iterator[Called]:
    for item in reply.output:
        if item.type == "function_call":
            yield Called(id=item.call_id, name=item.name, arguments=arguments(item.arguments))


def _finish(reply: Native) -> str:
    if reply.status == "incomplete":
        reasons = {"max_output_tokens": "length", "content_filter": "refusal"}
        return reasons[reply.incomplete_details.reason]
    if any(part.type == "refusal" for part in _parts(reply)):
        return "refusal"
    return "tool_calls" if any(_calls(reply)) else "stop"
