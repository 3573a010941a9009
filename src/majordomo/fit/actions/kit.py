"""What can be said of a set of tools once and for all: agents offer the same ones every turn."""

from collections.abc import Sequence
from functools import lru_cache

from msgspec.json import Decoder

from majordomo.contract import Json, JsonObject, Tool
from majordomo.dialects.json import write, write_text

from .names import Offers
from .schema import properties, required, resolve, types
from .signature import signatures

_LONGEST_KEY = 256 * 1024  # of tools as JSON; what is longer is worked out each time
_SAMPLES: dict[str, Json] = {
    "string": "…",
    "integer": 1,
    "number": 1,
    "boolean": True,
    "array": [],
    "object": {},
}


class Kit:
    """Some tools, and what was worked out of them so far."""

    __slots__ = ("_samples", "_signatures", "_tools", "offers")

    def __init__(self, tools: Sequence[Tool]) -> None:
        self.offers = Offers(tools)
        self._tools = tools
        self._signatures: dict[int, str] = {}
        self._samples: dict[str, str] = {}

    def signatures(self, longest: int) -> str:
        written = self._signatures.get(longest)
        if written is None:
            written = self._signatures[longest] = signatures(self._tools, longest=longest)
        return written

    def sample(self, name: str) -> str:
        """Give placeholder arguments for a tool, as JSON."""
        written = self._samples.get(name)
        if written is None:
            tool = next(tool for tool in self._tools if tool.name == name)
            written = self._samples[name] = write_text(_sample(tool.parameters))
        return written


def kit_of(tools: Sequence[Tool]) -> Kit:
    """Give the kit of these tools; tools that say the same share one."""
    try:
        key = write([[tool.name, tool.description, tool.parameters] for tool in tools])
    except (TypeError, ValueError):
        return Kit(tools)  # no JSON, or too deep: nothing to know it by
    return _kit(key) if len(key) <= _LONGEST_KEY else Kit(tools)


@lru_cache(maxsize=16)  # a kit of the longest key weighs some two megabytes
def _kit(key: bytes) -> Kit:
    """Make a kit of tools of its own, which nobody else can change."""
    return Kit(
        tuple(
            Tool(name=name, description=description, parameters=parameters)
            for name, description, parameters in _read(key)
        )
    )


_read = Decoder(list[tuple[str, str, JsonObject]]).decode


def _sample(root: JsonObject) -> JsonObject:
    declared = properties(root, root)
    sample: JsonObject = {}
    for name in required(root, root):
        schema = resolve(declared.get(name), root)
        listed = schema.get("enum")
        if isinstance(listed, list) and listed:
            sample[name] = listed[0]
        else:
            kind = next(iter(types(schema, root)), "string")
            sample[name] = _SAMPLES.get(kind, "…")
    return sample
