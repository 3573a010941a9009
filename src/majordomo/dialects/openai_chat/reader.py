"""The chunks of a stream added up to events.

https://platform.openai.com/docs/api-reference/chat-streaming/streaming
"""

from majordomo.contract import (
    UNKNOWN,
    Event,
    Finish,
    Json,
    JsonObject,
    PartDone,
    Start,
    Text,
    TextDelta,
    Thinking,
    ThinkingDelta,
    Truncated,
    Usage,
)
from majordomo.contract.pieces import MANY, gather
from majordomo.dialects.json import object_at, objects, optional_string

from .attribute import artefact_of, attributes_of, inner
from .finish import decode_finish
from .fragment import Fragments, Said
from .part import REFUSAL, decode_content, is_content_thinking, is_refusal
from .plain import PlainChoice, PlainFragment
from .reasoning import DETAILS, merge_details, reasoning_text, thinking_of
from .response import check, decode_images, failed, finish_word, stop_sequence, text_of
from .usage import decode_usage


class ReplyReader:
    """Holds what cannot be told yet: calls and refusals until they are whole, usage until last."""

    __slots__ = (
        "_calls",
        "_details",
        "_finish",
        "_joined",
        "_origin",
        "_partial",
        "_refusal",
        "_stop",
        "_text",
        "_thinking",
        "_thought",
        "_usage",
        "loose",
        "started",
    )

    def __init__(self, *, partial_tool_calls: bool, joined_text: bool) -> None:
        self.started = False
        self.loose = False  # pieces that are to be joined may stand beside each other
        self._joined = joined_text
        self._partial = partial_tool_calls
        self._text: list[str] = []  # of the open text part
        self._thinking = False  # a thinking part is open
        self._thought: list[str] = []
        self._origin: JsonObject = {}  # where the open thinking part stands on the wire
        self._details: list[JsonObject] = []
        self._refusal: list[str] = []
        self._calls = Fragments()
        self._finish = ""
        self._stop: str | None = None
        self._usage = UNKNOWN

    def add_text(self, text: str, events: list[Event]) -> None:
        self.add_texts([text], events)

    def add_texts(self, texts: list[str], events: list[Event]) -> None:
        """Take pieces of text that follow each other; give them as they are, or as one."""
        text = "".join(texts)
        if not text:
            return
        if self._thinking:
            self._end_thinking(events)
        self._text.append(text)
        if len(self._text) > MANY:
            gather(self._text)
        if self._joined:
            self.loose = self.loose or (bool(events) and type(events[-1]) is TextDelta)
            events.append(TextDelta(text=text))
        else:
            events += [TextDelta(text=piece) for piece in texts]

    def add_thought(self, origin: JsonObject, text: str, events: list[Event]) -> None:
        if self._thinking and self._thought and origin.keys() != self._origin.keys():
            self._end_thinking(events)
        self._text.clear()
        self._thinking = True
        self._origin = origin
        self._thought.append(text)
        if len(self._thought) > MANY:
            gather(self._thought)
        self.loose = self._joined
        events.append(ThinkingDelta(text=text))

    def start(self, model: str, id: str, events: list[Event]) -> None:
        self.started = True
        events.append(Start(model=model, id=id))

    def count(self, usage: Usage) -> None:
        if usage.known:
            self._usage = usage

    def read_plain(self, choice: PlainChoice, number: int, events: list[Event]) -> None:
        """Read a choice of the usual shape, as `read` would."""
        delta = choice.delta
        if delta.reasoning_content:
            self.add_thought({"field": "reasoning_content"}, delta.reasoning_content, events)
        elif delta.reasoning:
            self.add_thought({"field": "reasoning"}, delta.reasoning, events)
        if delta.content:
            self.add_text(delta.content, events)
        if delta.tool_calls:
            for index, fragment in enumerate(delta.tool_calls):
                where = f"event {number}.choices[0].delta.tool_calls[{index}]"
                self._read_fragment(fragment, where, events)
        self._finish = choice.finish_reason or self._finish
        if isinstance(choice.stop_reason, str):
            self._stop = choice.stop_reason or self._stop

    def read(self, wire: JsonObject, where: str, events: list[Event]) -> None:
        """Read a chunk of any shape a compatible may send."""
        check(wire)
        choices = wire.get("choices")
        if not self.started:
            model, id = text_of(wire, "model"), text_of(wire, "id")
            if choices or model or id:
                self.start(model, id, events)
        self.count(decode_usage(wire))
        if choices is None:
            return
        for choice, at in objects(choices, f"{where}.choices"):
            if not choice.get("index"):
                self._read_choice(choice, at, events)

    def finish(self, events: list[Event]) -> None:
        """Tell what was held back; nothing more can come."""
        if not self._finish:
            raise Truncated("the stream ended without a finish_reason")
        calls = self._calls.close()
        reason = decode_finish(self._finish, calls=bool(calls), refused=bool(self._refusal))
        if reason == "error":
            raise failed(self._finish, {})
        if self._thinking or self._details:
            self._end_thinking(events)
        if self._refusal:
            self._end_text(events)
            refusal = Text(text="".join(self._refusal), artefact=artefact_of(REFUSAL))
            events.append(PartDone(part=refusal))
        events += (PartDone(part=call) for call in calls)
        events.append(
            Finish(reason=reason, native=self._finish, stop_sequence=self._stop, usage=self._usage)
        )

    def _read_fragment(self, fragment: PlainFragment, where: str, events: list[Event]) -> None:
        function = fragment.function
        arguments = function.arguments or ""
        piece = None
        if fragment.id is None and function.name is None:
            piece = self._calls.more(fragment.index, arguments)
        if piece is None:
            if self._thinking:
                self._end_thinking(events)
            said = Said(fragment.id or "", function.name or "", arguments)
            piece = self._calls.take(fragment.index, said, where)
        if piece is not None and self._partial:
            events.append(piece)

    def _read_choice(self, choice: JsonObject, where: str, events: list[Event]) -> None:
        delta = choice.get("delta")
        if delta is None:
            delta = choice.get("message")  # a server that sends its last chunk as a whole reply
        if delta is not None:
            self._read_delta(object_at(delta, f"{where}.delta"), f"{where}.delta", events)
        self._finish = finish_word(choice) or self._finish
        self._stop = stop_sequence(choice) or self._stop

    def _read_delta(self, delta: JsonObject, where: str, events: list[Event]) -> None:
        field, thought = reasoning_text(delta, where)
        if thought:
            self.add_thought({"field": field}, thought, events)
        if delta.get(DETAILS) is not None:
            self._read_details(delta[DETAILS], f"{where}.{DETAILS}", events)
        self._read_content(delta.get("content"), f"{where}.content", events)
        refusal = optional_string(delta, "refusal", where)
        if refusal:
            self._refusal.append(refusal)
        for image in decode_images(delta, where):
            self._end_text(events)
            events.append(PartDone(part=image))
        self._read_calls(delta, where, events)

    def _read_content(self, wire: Json, where: str, events: list[Event]) -> None:
        if isinstance(wire, str):
            if wire:
                self.add_text(wire, events)
            return
        for part in decode_content(wire, where):  # Mistral's list of parts
            if isinstance(part, Thinking) and is_content_thinking(part):
                origin = inner(self._origin, "part") | inner(attributes_of(part.artefact), "part")
                self.add_thought({"part": origin}, part.text, events)
            elif isinstance(part, Text):
                if is_refusal(part):
                    self._refusal.append(part.text)
                elif part.text:
                    self.add_text(part.text, events)
            else:
                self._end_text(events)
                events.append(PartDone(part=part))

    def _read_details(self, wire: Json, where: str, events: list[Event]) -> None:
        """Keep what must be sent back; it is also the text where nothing else says it."""
        for detail, _ in objects(wire, where):
            self._details.append(detail)
            if not self._text:
                self._thinking = True
            said = detail.get("text") or detail.get("summary")
            if not self._origin and isinstance(said, str) and said:
                self.add_thought({}, said, events)
        self._details = merge_details(self._details)

    def _read_calls(self, delta: JsonObject, where: str, events: list[Event]) -> None:
        wire: Json = delta.get("tool_calls")
        at = f"{where}.tool_calls"
        if not wire and delta.get("function_call") is not None:  # deprecated: one, not numbered
            wire = [{"index": 0, "function": delta["function_call"]}]
            at = f"{where}.function_call"
        if wire is None:
            return
        for fragment, place in objects(wire, at):
            if self._thinking:
                self._end_thinking(events)
            piece = self._calls.add(fragment, place)
            if piece is not None and self._partial:
                events.append(piece)

    def _end_thinking(self, events: list[Event]) -> None:
        text = "".join(self._thought)
        field = self._origin.get("field")
        if "part" in self._origin:
            thinking = Thinking(text=text, artefact=artefact_of(self._origin))
        else:
            thinking = thinking_of(field if isinstance(field, str) else "", text, self._details)
            self._details = []
        events.append(PartDone(part=thinking))
        self._thinking = False
        self._thought = []
        self._origin = {}

    def _end_text(self, events: list[Event]) -> None:
        """Close the open text, so that a part of the same kind may follow."""
        if self._text:
            events.append(PartDone(part=Text(text="".join(self._text))))
            self._text.clear()
