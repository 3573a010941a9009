"""A function's parameters as one record, and its arguments as the call they make."""

import inspect
from collections import OrderedDict
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Unpack, get_args, get_origin, get_type_hints

from msgspec import Struct
from msgspec.structs import replace

from majordomo.contract import JsonObject

from .collection import Many
from .compile import Compiler
from .docstring import Doc, read_docstring
from .form import schema_of
from .members import MISSING, Member
from .record import Field, Record


class Parameters(Struct, frozen=True, kw_only=True):
    record: Record
    schema: JsonObject
    signature: inspect.Signature
    keywords: str = ""  # the parameter that takes all that have no own

    def read(self, arguments: JsonObject) -> tuple[tuple[object, ...], dict[str, object]]:
        """Give the arguments of the call; raises `Malformed`."""
        values = self.record.values(arguments, "")
        own = {name: values.pop(name) for name in self.signature.parameters if name in values}
        if values:
            own[self.keywords] = values
        bound = inspect.BoundArguments(self.signature, OrderedDict(own))
        bound.apply_defaults()
        return bound.args, bound.kwargs


def parameters_of(
    function: Callable[..., object], *, scope: Mapping[str, object] | None = None
) -> tuple[Parameters, Doc]:
    """Read signature, hints and docstring; `scope` has names that are not the module's."""
    doc = read_docstring(inspect.getdoc(_underlying(function)))
    compiler = Compiler()
    hints = _hints(function, scope or {})
    fields: list[Field] = []
    keywords = ""
    signature = inspect.signature(function)
    for name, parameter in signature.parameters.items():
        try:
            fields += _fields(compiler, parameter, hints.get(name, Any), doc)
        except TypeError as error:
            raise TypeError(f"parameter {name!r} of {_name(function)}: {error}") from error
        if parameter.kind is inspect.Parameter.VAR_KEYWORD:
            keywords = name
    record = Record(name=_name(function), build=dict, fields=tuple(fields))
    schema = schema_of(record)
    made = Parameters(record=record, schema=schema, signature=signature, keywords=keywords)
    return made, doc


def _fields(
    compiler: Compiler, parameter: inspect.Parameter, hint: object, doc: Doc
) -> list[Field]:
    if parameter.kind is inspect.Parameter.VAR_KEYWORD:
        record = compiler.form(get_args(hint)[0]) if get_origin(hint) is Unpack else None
        if not isinstance(record, Record):
            raise TypeError("`**` without names has no schema; use `**kwargs: Unpack[TypedDict]`")
        return list(record.fields)
    many = parameter.kind is inspect.Parameter.VAR_POSITIONAL
    bare = parameter.default is inspect.Parameter.empty
    default: object = MISSING if bare else parameter.default
    member = Member(name=parameter.name, hint=hint, required=bare and not many, default=default)
    field = compiler.field(member, doc.parameters)
    return [replace(field, form=Many(item=field.form)) if many else field]


class _Hinted:
    def __init__(self, annotations: dict[str, object]) -> None:
        self.__annotations__ = annotations


def _hints(function: Callable[..., object], scope: Mapping[str, object]) -> dict[str, object]:
    """Resolve the parameters' hints; what a function returns is not looked at."""
    underlying = inspect.unwrap(_underlying(function))
    annotations: dict[str, object] = {
        name: hint
        for name, hint in getattr(underlying, "__annotations__", {}).items()
        if name != "return"
    }
    names: dict[str, Any] = dict(getattr(underlying, "__globals__", {}))
    try:
        return get_type_hints(_Hinted(annotations), names, dict(scope), include_extras=True)
    except NameError as error:
        raise TypeError(f"the hints of {_name(function)} cannot be resolved: {error}") from error


def _underlying(function: Callable[..., object]) -> Callable[..., object]:
    """Give the function with the hints and the words: under partials, methods and objects."""
    while isinstance(function, partial):
        function = function.func
    if inspect.isroutine(function):
        return function
    return type(function).__call__ if not isinstance(function, type) else function


def _name(function: Callable[..., object]) -> str:
    name: object = getattr(_underlying(function), "__name__", None)
    return name if isinstance(name, str) else type(function).__name__
