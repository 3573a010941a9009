"""The shape of JSON, for code that reads and writes it."""

from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"
else:
    # msgspec reads annotations at run time and cannot follow an alias that names itself.
    Json = Any

JsonObject: TypeAlias = dict[str, Json]
