"""A function as a tool: its signature is the schema, its docstring the description."""

import inspect
from collections.abc import Callable, Mapping
from functools import update_wrapper
from types import MethodType
from typing import Generic, ParamSpec, TypeVar, overload

from majordomo.contract import Tool
from majordomo.fit.typed import parameters_of

P = ParamSpec("P")
R = TypeVar("R")
R_co = TypeVar("R_co", covariant=True)


class ToolFunction(Generic[P, R_co]):
    """Still the function it was, and a tool besides."""

    def __init__(
        self,
        function: Callable[P, R_co],
        tool: Tool,
        *,
        timeout: float | None = None,
        scope: Mapping[str, object] | None = None,
    ) -> None:
        """`tool` says what is not to be read from the function: a name, a description, strict."""
        update_wrapper(self, function)
        self.parameters, doc = parameters_of(function, scope=scope)
        self.function = function
        self._scope = scope
        self.timeout = timeout  # seconds; None: the toolbox's
        self.tool = Tool(
            name=tool.name or self.parameters.record.name,
            description=tool.description or doc.summary,
            parameters=self.parameters.schema,
            strict=tool.strict,
            handler=function,
        )

    @property
    def name(self) -> str:
        return self.tool.name

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R_co:
        return self.function(*args, **kwargs)

    def __get__(self, instance: object, owner: type | None = None) -> "ToolFunction[..., R_co]":
        """Bind a method, as functions do: `Toolbox(shop.order)` then knows which shop."""
        if instance is None:
            return self
        bound: Callable[..., R_co] = MethodType(self.function, instance)
        return ToolFunction(bound, self.tool, timeout=self.timeout, scope=self._scope)

    def __repr__(self) -> str:
        return f"ToolFunction({self.name!r})"


@overload
def tool(function: Callable[P, R], /) -> ToolFunction[P, R]: ...


@overload
def tool(
    *,
    name: str = "",
    description: str = "",
    strict: bool | None = None,
    timeout: float | None = None,
) -> Callable[[Callable[P, R]], ToolFunction[P, R]]: ...


def tool(
    function: Callable[P, R] | None = None,
    /,
    *,
    name: str = "",
    description: str = "",
    strict: bool | None = None,
    timeout: float | None = None,
) -> ToolFunction[P, R] | Callable[[Callable[P, R]], ToolFunction[P, R]]:
    """Make a function a tool, with or without settings: `@tool`, `@tool(timeout=5)`.

    Raises `TypeError` where a parameter has a type that JSON has no words for.
    """
    here = inspect.currentframe()
    caller = here.f_back if here is not None else None
    scope = caller.f_locals if caller is not None else {}  # hints may name what only it can see
    told = Tool(name=name, description=description, strict=strict)

    def make(function: Callable[P, R]) -> ToolFunction[P, R]:
        return ToolFunction(function, told, timeout=timeout, scope=scope)

    return make if function is None else make(function)
