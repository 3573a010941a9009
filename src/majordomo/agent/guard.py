"""Noticing a model that makes the same call over and over."""

import msgspec

from majordomo.contract import Malformed, Part, ToolCall, ToolResult
from majordomo.dialects.json import read

_PATIENCE = 2  # turns of nothing but refused repetitions


class Repeats:
    """Counts calls that are alike and keep giving the same result: polling is no repetition."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._seen: dict[bytes, tuple[int, tuple[Part, ...]]] = {}
        self._strikes = 0

    def refusal(self, call: ToolCall) -> str:
        """Say why not to run it once more; empty if it may run."""
        count, _ = self._seen.get(_key(call), (0, ()))
        if count < self._most:
            return ""
        return (
            f"This exact call was made {count} times with the same result. It is not run again: "
            "use what you have, try something else, or give your answer."
        )

    def ran(self, call: ToolCall, result: ToolResult) -> None:
        count, before = self._seen.get(_key(call), (0, ()))
        same = before == result.content
        self._seen[_key(call)] = (count + 1 if same else 1, result.content)

    def hopeless(self, *, all_refused: bool) -> bool:
        """Say, after a turn, whether it is time to give up."""
        self._strikes = self._strikes + 1 if all_refused else 0
        return self._strikes >= _PATIENCE


def _key(call: ToolCall) -> bytes:
    """Calls are alike whatever the order of their arguments and the spaces between them."""
    try:
        arguments = read(call.arguments)
    except Malformed:
        arguments = call.arguments
    return msgspec.json.encode([call.name, arguments], order="sorted")
