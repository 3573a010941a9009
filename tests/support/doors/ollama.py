"""`/api/chat`, with Ollama's SDK."""

import ollama

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
)


class OllamaClient:
    def __init__(self, sdk: Native) -> None:
        self._client = sdk
        self._history: list[Native] = []

    def user(self, text: str, image: bytes = b"") -> None:
        self._history.append({"role": "user", "content": text, **_images(image)})

    def results(self, calls: tuple[Called, ...], results: tuple[Result, ...]) -> None:
        for call, result in zip(calls, results, strict=True):
            self._history.append(
                {
                    "role": "tool",
                    "tool_name": call.name,
                    "content": result.text,
                    **_images(result.image),
                }
            )

    def ask(self, wanted: Wanted) -> Outcome:
        given = {"model": wanted.model, "messages": self._history, **_options(wanted)}
        try:
            reply = self._client.chat(**given, stream=wanted.stream)
            lines = list(reply) if wanted.stream else [reply]
        except ollama.ResponseError as error:
            return Outcome(status=error.status_code, error=error.error)
        return self._added(lines)

    def _added(self, lines: list[Native]) -> Outcome:
        text = "".join(line.message.content or "" for line in lines)
        thinking = "".join(line.message.thinking or "" for line in lines)
        calls = [call for line in lines for call in line.message.tool_calls or ()]
        self._history.append(
            ollama.Message(
                role="assistant", content=text, thinking=thinking or None, tool_calls=calls or None
            )
        )
        last = lines[-1]
        assert last.done
        return Outcome(
            text=text,
            thinking=thinking,
            calls=tuple(
                Called(id="", name=call.function.name, arguments=dict(call.function.arguments))
                for call in calls
            ),
            finish=_finish(last.done_reason, called=bool(calls)),
            input=last.prompt_eval_count or 0,
            output=last.eval_count or 0,
        )


def _finish(reason: str, *, called: bool) -> str:
    if reason == "stop" and called:
        return "tool_calls"
    return "refusal" if reason == "content_filter" else reason


def _images(image: bytes) -> Native:
    return {"images": [image]} if image else {}


def _options(wanted: Wanted) -> Native:
    options: Native = {}
    if wanted.tools:
        function = {"name": TOOL_NAME, "description": TOOL_TEXT, "parameters": TOOL_SCHEMA}
        options["tools"] = [{"type": "function", "function": function}]
    if wanted.schema:
        options["format"] = ANSWER_SCHEMA
    if wanted.think:
        options["think"] = True
    return options
