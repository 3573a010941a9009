"""Ids for calls that came without one, and which call a result without one answers.

Ollama and Gemini link a result to its call by the tool's name and by order; the contract
links by id. Ids are made from positions alone, so the same history always gets the same ones.
"""


class CallIds:
    """Gives every call of one reply an id no other call of it has."""

    __slots__ = ("_count", "_taken")

    def __init__(self) -> None:
        self._count = 0
        self._taken: set[str] = set()

    def take(self, given: str = "") -> str:
        """Keep the id the wire gave; make one where it gave none or one twice."""
        number = self._count
        self._count += 1
        call_id = given
        while not call_id or call_id in self._taken:
            call_id = f"call_{number}"
            number += 1
        self._taken.add(call_id)
        return call_id


class OpenCalls:
    """The calls of a history that have no result yet."""

    __slots__ = ("_ids", "_names", "_open")

    def __init__(self) -> None:
        self._ids = CallIds()
        self._names: dict[str, str] = {}
        self._open: list[str] = []

    def call(self, given: str, name: str) -> str:
        """Note a call and give its id. Ids that repeat across turns are the client's affair."""
        call_id = given or self._ids.take()
        self._names[call_id] = name
        self._open.append(call_id)
        return call_id

    def answer(self, given: str, name: str) -> tuple[str, str]:
        """Give id and tool name of the call that a result answers."""
        call_id = given or self._oldest(name) or self._ids.take()
        if call_id in self._open:
            self._open.remove(call_id)
        return call_id, name or self._names.get(call_id, "")

    def _oldest(self, name: str) -> str:
        """Find the first open call of that tool; a result that names no tool takes the first."""
        return next((one for one in self._open if not name or self._names[one] == name), "")
