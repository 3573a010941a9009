"""The smallest request each door takes: path and body, for a model called `up`."""

from majordomo.contract import JsonObject

_SAYING: JsonObject = {"messages": [{"role": "user", "content": "hi"}], "model": "up"}

DOORS: dict[str, tuple[str, JsonObject]] = {
    "openai_chat": ("/v1/chat/completions", _SAYING),
    "openai_responses": ("/v1/responses", {"input": "hi", "model": "up"}),
    "anthropic": ("/v1/messages", {**_SAYING, "max_tokens": 9}),
    "ollama": ("/api/chat", {**_SAYING, "stream": False}),
    "gemini": (
        "/v1beta/models/up:generateContent",
        {"contents": [{"parts": [{"text": "hi"}]}]},
    ),
}
