"""A content block while it streams in: what has come of it, and the part it ends as."""

from majordomo.contract import (
    Event,
    JsonObject,
    Part,
    Text,
    TextDelta,
    ThinkingDelta,
    ToolCall,
    ToolCallDelta,
)
from majordomo.contract.pieces import MANY, gather
from majordomo.dialects.json import arguments_object, arguments_text, string_at

from .chunk import Delta
from .part import CALL, attributes, decode_part


class Block:
    """`shown` once it is the oldest open one: only that block's deltas are given out."""

    __slots__ = ("_citations", "_pieces", "_signature", "_wire", "done", "id", "kind", "shown")

    def __init__(self, wire: JsonObject, where: str) -> None:
        self.kind = string_at(wire.get("type"), f"{where}.content_block.type")
        self.id = ""  # of a call, once it is known
        self.shown = False
        self.done = False
        self._wire = wire
        first = wire.get(self.kind) if self.kind in WORDS else None
        self._pieces = [first] if isinstance(first, str) and first else []
        self._signature: str | None = None
        self._citations: list[JsonObject] = []

    @property
    def given_id(self) -> str:
        given = self._wire.get("id")
        return given if isinstance(given, str) else ""

    def add(self, delta: Delta) -> str | None:
        """Take a delta; give the piece of text in it. One of another kind's is no use here."""
        if self.kind == "text":
            piece = delta.text
        elif self.kind == "thinking":
            piece = delta.thinking
        else:
            piece = delta.partial_json
        if piece:
            self._pieces.append(piece)
            if len(self._pieces) > MANY:
                gather(self._pieces)
        else:
            self._attach(delta)
        return piece

    def add_texts(self, texts: list[str], events: list[Event], *, joined: bool) -> None:
        """Take pieces of a text or a thought that is shown; give them as they are, or as one."""
        kind = TextDelta if self.kind == "text" else ThinkingDelta
        text = "".join(texts)
        self._pieces.append(text)
        if len(self._pieces) > MANY:
            gather(self._pieces)
        events += [kind(text=piece) for piece in ([text] if joined else texts)]

    def merge(self, wire: JsonObject) -> None:
        """Take a delta we do not know for a block we do not know: text grows, the rest is set."""
        for key, value in wire.items():
            held = self._wire.get(key)
            grows = isinstance(held, str) and isinstance(value, str)
            self._wire[key] = f"{held}{value}" if grows else value

    def told(self, piece: str | None = None) -> Event | None:
        """Give the event for a piece of this block, or for all that has come so far."""
        text = "".join(self._pieces) if piece is None else piece
        if self.kind == "text":
            return TextDelta(text=text) if text else None
        if self.kind == "thinking":
            return ThinkingDelta(text=text) if text else None
        if self.kind == "tool_use":
            return ToolCallDelta(id=self.id, name=self._name(), arguments=text)
        return None

    def part(self, where: str) -> Part | None:
        """Give the whole block; None for a text block in which nothing was said."""
        said = "".join(self._pieces)
        match self.kind:
            case "tool_use":
                return self._call(said)
            case "text":
                if not self._citations and self._wire.keys() == _BARE:  # nearly every one
                    return Text(text=said) if said else None
                cited: JsonObject = {"citations": [*self._citations]} if self._citations else {}
                rest = {key: value for key, value in self._wire.items() if value != []}
                part = decode_part({**rest, "text": said, **cited}, where)
                return None if part == Text(text="") else part
            case "thinking":
                signed: JsonObject = {"signature": self._signature} if self._signature else {}
                return decode_part({**self._wire, "thinking": said, **signed}, where)
            case _:
                given: JsonObject = {"input": arguments_object(said)} if said else {}
                return decode_part({**self._wire, **given}, where)

    def _attach(self, delta: Delta) -> None:
        if delta.signature is not None:
            self._signature = delta.signature  # assigned, not appended: it comes once, whole
        if isinstance(delta.citation, dict):
            self._citations.append(delta.citation)

    def _call(self, said: str) -> ToolCall:
        if not said.strip():
            arguments = arguments_text(self._wire.get("input"))
        elif said.startswith('{"_raw":'):
            arguments = arguments_text(arguments_object(said))
        else:
            arguments = said
        return ToolCall(
            id=self.id,
            name=self._name(),
            arguments=arguments,
            artefact=attributes(self._wire, CALL),
        )

    def _name(self) -> str:
        return string_at(self._wire.get("name"), "content_block.name")


_BARE = frozenset({"type", "text"})
WORDS = frozenset({"text", "thinking"})  # kinds whose text lies under their own name
MODELLED = frozenset({*WORDS, "tool_use"})
IMPLIED = {"text_delta": "text", "thinking_delta": "thinking"}
KNOWN_DELTAS = frozenset(
    {"text_delta", "thinking_delta", "input_json_delta", "signature_delta", "citations_delta"}
)
