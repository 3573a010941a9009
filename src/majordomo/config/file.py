"""`majordomo.toml`: read, checked, and explained by line where it is wrong."""

import re
import tomllib
from collections.abc import Mapping
from difflib import get_close_matches
from pathlib import Path

import msgspec
from msgspec import Struct

from majordomo.contract import InvalidRequest, Json, JsonObject

from .gateway import Gateway


class Settings(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """Everything a file may say. Providers are DSNs, written as in the environment."""

    providers: dict[str, str] = {}
    aliases: dict[str, str] = {}
    routes: dict[str, str] = {}  # pattern of the model asked for -> spec; the first match wins
    default: str = ""  # spec for models nothing else knows
    gateway: Gateway = Gateway()


NAME = "majordomo.toml"


def find(here: Path, home: Path) -> Path | None:
    """Give the file that counts: the working directory's, else the user's own."""
    for path in (here / NAME, home / ".config" / "majordomo" / NAME):
        if path.is_file():
            return path
    return None


def load(path: Path, environment: Mapping[str, str]) -> Settings:
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise InvalidRequest(f"{path}: {error.strerror or error}") from error
    return parse(text, environment, where=str(path))


def parse(text: str, environment: Mapping[str, str], where: str = NAME) -> Settings:
    try:
        table: JsonObject = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise InvalidRequest(f"{where}: {error}") from error
    filled = _filled(table, environment, text, where)
    try:
        return msgspec.convert(filled, Settings, strict=True)
    except msgspec.ValidationError as error:
        raise InvalidRequest(_explained(str(error), text, where)) from error


_REFERENCE = re.compile(r"\$\{(\w+)\}")


def _filled(value: Json, environment: Mapping[str, str], text: str, where: str) -> Json:
    """Put the environment's values where `${NAME}` stands."""
    if isinstance(value, str):

        def known(match: re.Match[str]) -> str:
            name = match[1]
            if name not in environment:
                line = _line(text, match[0])
                raise InvalidRequest(f"{where}:{line}: the environment has no {name}")
            return environment[name]

        return _REFERENCE.sub(known, value)
    if isinstance(value, list):
        return [_filled(item, environment, text, where) for item in value]
    if isinstance(value, dict):
        return {name: _filled(item, environment, text, where) for name, item in value.items()}
    return value


_UNKNOWN = re.compile(r"unknown field `(?P<field>[^`]+)`(?: - at `\$\.?(?P<path>[^`]*)`)?")
_PLACE = re.compile(r"^(?P<problem>.*?)(?: - at `\$\.?(?P<path>[^`]*)`)$")


def _explained(problem: str, text: str, where: str) -> str:
    """Say which line, and what was probably meant. Values are never quoted: they may be secret."""
    unknown = _UNKNOWN.search(problem)
    if unknown:
        field, path = unknown["field"], unknown["path"] or ""
        near = get_close_matches(field, _fields(path), n=1)
        hint = f"; did you mean {near[0]!r}?" if near else ""
        at = f" in [{path}]" if path else ""
        return f"{where}:{_line(text, field)}: there is no setting {field!r}{at}{hint}"
    place = _PLACE.match(problem)
    if place:
        field = place["path"].rpartition(".")[2]
        return f"{where}:{_line(text, field)}: {place['path']}: {place['problem']}"
    return f"{where}: {problem}"


def _fields(path: str) -> list[str]:
    """Give the settings one may write at a place like `gateway.limits`."""
    here: type[Struct] = Settings
    for name in filter(None, path.split(".")):
        kinds = {field.name: field.type for field in msgspec.structs.fields(here)}
        kind: object = kinds.get(name.partition("[")[0])
        if not (isinstance(kind, type) and issubclass(kind, Struct)):
            return []
        here = kind
    return [field.name for field in msgspec.structs.fields(here)]


def _line(text: str, word: str) -> int:
    at = text.find(word)
    return text.count("\n", 0, at) + 1 if at >= 0 else 1
