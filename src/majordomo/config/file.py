"""`majordomo.toml`: read, checked, and explained by line where it is wrong."""

import re
import tomllib
from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import TypeGuard

import msgspec
from msgspec import Struct

from majordomo.contract import InvalidRequest, Json, JsonObject
from majordomo.route import Cooldown, Patience, check_alias, parse_spec

from .dsn import BadDsn, parse_dsn
from .gateway import Gateway
from .place import Path as Place
from .place import line_of, path_of


class PatienceTable(Patience, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`[patience]`: how long and how often one request is tried."""


class CooldownTable(Cooldown, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`[cooldown]`: when a target that fails is left alone, and for how long."""


class Settings(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """Everything a file may say. Providers are DSNs, written as in the environment."""

    providers: dict[str, str] = {}  # name -> DSN
    aliases: dict[str, str] = {}  # name -> spec
    routes: dict[str, str] = {}  # pattern of the model asked for -> spec; the first match wins
    default: str = ""  # spec for models nothing else knows, and for commands without -m
    patience: PatienceTable = PatienceTable()
    cooldown: CooldownTable = CooldownTable()
    gateway: Gateway = Gateway()

    @property
    def names(self) -> dict[str, str]:
        """Every alias there is: the file's own, and those that need no writing down."""
        return {**BUILT_IN, **self.aliases}


BUILT_IN = {"local": "local/smollm2"}  # the embedded model, by the name people try
NAME = "majordomo.toml"


def find(here: Path, home: Path, environment: Mapping[str, str] | None = None) -> Path | None:
    """Give the file that counts: the working directory's, else the user's own."""
    for path in (here / NAME, own_folder(home, environment or {}) / NAME):
        if path.is_file():
            return path
    return None


def own_folder(home: Path, environment: Mapping[str, str]) -> Path:
    """Say where the user's own file is: https://specifications.freedesktop.org/basedir/."""
    folder = environment.get("XDG_CONFIG_HOME", "")
    return (Path(folder) if folder else home / ".config") / "majordomo"


def load(path: Path, environment: Mapping[str, str]) -> Settings:
    """Read a file; the first thing that is wrong with it is raised."""
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise InvalidRequest(f"{path}: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise InvalidRequest(f"{path}: is not UTF-8 text") from error
    return parse(text, environment, where=str(path))


def parse(text: str, environment: Mapping[str, str], where: str = NAME) -> Settings:
    settings = read(text, environment, where)
    for problem in problems(settings, text, where):
        raise problem
    return settings


def read(text: str, environment: Mapping[str, str], where: str = NAME) -> Settings:
    """Read names and types only; `problems` says whether what is named makes sense."""
    try:
        table: JsonObject = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise InvalidRequest(f"{where}: {error}") from error
    filled = _Filling(environment, text, where).filled(table, ())
    try:
        return msgspec.convert(filled, Settings, strict=True)
    except msgspec.ValidationError as error:
        raise InvalidRequest(_explained(str(error), text, where)) from error


def problems(settings: Settings, text: str, where: str = NAME) -> Iterator[InvalidRequest]:
    """Find every DSN, alias, route and default that cannot work, whatever the environment."""
    for name, dsn in settings.providers.items():
        said = f"{where}:{line_of(text, ('providers', name))}: providers.{name}"
        try:
            check_alias(name)
            parse_dsn(name, dsn, variable=said)
        except BadDsn as problem:
            yield problem
        except InvalidRequest as problem:
            yield InvalidRequest(f"{said}: {problem}")
    specs: list[tuple[Place, str]] = [
        *((("aliases", name), spec) for name, spec in settings.aliases.items()),
        *((("routes", name), spec) for name, spec in settings.routes.items()),
        *(((("default",), settings.default),) if settings.default else ()),
    ]
    for place, spec in specs:
        try:
            if place[0] == "aliases":
                check_alias(place[1])
            # A route may end in what its pattern's `*` matched; any name will do to check it.
            parse_spec(spec.replace("*", "any") if place[0] == "routes" else spec, settings.names)
        except InvalidRequest as problem:
            yield InvalidRequest(f"{where}:{line_of(text, place)}: {_shown(place)}: {problem}")


def _shown(place: Place) -> str:
    *tables, name = place
    plain = name if re.fullmatch(r"[\w-]+", name) else f'"{name}"'
    return ".".join((*tables, plain))


_REFERENCE = re.compile(r"\$\{(\w+)\}")


class _Filling:
    """Puts the environment's values where `${NAME}` stands."""

    def __init__(self, environment: Mapping[str, str], text: str, where: str) -> None:
        self._environment = environment
        self._text = text
        self._where = where

    def filled(self, value: Json, place: Place) -> Json:
        if isinstance(value, str):
            return _REFERENCE.sub(lambda match: self._known(match[1], place), value)
        if isinstance(value, list):
            return [self.filled(item, (*place, f"[{n}]")) for n, item in enumerate(value)]
        if isinstance(value, dict):
            return {name: self.filled(item, (*place, name)) for name, item in value.items()}
        return value

    def _known(self, name: str, place: Place) -> str:
        if name not in self._environment:
            line = line_of(self._text, place)
            raise InvalidRequest(
                f"{self._where}:{line}: {_shown(place)}: the environment has no {name}; "
                f"set it, or take the reference out"
            )
        return self._environment[name]


_UNKNOWN = re.compile(r"unknown field `(?P<field>[^`]+)`(?: - at `\$\.?(?P<path>[^`]*)`)?")
_PLACE = re.compile(r"^(?P<problem>.*?)(?: - at `\$\.?(?P<path>[^`]*)`)$")


def _explained(problem: str, text: str, where: str) -> str:
    """Say which line, and what was probably meant. Values are never quoted: they may be secret."""
    unknown = _UNKNOWN.search(problem)
    if unknown:
        field, path = unknown["field"], unknown["path"] or ""
        known = _fields(path)
        near = get_close_matches(field, known, n=1)
        hint = f"; did you mean {near[0]!r}?" if near else f" (known: {', '.join(known)})"
        at = f" in [{path}]" if path else ""
        line = line_of(text, (*path_of(path), field))
        return f"{where}:{line}: there is no setting {field!r}{at}{hint}"
    place = _PLACE.match(problem)
    if place:
        path = place["path"].removesuffix("[...]")
        return f"{where}:{line_of(text, path_of(path))}: {path}: {place['problem']}"
    return f"{where}: {problem}"


def _fields(path: str) -> list[str]:
    """Give the settings one may write at a place like `gateway.limits` or `gateway.keys[0]`."""
    here: object = Settings
    for name in path_of(path):
        if name.startswith("["):
            here = next(iter(getattr(here, "__args__", ())), None)
            continue
        if not _is_table(here):
            return []
        here = {field.name: field.type for field in msgspec.structs.fields(here)}.get(name)
    return [field.name for field in msgspec.structs.fields(here)] if _is_table(here) else []


def _is_table(kind: object) -> TypeGuard[type[Struct]]:
    return isinstance(kind, type) and issubclass(kind, Struct)
