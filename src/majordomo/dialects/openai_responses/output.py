"""Output items as they are written: opened, filled, closed, each with the events it takes.

https://platform.openai.com/docs/api-reference/responses-streaming

The official client insists on this order: item added, content part added, deltas, done, part
done, item done; ids and indices the same throughout; one item closed before the next opens.
"""

import msgspec

from majordomo.contract import Artefact, Json, JsonObject, Text, Thinking, ToolCall
from majordomo.contract.pieces import MANY, gather
from majordomo.dialects.artefact import own, seal
from majordomo.dialects.json import write

from .item import MINTED, encode_text, free_text
from .part import NAME

_encode = msgspec.json.Encoder().encode
_FRAME = b'event: %b\ndata: {"type":"%b",%b,"sequence_number":%d}\n\n'


class Frames:
    """Numbers events and frames them; writes nothing for a reply that is not streamed."""

    __slots__ = ("_next", "_ready", "streaming")

    def __init__(self, *, streaming: bool) -> None:
        self.streaming = streaming
        self._ready: list[bytes] = []
        self._next = 0

    def add(self, kind: str, fields: JsonObject) -> None:
        if self.streaming:
            word = kind.encode()
            self._ready.append(_FRAME % (word, word, write(fields)[1:-1], self._number()))

    def add_response(self, kind: str, response: bytes) -> None:
        if self.streaming:
            word = kind.encode()
            self._ready.append(_FRAME % (word, word, b'"response":' + response, self._number()))

    def delta(self, head: bytes, text: str) -> bytes:
        """Frame a delta after its prepared `head`: only the text and the number are new."""
        number = self._next
        self._next = number + 1
        return b'%b%b,"sequence_number":%d}\n\n' % (head, _encode(text), number)

    def add_delta(self, head: bytes, text: str) -> None:
        if self.streaming and text:
            self._ready.append(self.delta(head, text))

    def take(self) -> list[bytes]:
        ready, self._ready = self._ready, []
        return ready

    def _number(self) -> int:
        number = self._next
        self._next = number + 1
        return number


def delta_head(kind: str, place: JsonObject) -> bytes:
    """Prepare everything of a delta event that comes before its text."""
    fields: JsonObject = {"type": kind, **place, "delta": ""}
    return b"event: %b\ndata: %b" % (kind.encode(), write(fields)[: -len(b'""}')])


class OpenText:
    """A message with one text in it."""

    __slots__ = ("_frames", "_id", "_index", "_opened", "_place", "head", "pieces")

    def __init__(self, frames: Frames, stamp: str, index: int) -> None:
        self._frames = frames
        self._id = f"msg_{stamp}_{index}"
        self._index = index
        self._place: JsonObject = {"item_id": self._id, "output_index": index, "content_index": 0}
        self.head = b""  # of every delta, once there is one
        self.pieces: list[str] = []
        self._opened = False

    def add(self, text: str) -> None:
        if not self._opened:
            self._open(encode_text("", None))
            place: JsonObject = {**self._place, "logprobs": []}
            if self._frames.streaming:
                self.head = delta_head("response.output_text.delta", place)
        self.pieces.append(text)
        self._frames.add_delta(self.head, text)

    def close(self, part: Text | None) -> JsonObject:
        streamed = "".join(self.pieces)
        artefact = None if part is None else part.artefact
        text = streamed if part is None else part.text
        if text.startswith(streamed):
            self.add(text[len(streamed) :])
        # A refusal that has gone out as text cannot become one: `refuse` says it once more.
        content = encode_text(text, _without_refusal(artefact))
        if self._frames.streaming:
            done: JsonObject = {**self._place, "text": text, "logprobs": content["logprobs"]}
            self._frames.add("response.output_text.done", done)
        return self._done(content, artefact)

    def refuse(self, text: str) -> JsonObject:
        """Write the whole message as a refusal, instead of a text."""
        self._open({"type": "refusal", "refusal": ""})
        self._frames.add_delta(delta_head("response.refusal.delta", self._place), text)
        self._frames.add("response.refusal.done", {**self._place, "refusal": text})
        return self._done({"type": "refusal", "refusal": text}, None)

    def _open(self, content: JsonObject) -> None:
        self._opened = True
        if not self._frames.streaming:
            return
        item = self._item("in_progress", [])
        self._frames.add("response.output_item.added", {"output_index": self._index, "item": item})
        self._frames.add("response.content_part.added", {**self._place, "part": content})

    def _done(self, content: JsonObject, artefact: Artefact | None) -> JsonObject:
        item = self._item("completed", [content])
        match None if artefact is None else own(artefact, NAME).get("item"):
            case {"phase": "commentary" | "final_answer" as phase}:
                item["phase"] = phase
            case _:
                pass
        if self._frames.streaming:
            done: JsonObject = {"output_index": self._index, "item": item}
            self._frames.add("response.content_part.done", {**self._place, "part": content})
            self._frames.add("response.output_item.done", done)
        return item

    def _item(self, status: str, content: list[Json]) -> JsonObject:
        return {
            "id": self._id,
            "type": "message",
            "role": "assistant",
            "status": status,
            "content": content,
        }


class OpenThinking:
    """A reasoning item with one summary."""

    def __init__(self, frames: Frames, stamp: str, index: int) -> None:
        self._frames = frames
        self._id = f"{MINTED}{stamp}_{index}"
        self._index = index
        self._place: JsonObject = {"item_id": self._id, "output_index": index, "summary_index": 0}
        self._head = delta_head("response.reasoning_summary_text.delta", self._place)
        self._pieces: list[str] = []
        self._opened = False

    def add(self, text: str) -> None:
        if not self._pieces:
            self._open()
            part: JsonObject = {"type": "summary_text", "text": ""}
            self._frames.add("response.reasoning_summary_part.added", {**self._place, "part": part})
        self._pieces.append(text)
        if len(self._pieces) > MANY:
            gather(self._pieces)
        self._frames.add_delta(self._head, text)

    def close(self, part: Thinking | None) -> JsonObject:
        streamed = "".join(self._pieces)
        text = streamed if part is None else part.text
        item = self._item(text, None if part is None else part.artefact)
        if len(text) > len(streamed) and text.startswith(streamed):
            self.add(text[len(streamed) :])
        self._open()
        if self._pieces:
            done: JsonObject = {"type": "summary_text", "text": text}
            self._frames.add("response.reasoning_summary_text.done", {**self._place, "text": text})
            self._frames.add("response.reasoning_summary_part.done", {**self._place, "part": done})
        self._frames.add("response.output_item.done", {"output_index": self._index, "item": item})
        return item

    def _open(self) -> None:
        if not self._opened:
            self._opened = True
            item: JsonObject = {"id": self._id, "type": "reasoning", "summary": []}
            added: JsonObject = {"output_index": self._index, "item": item}
            self._frames.add("response.output_item.added", added)

    def _item(self, text: str, artefact: Artefact | None) -> JsonObject:
        """Write the service's own item as it is, if it can still have the id it was given.

        Encrypted content belongs to the item it came with. When the words have gone out under
        an id of ours, the item travels sealed instead, like what another dialect attached.
        """
        summary: list[Json] = [{"type": "summary_text", "text": text}] if text else []
        theirs = own(artefact, NAME)
        if not self._opened and isinstance(name := theirs.get("id"), str):
            self._rename(name)
            return {"summary": summary, **theirs}
        item: JsonObject = {"id": self._id, "type": "reasoning", "summary": summary}
        if artefact is not None:
            item["encrypted_content"] = seal(artefact)
        return item

    def _rename(self, name: str) -> None:
        self._id = name
        self._place["item_id"] = name
        self._head = delta_head("response.reasoning_summary_text.delta", self._place)


class OpenCall:
    """A call of a function or, as free text, of a custom tool."""

    def __init__(self, frames: Frames, item: JsonObject, index: int) -> None:
        """Open `item`, which is the call as `encode_call` wrote it, with its id."""
        self._frames = frames
        self._index = index
        self._custom = item.get("type") == "custom_tool_call"
        self._field = "input" if self._custom else "arguments"
        self._events = (
            f"response.{'custom_tool_call_input' if self._custom else 'function_call_arguments'}"
        )
        self._place: JsonObject = {"item_id": item["id"], "output_index": index}
        self._head = delta_head(f"{self._events}.delta", self._place)
        self._pieces: list[str] = []
        added = {**item, self._field: ""}
        if not self._custom:
            added["status"] = "in_progress"
        frames.add("response.output_item.added", {"output_index": index, "item": added})

    def add(self, arguments: str) -> None:
        self._pieces.append(arguments)
        self._frames.add_delta(self._head, arguments)

    def close(self, item: JsonObject, call: ToolCall | None) -> JsonObject:
        streamed = "".join(self._pieces)
        whole = streamed if call is None else call.arguments
        whole = free_text(whole) if self._custom else whole or "{}"
        if whole.startswith(streamed):
            self.add(whole[len(streamed) :])
        item = {**item, self._field: whole}
        done: JsonObject = {**self._place, self._field: whole}
        if not self._custom:
            item["status"] = "completed"
            done["name"] = item["name"]
        self._frames.add(f"{self._events}.done", done)
        self._frames.add("response.output_item.done", {"output_index": self._index, "item": item})
        return item


def write_whole(frames: Frames, item: JsonObject, index: int) -> JsonObject:
    """Write an item that has no deltas."""
    frames.add("response.output_item.added", {"output_index": index, "item": item})
    frames.add("response.output_item.done", {"output_index": index, "item": item})
    return item


def _without_refusal(artefact: Artefact | None) -> Artefact | None:
    if artefact is None:
        return None
    match own(artefact, NAME).get("part"):
        case {"type": "refusal"}:
            return None
        case _:
            return artefact
