"""What a provider is: an endpoint, how it is paid for, and what it can take."""

from typing import Literal, TypeAlias

from msgspec import Struct

from majordomo.contract import Capabilities, DialectName
from majordomo.dialects.dialect import Wire

# The header the key goes in; "bearer" is `Authorization`.
AuthStyle: TypeAlias = Literal["bearer", "x-api-key", "x-goog-api-key", "api-key", "none"]


class Timeouts(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Seconds of patience; None waits for ever.

    `first_byte` runs from sending to the first byte of the reply's body, which comes with the
    last word when the reply is not streamed; `idle` is silence after that.
    """

    connect: float | None = 10.0
    first_byte: float | None = 600.0
    idle: float | None = 300.0
    total: float | None = None


class Provider(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One row of the catalog, or one line of somebody's environment."""

    name: str
    dialect: DialectName
    base_url: str
    key: str = ""  # given outright; otherwise the first of `key_env` that is set, at call time
    key_env: tuple[str, ...] = ()
    key_required: bool = True
    auth: AuthStyle = "bearer"
    capabilities: Capabilities = Capabilities()
    wire: Wire = Wire()
    headers: dict[str, str] = {}
    timeouts: Timeouts = Timeouts()

    def __repr__(self) -> str:
        """Never show the key: values like this one end up in logs."""
        return f"Provider({self.name!r}, {self.dialect}, {self.base_url!r})"
