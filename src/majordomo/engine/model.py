"""A model: something that answers. One target here; a chain is one too."""

from typing import TYPE_CHECKING, Any, Protocol, Self, TypeVar, Unpack, overload

from msgspec.structs import replace

from majordomo.catalog.provider import Provider
from majordomo.catalog.providers import provider_named
from majordomo.contract import (
    Capabilities,
    Options,
    Prompt,
    Request,
    Response,
    as_request,
)

from .attempt import Attempting
from .counting import Counting
from .fitting import as_it_is
from .http import Transport
from .outside import Outside
from .stream import Stream
from .sync import SyncModel
from .target import Target, target

if TYPE_CHECKING:
    from .typed import TypedStream

T = TypeVar("T")


class Model(Protocol):
    """`stream` is the one way to ask; `generate` is the same, added up."""

    @property
    def name(self) -> str: ...

    @property
    def capabilities(self) -> Capabilities:
        """What it can take; of a chain, what its first target can."""
        return Capabilities()

    async def count(self, request: Request) -> int | None:  # noqa: ARG002 -- few can say
        """How many tokens the request is, if whoever would serve it can say so itself."""
        return None

    def stream(
        self, prompt: Prompt, *, partial_tool_calls: bool = False, **options: Unpack[Options]
    ) -> Stream:
        """Begin a reply; nothing is sent before the first event is asked for."""
        ...

    async def generate(self, prompt: Prompt, **options: Unpack[Options]) -> Response:
        """Give the whole reply."""
        async with self.stream(prompt, **options) as stream:
            return await stream.response()

    @overload
    async def generate_as(
        self, kind: type[T], prompt: Prompt, *, asks: int = 3, **options: Unpack[Options]
    ) -> T: ...

    @overload
    async def generate_as(
        self, kind: object, prompt: Prompt, *, asks: int = 3, **options: Unpack[Options]
    ) -> Any: ...  # noqa: ANN401 -- a union or a literal is no class the checkers can follow

    async def generate_as(
        self, kind: object, prompt: Prompt, *, asks: int = 3, **options: Unpack[Options]
    ) -> object:
        """Give the answer as a value of a type, asking again where it is none, `asks` in all.

        Raises `InvalidOutput` with the last answer's text and what is wrong with it.
        """
        from .typed import TypedStream  # noqa: PLC0415 -- only those who ask for types pay

        async with TypedStream[object](self, kind, as_request(prompt, **options), asks) as stream:
            return await stream.value()

    @overload
    def stream_as(
        self, kind: type[T], prompt: Prompt, *, asks: int = 3, **options: Unpack[Options]
    ) -> "TypedStream[T]": ...

    @overload
    def stream_as(
        self, kind: object, prompt: Prompt, *, asks: int = 3, **options: Unpack[Options]
    ) -> "TypedStream[Any]": ...

    def stream_as(
        self, kind: object, prompt: Prompt, *, asks: int = 3, **options: Unpack[Options]
    ) -> "TypedStream[Any]":
        """Give what is known of the answer while it is written, as plain JSON, then its value."""
        from .typed import TypedStream  # noqa: PLC0415 -- few ask for types

        return TypedStream(self.flowing(), kind, as_request(prompt, **options), asks)

    def flowing(self) -> "Model":
        """Give the same model letting structured answers out before they are whole and checked."""
        return self

    @property
    def sync(self) -> SyncModel:
        """The same model for programs without an event loop."""
        return SyncModel(self)


class TargetModel(Model):
    """One target, asked as it is: no fitting, no second try, only the backstop."""

    def __init__(self, target: Target, outside: Outside) -> None:
        self.target = target
        self._outside = outside
        self._counting = Counting(outside)

    @property
    def name(self) -> str:
        return self.target.name

    @property
    def capabilities(self) -> Capabilities:
        return self.target.capabilities

    async def count(self, request: Request) -> int | None:
        return await self._counting.count(request, self.target, as_it_is)

    def stream(
        self, prompt: Prompt, *, partial_tool_calls: bool = False, **options: Unpack[Options]
    ) -> Stream:
        request = as_request(prompt, **options)
        attempting = Attempting(
            self.target, request, self._outside, partial_tool_calls=partial_tool_calls
        )
        return Stream(attempting)

    def __repr__(self) -> str:
        return f"TargetModel({self.name!r})"


class Endpoint:
    """A provider and a pool of connections to it: `provider("groq").model("llama-4")`."""

    def __init__(self, provider: Provider, outside: Outside | None = None) -> None:
        self.provider = provider
        self._outside = outside or Outside()

    def model(self, id: str) -> TargetModel:
        return TargetModel(target(self.provider, id), self._outside)

    async def aclose(self) -> None:
        await self._outside.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()


def provider(
    which: str | Provider,
    *,
    key: str = "",
    base_url: str = "",
    http_client: Transport | None = None,
) -> Endpoint:
    """Give one of the catalog's providers by name, or one of your own, ready to be asked."""
    row = provider_named(which) if isinstance(which, str) else which
    row = replace(row, key=key or row.key, base_url=base_url or row.base_url)
    return Endpoint(row, Outside(http_client=http_client))
