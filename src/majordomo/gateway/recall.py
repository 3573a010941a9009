"""What models attached to their calls, remembered for clients that cannot echo it.

Gemini signs its calls, Anthropic its thoughts, DeepSeek wants its reasoning back; a Chat or
Ollama client has no field for these, or drops the field it has. So the gateway keeps them by
call id, bounded in number and bytes, and puts them back where a history comes without.
"""

from collections import OrderedDict
from collections.abc import Callable, Iterator
from hashlib import sha256

from msgspec import Struct
from msgspec.structs import replace

from majordomo.contract import (
    Artefact,
    Message,
    Part,
    Request,
    Thinking,
    ToolCall,
)
from majordomo.dialects.json import arguments_object, write


class Attached(Struct, frozen=True, kw_only=True):
    """What belongs to one call: its own artefact, and the thoughts that led to it."""

    artefact: Artefact | None
    thoughts: tuple[Thinking, ...]
    size: int


class Recall:
    def __init__(self, *, most: int, most_bytes: int) -> None:
        self._most = most
        self._most_bytes = most_bytes
        self._bytes = 0
        self._attached: OrderedDict[str, Attached] = OrderedDict()

    def __len__(self) -> int:
        return len(self._attached)

    def keep(self, parts: tuple[Part, ...], key: Callable[[ToolCall], str]) -> None:
        """Remember what came with each call of a reply, under the key it can be found by."""
        thoughts: list[Thinking] = []
        for part in parts:
            if isinstance(part, Thinking):
                thoughts.append(part)
            elif isinstance(part, ToolCall):
                if thoughts or part.artefact is not None:
                    self._put(key(part), part.artefact, tuple(thoughts))
                thoughts = []

    def restored(self, request: Request, key: Callable[[ToolCall], str]) -> Request:
        """Put back what the client could not echo; the same request where nothing is missing."""
        if not self._attached:
            return request
        messages = tuple(self._message(message, key) for message in request.messages)
        if all(new is old for new, old in zip(messages, request.messages, strict=True)):
            return request
        return replace(request, messages=messages)

    def _message(self, message: Message, key: Callable[[ToolCall], str]) -> Message:
        if message.role != "assistant" or not message.tool_calls:
            return message
        found = {
            id(call): attached
            for call in message.tool_calls
            if (attached := self._find(key(call))) is not None
        }
        if not found:
            return message
        return replace(message, parts=tuple(_filled(message.parts, found)))

    def _put(self, key: str, artefact: Artefact | None, thoughts: tuple[Thinking, ...]) -> None:
        size = len(key) + _size(artefact)
        size += sum(len(thought.text) + _size(thought.artefact) for thought in thoughts)
        if size > self._most_bytes:
            return
        self._drop(key)
        self._attached[key] = Attached(artefact=artefact, thoughts=thoughts, size=size)
        self._bytes += size
        while len(self._attached) > self._most or self._bytes > self._most_bytes:
            self._drop(next(iter(self._attached)))

    def _drop(self, key: str) -> None:
        gone = self._attached.pop(key, None)
        if gone is not None:
            self._bytes -= gone.size

    def _find(self, key: str) -> Attached | None:
        found = self._attached.get(key)
        if found is not None:
            self._attached.move_to_end(key)
        return found


def by_id(client: str) -> Callable[[ToolCall], str]:
    """Find calls by their id, which is unique; one client's are not another's."""
    return lambda call: f"{client}\0{call.id}"


def by_content(client: str, request: Request) -> Callable[[ToolCall], str]:
    """Find calls of clients that drop ids: by what was called, in which conversation."""
    first = next((message.text for message in request.messages if message.role == "user"), "")

    def key(call: ToolCall) -> str:
        said = write([client, first, call.name, arguments_object(call.arguments)])
        return sha256(said).hexdigest()

    return key


def _filled(parts: tuple[Part, ...], found: dict[int, Attached]) -> Iterator[Part]:
    """Give each call its artefact, and let the thoughts before it stand where its stretch begins.

    What is remembered is the authority: a client may have echoed the words without the rest.
    """
    stretch: list[Part] = []
    for part in parts:
        if not isinstance(part, ToolCall):
            stretch.append(part)
            continue
        attached = found.get(id(part))
        if attached is not None and attached.thoughts:
            yield from attached.thoughts
            stretch = [other for other in stretch if not isinstance(other, Thinking)]
        yield from stretch
        stretch = []
        if attached is not None and attached.artefact is not None:
            part = replace(part, artefact=attached.artefact)  # noqa: PLW2901 -- the same call
        yield part
    yield from stretch


def _size(artefact: Artefact | None) -> int:
    return len(write(artefact.value)) if artefact is not None else 0
