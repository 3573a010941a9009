"""What the events of a streamed reply mean.

https://platform.openai.com/docs/api-reference/responses-streaming

The finished item (`response.output_item.done`) is the authority on what its deltas added up
to; servers that leave it out are read from the output of the final response.
"""

from collections.abc import Callable

from majordomo.contract import (
    Event,
    Finish,
    Json,
    JsonObject,
    Part,
    PartDone,
    Start,
    Text,
    TextDelta,
    ThinkingDelta,
    ToolCall,
    ToolCallDelta,
)
from majordomo.contract.pieces import MANY, gather
from majordomo.dialects.json import object_at, objects, sparse

from .failure import decode_spoken
from .finish import decode_finish
from .part import artefact_of, rest_of
from .response import decode_output, refuses, text_of
from .tool import joined
from .usage import decode_usage


class Reading:
    """One reply as it comes in; give it each event's JSON in order."""

    __slots__ = (
        *("_called", "_calls", "_done", "_done_keys", "_message", "_partial", "_refused"),
        *("_said", "_started", "_texts", "finished"),
    )

    def __init__(self, *, partial_tool_calls: bool) -> None:
        self.finished = False
        self._partial = partial_tool_calls
        self._started = False
        self._texts: list[str] = []  # of the open content part
        self._said = 0  # content parts of the open message that were given whole
        self._message: JsonObject = {}  # the open message's attributes
        self._calls: dict[str, _OpenCall] = {}
        self._called = 0
        self._refused = False
        self._done = 0
        self._done_keys: set[str] = set()

    def read(self, wire: JsonObject, kind: str, where: str) -> list[Event]:
        if kind == "error" or (not kind and wire.get("error")):
            raise decode_spoken(wire)
        step = _STEPS.get(kind)
        return [] if step is None else step(self, wire, where)

    def text(self, delta: str) -> list[Event]:
        if not delta:
            return []
        self._texts.append(delta)
        if len(self._texts) > MANY:
            gather(self._texts)
        return [TextDelta(text=delta)]

    def texts(self, deltas: list[str]) -> list[Event]:
        """Take pieces that follow each other, none of them empty."""
        if not deltas:
            return []
        self._texts.append("".join(deltas))
        if len(self._texts) > MANY:
            gather(self._texts)
        return [TextDelta(text=delta) for delta in deltas]

    def start(self, wire: JsonObject, where: str) -> list[Event]:
        if self._started:
            return []
        self._started = True
        response = object_at(wire.get("response") or {}, f"{where}.response")
        return [
            Start(
                model=text_of(response, "model"),
                id=text_of(response, "id"),
                usage=decode_usage(response.get("usage")),
            )
        ]

    def item_added(self, wire: JsonObject, where: str) -> list[Event]:
        item = object_at(wire.get("item") or {}, f"{where}.item")
        if item.get("type") == "message":
            self._message = rest_of(item, {"type", "role", "content", "status"})
        elif item.get("type") == "function_call":
            self._calls[_key(item.get("id"), wire)] = _OpenCall(item, f"call_{self._called}")
        return []

    def part_added(self, _wire: JsonObject, _where: str) -> list[Event]:
        """Two texts in one message: the first must be closed, or they would run together."""
        if not self._texts:
            return []
        value: JsonObject = {"joined": True} if self._said else {"item": self._message}
        text = Text(text="".join(self._texts), artefact=artefact_of(value))
        self._texts.clear()
        self._said += 1
        return [PartDone(part=text)]

    def text_delta(self, wire: JsonObject, _where: str) -> list[Event]:
        return self.text(text_of(wire, "delta"))

    def thinking_delta(self, wire: JsonObject, _where: str) -> list[Event]:
        delta = text_of(wire, "delta")
        return [ThinkingDelta(text=delta)] if delta else []

    def summary_added(self, wire: JsonObject, _where: str) -> list[Event]:
        return [ThinkingDelta(text="\n\n")] if wire.get("summary_index") else []

    def arguments_delta(self, wire: JsonObject, _where: str) -> list[Event]:
        call = self._call(wire)
        delta = text_of(wire, "delta")
        if call is None or not delta:
            return []
        call.pieces.append(delta)
        if not self._partial:
            return []
        return [ToolCallDelta(id=call.id, name=call.name, arguments=delta)]

    def arguments_done(self, wire: JsonObject, _where: str) -> list[Event]:
        call = self._call(wire)
        if call is not None and (arguments := text_of(wire, "arguments")):
            call.pieces = [arguments]
        return []

    def item_done(self, wire: JsonObject, where: str) -> list[Event]:
        item = object_at(wire.get("item"), f"{where}.item")
        key = _key(item.get("id"), wire)
        self._done += 1
        self._done_keys |= {key, str(item.get("id"))}
        if (call := self._calls.pop(key, None)) is not None:
            item = call.complete(item)
        return self._whole(item, f"{where}.item")

    def finish(self, wire: JsonObject, where: str) -> list[Event]:
        response = object_at(wire.get("response"), f"{where}.response")
        status = text_of(wire, "type").removeprefix("response.")
        if status == "failed" or response.get("status") == "failed":
            raise decode_spoken(response)
        events = [*self.start(wire, where), *self._unsaid(response, where)]
        reason, native = decode_finish(
            response, called=self._called > 0, refused=self._refused, status=status
        )
        usage = decode_usage(response.get("usage"))
        self.finished = True
        return [*events, Finish(reason=reason, native=native, usage=usage, raw=response)]

    def _unsaid(self, response: JsonObject, where: str) -> list[Event]:
        """Give what only the final response says, and calls nobody closed."""
        events: list[Event] = []
        output = list(objects(response.get("output") or [], f"{where}.response.output"))
        for index, (item, at) in list(enumerate(output))[self._done :]:
            keys = (str(index), str(item.get("id")))
            if self._done_keys.isdisjoint(keys):
                call = self._calls.pop(keys[0], None) or self._calls.pop(keys[1], None)
                events.extend(self._whole(item if call is None else call.complete(item), at))
        for call in self._calls.values():
            events.extend(self._whole(call.complete({}), where))
        self._calls.clear()
        return events

    def _whole(self, item: JsonObject, where: str) -> list[Event]:
        parts = decode_output(item, where, call=self._called)
        self._refused = self._refused or refuses(item)
        self._called += sum(isinstance(part, ToolCall) for part in parts)
        if item.get("type") == "message":
            parts = parts[self._said :] or self._spoken()
            self._said = 0
            self._texts.clear()
            self._message = {}
        return [PartDone(part=part) for part in parts]

    def _spoken(self) -> list[Part]:
        return [Text(text="".join(self._texts))] if self._texts else []

    def _call(self, wire: JsonObject) -> "_OpenCall | None":
        """Find the call a fragment belongs to; without an address it is the newest."""
        key = _key(wire.get("item_id"), wire)
        if key in self._calls or not self._calls:
            return self._calls.get(key)
        return self._calls[next(reversed(self._calls))]


class _OpenCall:
    __slots__ = ("id", "item", "name", "pieces")

    def __init__(self, item: JsonObject, default_id: str) -> None:
        self.item = item
        self.id = text_of(item, "call_id") or text_of(item, "id") or default_id
        name, namespace = text_of(item, "name"), text_of(item, "namespace")
        self.name = joined(namespace, name) if namespace else name
        self.pieces: list[str] = []

    def complete(self, done: JsonObject) -> JsonObject:
        item = {**self.item, **sparse(done)}
        if not item.get("arguments"):
            item["arguments"] = "".join(self.pieces)
        if item.get("status") == "in_progress":
            item["status"] = "completed"
        return item


def _key(item_id: Json, wire: JsonObject) -> str:
    """Address an item by its place, or by its id where servers do not number them.

    Not the other way round: there is a proxy that gives an item another id in every event.
    """
    index = wire.get("output_index")
    return str(item_id) if index is None else str(index)


_STEPS: dict[str, Callable[[Reading, JsonObject, str], list[Event]]] = {
    "response.created": Reading.start,
    "response.queued": Reading.start,
    "response.in_progress": Reading.start,
    "response.output_item.added": Reading.item_added,
    "response.content_part.added": Reading.part_added,
    "response.output_text.delta": Reading.text_delta,
    "response.reasoning_summary_part.added": Reading.summary_added,
    "response.reasoning_summary_text.delta": Reading.thinking_delta,
    "response.reasoning_text.delta": Reading.thinking_delta,
    "response.function_call_arguments.delta": Reading.arguments_delta,
    "response.function_call_arguments.done": Reading.arguments_done,
    "response.output_item.done": Reading.item_done,
    "response.completed": Reading.finish,
    "response.incomplete": Reading.finish,
    "response.failed": Reading.finish,
    "response.cancelled": Reading.finish,
}
