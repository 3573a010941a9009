"""What the Responses door remembers, because its clients believe it does.

`previous_response_id` and `item_reference` name things said before. The SDKs use them by
default, so they are served from here: bounded in number and in bytes, oldest out first, and a
thing that is gone is said to be gone. A history is never silently shortened.
"""

from collections import OrderedDict

from msgspec import Struct

from majordomo.contract import InvalidRequest, Json, JsonObject
from majordomo.dialects.json import list_at, object_at, read, write


class Remembered(Struct, frozen=True, kw_only=True):
    previous: str  # the response this one went on from, or nothing
    input: list[Json]  # what this turn added, with references resolved
    output: list[Json]
    body: bytes  # the response as it was given
    size: int


class Memory:
    def __init__(self, *, most: int, most_bytes: int) -> None:
        self._most = most
        self._most_bytes = most_bytes
        self._bytes = 0
        self._responses: OrderedDict[str, Remembered] = OrderedDict()
        self._items: dict[str, tuple[str, Json]] = {}  # item id -> (response id, item)

    def resolved(self, body: JsonObject) -> tuple[JsonObject, list[Json]]:
        """Give the request with its whole history in it, and what this turn itself added."""
        own = self._referred(_input_items(body.get("input")))
        previous = body.get("previous_response_id")
        if previous is None and own == body.get("input"):
            return body, own
        before = self._history(str(previous)) if previous is not None else []
        whole: JsonObject = {**body, "input": [*before, *own]}
        whole.pop("previous_response_id", None)
        return whole, own

    def keep(self, id: str, *, previous: str, input: list[Json], response: bytes) -> None:
        output = list_at(_output_of(response), "output")
        size = len(response) + len(write(input))
        if size > self._most_bytes:
            return
        self._responses[id] = Remembered(
            previous=previous, input=input, output=output, body=response, size=size
        )
        self._bytes += size
        for item in (*input, *output):
            if isinstance(item, dict) and isinstance(name := item.get("id"), str):
                self._items[name] = (id, item)
        while len(self._responses) > self._most or self._bytes > self._most_bytes:
            self.forget(next(iter(self._responses)))

    def forget(self, id: str) -> bool:
        gone = self._responses.pop(id, None)
        if gone is None:
            return False
        self._bytes -= gone.size
        for item in (*gone.input, *gone.output):
            if isinstance(item, dict) and isinstance(name := item.get("id"), str):
                holder = self._items.get(name)
                if holder is not None and holder[0] == id:
                    del self._items[name]
        return True

    def find(self, id: str) -> Remembered | None:
        found = self._responses.get(id)
        if found is not None:
            self._responses.move_to_end(id)
        return found

    def _history(self, id: str) -> list[Json]:
        """Walk back to the first turn; a missing link is an error, not an end."""
        turns: list[Remembered] = []
        while id:
            found = self.find(id)
            if found is None:
                raise InvalidRequest(
                    f"previous_response_id: the response {id!r} is not remembered here "
                    "(any more); send the whole history as input",
                    status=400,
                    code="previous_response_not_found",
                    parameter="previous_response_id",
                )
            turns.append(found)
            id = found.previous
        return [item for turn in reversed(turns) for item in (*turn.input, *turn.output)]

    def _referred(self, items: list[Json]) -> list[Json]:
        return [
            self._item(item)
            if isinstance(item, dict) and item.get("type") == "item_reference"
            else item
            for item in items
        ]

    def _item(self, reference: JsonObject) -> Json:
        id = str(reference.get("id"))
        found = self._items.get(id)
        if found is None:
            raise InvalidRequest(
                f"input: the item {id!r} is not remembered here (any more); send it whole",
                status=400,
                code="item_not_found",
                parameter="input",
            )
        return found[1]


def _input_items(wire: Json) -> list[Json]:
    if isinstance(wire, list):
        return wire
    if isinstance(wire, str):
        return [{"role": "user", "content": wire}]
    return []


def _output_of(response: bytes) -> Json:
    return object_at(read(response), "response").get("output")
