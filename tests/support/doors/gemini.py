"""generateContent, with Google's SDK."""

from google.genai import types
from google.genai.errors import APIError

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

FINISHES = {"STOP": "stop", "MAX_TOKENS": "length", "SAFETY": "refusal"}


class GeminiClient:
    def __init__(self, sdk: Native) -> None:
        self._client = sdk
        self._history: list[Native] = []

    def user(self, text: str, image: bytes = b"") -> None:
        parts = [types.Part(text=text)]
        if image:
            parts.append(types.Part.from_bytes(data=image, mime_type="image/png"))
        self._history.append(types.UserContent(parts=parts))

    def results(self, calls: tuple[Called, ...], results: tuple[Result, ...]) -> None:
        parts = [
            types.Part(
                function_response=types.FunctionResponse(
                    id=call.id,
                    name=call.name,
                    response={"output": result.text},
                    parts=_media(result.image),
                )
            )
            for call, result in zip(calls, results, strict=True)
        ]
        self._history.append(types.UserContent(parts=parts))

    def ask(self, wanted: Wanted) -> Outcome:
        given = {"model": wanted.model, "contents": self._history, "config": _config(wanted)}
        chunks: list[Native] = []
        try:
            if wanted.stream:
                for chunk in self._client.models.generate_content_stream(**given):
                    chunks.append(chunk)  # noqa: PERF402 -- what came before an error counts
            else:
                chunks.append(self._client.models.generate_content(**given))
        except APIError as error:
            return Outcome(status=-1 if chunks else error.code, error=str(error.message))
        return self._added(chunks)

    def _added(self, chunks: list[Native]) -> Outcome:
        parts = [
            part
            for chunk in chunks
            for part in (chunk.candidates[0].content and chunk.candidates[0].content.parts) or ()
        ]
        self._history.append(types.ModelContent(parts=parts or [types.Part(text="")]))
        usage = chunks[-1].usage_metadata
        calls = tuple(
            Called(id=call.id or "", name=call.name, arguments=dict(call.args or {}))
            for part in parts
            if (call := part.function_call)
        )
        finish = FINISHES[chunks[-1].candidates[0].finish_reason.value]
        return Outcome(
            text="".join(part.text for part in parts if part.text and not part.thought),
            thinking="".join(part.text for part in parts if part.text and part.thought),
            calls=calls,
            finish="tool_calls" if calls and finish == "stop" else finish,
            input=usage.prompt_token_count or 0,
            output=(usage.candidates_token_count or 0) + (usage.thoughts_token_count or 0),
        )


def _media(image: bytes) -> list[types.FunctionResponsePart] | None:
    if not image:
        return None
    return [types.FunctionResponsePart.from_bytes(data=image, mime_type="image/png")]


def _config(wanted: Wanted) -> types.GenerateContentConfig:
    config = types.GenerateContentConfig(
        automatic_function_calling=types.AutomaticFunctionCallingConfig(disable=True)
    )
    if wanted.tools:
        declaration = types.FunctionDeclaration(
            name=TOOL_NAME, description=TOOL_TEXT, parameters_json_schema=TOOL_SCHEMA
        )
        config.tools = [types.Tool(function_declarations=[declaration])]
    if wanted.schema:
        config.response_mime_type = "application/json"
        config.response_json_schema = ANSWER_SCHEMA
    if wanted.think:
        config.thinking_config = types.ThinkingConfig(
            include_thoughts=True, thinking_level=types.ThinkingLevel.HIGH
        )
    return config
