"""What every door does: decode, run, encode; and say what went wrong in its own dialect."""

from collections.abc import Callable
from typing import ClassVar, TypeAlias

from msgspec import Struct

from majordomo.contract import JsonObject
from majordomo.dialects.dialect import Ask, Dialect, Encoder

from .exchange import Exchange
from .service import Service

After: TypeAlias = Callable[[Encoder], None]


class Address(Struct, frozen=True, kw_only=True):
    """What a URL says about the request in it; nothing, but in Gemini's."""

    model: str = ""
    stream: bool | None = None


NOWHERE = Address()


class Door:
    """A dialect seen from the street; one with habits of its own overrides a step."""

    # What a stream may say while the model has nothing to say; empty: this dialect bears nothing.
    ping: ClassVar[bytes] = b": still here\n\n"
    # Whether its clients send a call back under the id they got it with.
    echoes_ids: ClassVar[bool] = True

    def __init__(self, dialect: Dialect) -> None:
        self.dialect = dialect

    def decode(
        self, service: Service, exchange: Exchange, body: JsonObject, at: Address
    ) -> tuple[Ask, After | None]:
        """Read a request; `After` looks at the reply once it was given whole."""
        del service, exchange
        return self.dialect.decode_request(body, model=at.model, stream=at.stream), None
