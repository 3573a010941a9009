"""From a type annotation to its form."""

import collections
from collections import abc
from collections.abc import Callable, Iterable, Mapping
from enum import Enum
from types import NoneType, UnionType
from typing import (
    Annotated,
    Any,
    Literal,
    NewType,
    NotRequired,
    Required,
    TypeAlias,
    TypeGuard,
    TypeVar,
    Union,
    Unpack,
    get_args,
    get_origin,
)

import msgspec

from majordomo.contract import Json

from .choice import OneOf, enum, literal
from .collection import Fixed, Many, Map
from .constraint import Constrained, description_of
from .docstring import read_docstring
from .foreign import Native, is_pydantic, pydantic_form
from .form import BOOLEAN, INTEGER, NUMBER, STRING, Anything, Form, Nothing
from .members import MISSING, Member, builder_of, members_of
from .record import NO_DEFAULT, Field, Record

_Arguments: TypeAlias = tuple[object, ...]


def form_of(kind: object) -> Form:
    """Raises `TypeError` for a type that JSON has no words for."""
    return Compiler().form(kind)


class Compiler:
    """Keeps the records it has begun, so that a type may contain itself."""

    def __init__(self) -> None:
        self._records: dict[object, Record] = {}
        self._bound: dict[object, object] = {}  # what type variables stand for, at present

    def form(self, kind: object) -> Form:
        if kind.__hash__ is not None and kind in _SIMPLE:
            return _SIMPLE[kind]
        origin: object = get_origin(kind)
        arguments: _Arguments = get_args(kind)
        make = _SPECIAL.get(origin) or _COLLECTIONS.get(origin or kind)
        if make is not None:
            return make(self, arguments)
        meant = self._meant(kind)
        return self._class(kind, origin or kind, arguments) if meant is kind else self.form(meant)

    def field(self, member: Member, words: Mapping[str, str]) -> Field:
        hint = member.hint
        metadata: _Arguments = get_args(hint)[1:] if get_origin(hint) is Annotated else ()
        said = description_of(metadata) or member.description or words.get(member.name, "")
        return Field(
            name=member.name,
            form=self.form(hint),
            required=member.required,
            description=said,
            default=_as_json(member.default),
        )

    def _meant(self, kind: object) -> object:
        """Look behind names: new types, type variables, `type X = …` of Python 3.12."""
        if isinstance(kind, NewType):
            return kind.__supertype__
        if isinstance(kind, TypeVar):
            return self._bound.get(kind, kind.__bound__ or Any)
        return kind if isinstance(kind, type) else getattr(kind, "__value__", kind)

    def union(self, arguments: _Arguments) -> Form:
        return OneOf(options=tuple(self.form(argument) for argument in arguments))

    def annotated(self, arguments: _Arguments) -> Form:
        kind, *metadata = arguments
        return Constrained(form=self.form(kind), metadata=tuple(metadata))

    def inner(self, arguments: _Arguments) -> Form:
        return self.form(arguments[0])

    def many(
        self,
        arguments: _Arguments,
        build: Callable[[Iterable[object]], object],
        *,
        unique: bool = False,
    ) -> Form:
        item = self.form(arguments[0]) if arguments else Anything()
        return Many(item=item, build=build, unique=unique)

    def places(self, arguments: _Arguments) -> Form:
        if not arguments:
            return Many(item=Anything(), build=tuple)
        if len(arguments) == 2 and arguments[1] is ...:
            return Many(item=self.form(arguments[0]), build=tuple)
        return Fixed(items=tuple(self.form(argument) for argument in arguments))

    def mapping(self, arguments: _Arguments) -> Form:
        key, value = arguments or (str, Any)
        form = STRING if key is Any else self.form(key)
        return Map(key=form, value=self.form(value), whole_keys=form is INTEGER)

    def _class(self, kind: object, known: object, arguments: _Arguments) -> Form:
        if not _is_class(known):
            raise TypeError(f"{kind!r} is no type that JSON has words for")
        if is_pydantic(known):
            return pydantic_form(known)
        if _is_enum(known):
            return enum(known)
        if kind in self._records:
            return self._records[kind]
        members = members_of(known)
        if members is not None:
            return self._record(kind, known, arguments, members)
        return _Path(known) if hasattr(known, "__fspath__") else self._native(kind)

    def _native(self, kind: object) -> Form:
        if isinstance(msgspec.inspect.type_info(kind), msgspec.inspect.CustomType):
            raise TypeError(f"{kind!r} is no type that JSON has words for")
        return Native(kind=kind, inner=self.form)

    def _record(
        self, kind: object, known: type[object], arguments: _Arguments, members: list[Member]
    ) -> Form:
        doc = read_docstring(_own_docstring(known))
        record = Record(name=known.__name__, build=builder_of(known), description=doc.summary)
        self._records[kind] = record
        outer = self._bound
        variables: _Arguments = getattr(known, "__parameters__", ())
        self._bound = {**outer, **dict(zip(variables, arguments, strict=False))}
        record.fields = tuple(self.field(member, doc.parameters) for member in members)
        self._bound = outer
        return record


class _Path:
    """`pathlib` and its like: anything that is made of a path and knows it."""

    def __init__(self, kind: Callable[[str], object]) -> None:
        self.schema = STRING.schema
        self._kind = kind

    def read(self, value: Json, where: str) -> object:
        return self._kind(str(STRING.read(value, where)))


def _is_class(known: object) -> TypeGuard[type[object]]:
    return isinstance(known, type)


def _is_enum(known: type[object]) -> TypeGuard[type[Enum]]:
    return issubclass(known, Enum)


def _as_json(value: object) -> Json:
    """Give a default as JSON; what has none is left to the code to fill in."""
    if value is MISSING:
        return NO_DEFAULT
    try:
        plain: Json = msgspec.to_builtins(value)
    except (TypeError, ValueError):
        return NO_DEFAULT
    return plain


def _own_docstring(known: type[object]) -> str | None:
    """Leave out what Python writes itself: a dataclass without words gets its signature."""
    doc = known.__dict__.get("__doc__")
    if not isinstance(doc, str) or doc.startswith(f"{known.__name__}("):
        return None
    return doc


_SIMPLE: dict[object, Form] = {
    str: STRING,
    int: INTEGER,
    float: NUMBER,
    bool: BOOLEAN,
    None: Nothing(),
    NoneType: Nothing(),
    Any: Anything(),
    object: Anything(),
}

_Maker: TypeAlias = Callable[[Compiler, _Arguments], Form]

_SPECIAL: dict[object, _Maker] = {
    Union: Compiler.union,
    UnionType: Compiler.union,
    Annotated: Compiler.annotated,
    Literal: lambda _, arguments: literal(arguments),
    Required: Compiler.inner,
    NotRequired: Compiler.inner,
    Unpack: Compiler.inner,
}


def _list(compiler: Compiler, arguments: _Arguments) -> Form:
    return compiler.many(arguments, list)


def _set(compiler: Compiler, arguments: _Arguments) -> Form:
    return compiler.many(arguments, set, unique=True)


_COLLECTIONS: dict[object, _Maker] = {
    tuple: Compiler.places,
    list: _list,
    abc.Iterable: _list,
    abc.Collection: _list,
    abc.Sequence: _list,
    abc.MutableSequence: _list,
    set: _set,
    abc.Set: _set,
    abc.MutableSet: _set,
    frozenset: lambda compiler, arguments: compiler.many(arguments, frozenset, unique=True),
    collections.deque: lambda compiler, arguments: compiler.many(arguments, collections.deque),
    dict: Compiler.mapping,
    abc.Mapping: Compiler.mapping,
    abc.MutableMapping: Compiler.mapping,
}
