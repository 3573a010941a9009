"""Whether a reply is well-formed in its dialect, as far as any client looks."""

from majordomo.contract import Json
from majordomo.dialects.json import read
from majordomo.dialects.ndjson import LineDecoder
from majordomo.dialects.sse import SseDecoder

from .asgi import Got


def dialect_of(path: str) -> str:
    if path.startswith("/api/"):
        return "ollama"
    if "/models/" in path:
        return "gemini"
    return "anthropic" if "/messages" in path else "openai"


def fault(path: str, got: Got) -> str:
    """Say what is wrong with a reply's shape; nothing if nothing is."""
    kind = got.headers["content-type"].partition(";")[0]
    if got.status >= 400:
        return "" if _is_error(dialect_of(path), got.json) else f"no error: {got.body[:200]!r}"
    match kind:
        case "text/event-stream":
            events = [*SseDecoder().feed(got.body)]
            data = [event.data for event in events if event.data != b"[DONE]"]
        case "application/x-ndjson":
            lines = LineDecoder()
            data = [*lines.feed(got.body), *lines.close()]
        case _:
            data = [got.body]
    if not data or not got.body.endswith((b"\n", b"}", b"]")):
        return f"cut: {got.body[-80:]!r}"
    return next(
        (f"not JSON: {each!r}" for each in data if not isinstance(read(each), dict | list)), ""
    )


def _is_error(dialect: str, body: Json) -> bool:
    match dialect, body:
        case "ollama", {"error": str(said)}:
            return bool(said)
        case "anthropic", {"type": "error", "error": {"type": str(), "message": str()}}:
            return True
        case "openai", {"error": {"message": str(), "type": str()} as error}:
            return {"param", "code"} <= set(error)
        case "gemini", {"error": {"code": int(), "message": str(), "status": str()}}:
            return next(iter(body)) == "error"
        case "gemini", [{"error": {"code": int()}}]:
            return True
        case _:
            return False
