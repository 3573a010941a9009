"""The grammar of a Responses stream, as the official client and Codex insist on it."""

from majordomo.contract import Json, JsonObject
from majordomo.dialects.json import object_at, objects, read
from majordomo.dialects.sse import SseDecoder

from .schemas import assert_valid

# Codes the service says in `response.error` and Codex acts on, but the published type lacks.
_UNPUBLISHED_CODES = {"context_length_exceeded", "insufficient_quota"}
_TERMINAL = {"response.completed", "response.incomplete", "response.failed"}
_LIFECYCLE = {"response.created", "response.in_progress", *_TERMINAL}


def events_of(wire: bytes) -> list[JsonObject]:
    """Split a stream; the event line must say what the data says."""
    frames = SseDecoder().feed(wire)
    events = [object_at(read(frame.data), "event") for frame in frames]
    assert [frame.event for frame in frames] == [event["type"] for event in events]
    return events


def assert_grammar(wire: bytes) -> list[JsonObject]:
    """Fail unless this is a valid, whole stream; give its events."""
    assert wire.endswith(b"\n\n")
    events = events_of(wire)
    kinds = [event["type"] for event in events]
    assert kinds[:2] == ["response.created", "response.in_progress"]
    assert [event["sequence_number"] for event in events] == list(range(len(events)))
    for event in events:
        assert_valid(published(event), "openai.responses.event")
    body, ending = _split(events)
    final = object_at(ending[0].get("response"), "response")
    told = [object_at(e["response"], "response") for e in events if e["type"] in _LIFECYCLE]
    assert all(response["id"] == final["id"] for response in told)
    items = _items(body, whole=ending[0]["type"] != "response.failed")
    assert final["output"] == items
    assert_valid(published(final), "openai.responses.response")
    return events


def published(wire: JsonObject) -> JsonObject:
    """Take away the two deliberate extensions, which real clients read."""
    match wire:
        case {"type": "error"}:  # the official clients raise only if there is an object, too
            return {name: value for name, value in wire.items() if name != "error"}
        case {"response": dict(response)}:
            return {**wire, "response": published(response)}
        case {"error": {"code": str(code), "message": str()}} if code in _UNPUBLISHED_CODES:
            return {**wire, "error": {**object_at(wire["error"], "e"), "code": "server_error"}}
        case _:
            return wire


def _split(events: list[JsonObject]) -> tuple[list[JsonObject], list[JsonObject]]:
    ends = [index for index, event in enumerate(events) if event["type"] in _TERMINAL]
    assert len(ends) == 1, "one response ends the stream"
    body, ending = events[2 : ends[0]], events[ends[0] :]
    assert [event["type"] for event in ending[1:]] in ([], ["error"])
    return body, ending


def _items(body: list[JsonObject], *, whole: bool) -> list[Json]:
    """Walk the items; each is closed before the next, and is what its pieces add up to."""
    done: list[Json] = []
    open_item: JsonObject | None = None
    pieces: list[JsonObject] = []
    for event in body:
        assert event["output_index"] == len(done)
        match event["type"]:
            case "response.output_item.added":
                assert open_item is None
                open_item, pieces = object_at(event["item"], "item"), []
            case "response.output_item.done":
                item = object_at(event["item"], "item")
                assert open_item is not None
                assert [item.get(k) for k in ("id", "type", "call_id")] == [
                    open_item.get(k) for k in ("id", "type", "call_id")
                ]
                _assert_pieces(item, pieces)
                done.append(item)
                open_item = None
            case _:
                assert open_item is not None
                assert event["item_id"] == open_item.get("id")
                pieces.append(event)
    assert not whole or open_item is None
    return done


def _assert_pieces(item: JsonObject, pieces: list[JsonObject]) -> None:
    kinds = [str(piece["type"]).removeprefix("response.") for piece in pieces]
    said = "".join(str(p["delta"]) for p in pieces if str(p["type"]).endswith(".delta"))
    order = [k for k in kinds if not k.endswith(".delta")]
    deltas = {k for k in kinds if k.endswith(".delta")}
    match item["type"]:
        case "message":
            (content,) = [part for part, _ in objects(item["content"], "content")]
            kind = "refusal" if content["type"] == "refusal" else "output_text"
            assert order == ["content_part.added", f"{kind}.done", "content_part.done"]
            assert deltas <= {f"{kind}.delta"}
            assert pieces[-1]["part"] == content
            assert said == content.get("text", content.get("refusal"))
        case "reasoning":
            summary = ["part.added", "text.done", "part.done"]
            assert order in ([], [f"reasoning_summary_{name}" for name in summary])
            assert deltas <= {"reasoning_summary_text.delta"}
        case "function_call":
            assert order == ["function_call_arguments.done"]
            assert pieces[-1]["arguments"] == item["arguments"] == said
            assert pieces[-1]["name"] == item["name"]
        case "custom_tool_call":
            assert order == ["custom_tool_call_input.done"]
            assert pieces[-1]["input"] == item["input"] == said
        case _:
            assert not pieces
