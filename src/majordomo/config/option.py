"""What may be set after the `?` of a DSN: each option, its type and what it changes."""

from collections.abc import Callable
from typing import Literal, TypeAlias, TypeVar, get_args

from msgspec import Struct
from msgspec.structs import replace

from majordomo.catalog.provider import AuthStyle, Provider
from majordomo.contract import (
    ALL_KNOBS,
    Capabilities,
    DocumentLimits,
    ImageLimits,
    SchemaDialect,
    SchemaMode,
    ToolMode,
)

Value: TypeAlias = bool | int | float | str | tuple[str, ...]
T = TypeVar("T")


class BadValue(ValueError):
    """What a value has to be. It never holds the value: that may be a secret gone astray."""


class Option(Struct, frozen=True, kw_only=True):
    """One option: how its value is read, and where the value goes."""

    read: Callable[[str], Value]
    field: str
    place: Literal["capabilities", "images", "documents", "wire", "timeouts", "provider"]


def set_on_provider(provider: Provider, option: Option, value: Value) -> Provider:
    match option.place:
        case "wire":
            return replace(provider, wire=replace(provider.wire, **{option.field: value}))
        case "timeouts":
            changes = dict.fromkeys(option.field.split(), value)
            return replace(provider, timeouts=replace(provider.timeouts, **changes))
        case "provider":
            return replace(provider, **{option.field: value})
        case "capabilities" | "images" | "documents":
            return provider


def set_on_capabilities(capabilities: Capabilities, option: Option, value: Value) -> Capabilities:
    match option.place:
        case "capabilities":
            if option.field == "without":
                return _without(capabilities, value)
            return replace(capabilities, **{option.field: value})
        case "images":
            return replace(capabilities, images=_images(capabilities.images, option.field, value))
        case "documents":
            return replace(capabilities, documents=DocumentLimits() if value else None)
        case "wire" | "timeouts" | "provider":
            return capabilities


def _images(limits: ImageLimits | None, field: str, value: Value) -> ImageLimits | None:
    if field == "images":
        return (limits or ImageLimits()) if value else None
    return replace(limits or ImageLimits(), **{field: value})


def _without(capabilities: Capabilities, value: Value) -> Capabilities:
    dropped = value if isinstance(value, tuple) else ()
    kept = tuple(knob for knob in capabilities.knobs if knob not in dropped)
    return replace(capabilities, knobs=kept)


def _switch(text: str) -> bool:
    words = {"on": True, "true": True, "yes": True, "1": True}
    words |= {"off": False, "false": False, "no": False, "0": False}
    if text.lower() not in words:
        raise BadValue("must be on or off")
    return words[text.lower()]


def _count(text: str) -> int:
    if not (text.isascii() and text.isdigit() and int(text) > 0):
        raise BadValue("must be a whole number above zero")
    return int(text)


def _bytes(text: str) -> int:
    number, unit = text.lower().removesuffix("b"), 1
    for letter, size in (("k", 1024), ("m", 1024**2), ("g", 1024**3)):
        if number.endswith(letter):
            number, unit = number[:-1], size
    try:
        return _count(number) * unit
    except BadValue:
        raise BadValue("must be a number of bytes such as 500000, 500kb or 5mb") from None


def _seconds(text: str) -> float:
    try:
        seconds = float(text.lower().removesuffix("s"))
    except ValueError:
        seconds = 0.0
    if not 0.0 < seconds < 1e9:
        raise BadValue("must be a number of seconds above zero")
    return seconds


def _one_of(*words: str) -> Callable[[str], str]:
    def read(text: str) -> str:
        if text not in words:
            raise BadValue(f"must be {', '.join(words[:-1])} or {words[-1]}")
        return text

    return read


def _words(text: str) -> str:
    if not text.isprintable():
        raise BadValue("must be printable")
    return text


def _knobs(text: str) -> tuple[str, ...]:
    names = tuple(text.split(","))
    if any(name not in ALL_KNOBS for name in names):
        raise BadValue(f"must be some of {', '.join(ALL_KNOBS)}")
    return names


def _mimes(text: str) -> tuple[str, ...]:
    kinds = {"jpeg", "png", "gif", "webp", "avif", "heic", "bmp", "tiff"}
    names = text.lower().split(",")
    if any(name not in kinds for name in names):
        raise BadValue(f"must be some of {', '.join(sorted(kinds))}")
    return tuple(f"image/{name}" for name in names)


def _capability(read: Callable[[str], Value], field: str) -> Option:
    return Option(read=read, field=field, place="capabilities")


def _image(read: Callable[[str], Value], field: str) -> Option:
    return Option(read=read, field=field, place="images")


def _wire(read: Callable[[str], Value], field: str) -> Option:
    return Option(read=read, field=field, place="wire")


def _time(field: str) -> Option:
    return Option(read=_seconds, field=field, place="timeouts")


OPTIONS: dict[str, Option] = {
    "tools": _capability(_one_of(*get_args(ToolMode)), "tools"),
    "rescue": _capability(_switch, "rescue"),
    "structured": _capability(_one_of(*get_args(SchemaMode)), "structured"),
    "schema": _capability(_one_of(*get_args(SchemaDialect)), "schema"),
    "tool_schema": _capability(_one_of(*get_args(SchemaDialect)), "tool_schema"),
    "streaming": _capability(_switch, "streaming"),
    "json_mode": _capability(_switch, "json_mode"),
    "parallel": _capability(_switch, "parallel_control"),
    "prefill": _capability(_switch, "prefill"),
    "thinking": _capability(_switch, "thinking"),
    "alternate": _capability(_switch, "alternate"),
    "system": _capability(_one_of("anywhere", "first", "none"), "system"),
    "result_media": _capability(_switch, "result_media"),
    "without": _capability(_knobs, "without"),
    "max_tools": _capability(_count, "max_tools"),
    "max_context": _capability(_count, "max_context"),
    "max_output": _capability(_count, "max_output"),
    "max_request_bytes": _capability(_bytes, "max_request_bytes"),
    "images": _image(_switch, "images"),
    "image_types": _image(_mimes, "mimes"),
    "max_images": _image(_count, "max_count"),
    "max_image_px": _image(_count, "max_side"),
    "max_image_bytes": _image(_bytes, "max_bytes"),
    "documents": Option(read=_switch, field="documents", place="documents"),
    "max_tokens_field": _wire(_one_of("max_tokens", "max_completion_tokens"), "max_tokens_field"),
    "reasoning_field": _wire(_one_of("reasoning", "reasoning_content"), "reasoning_field"),
    "system_role": _wire(_one_of("system", "developer"), "system_role"),
    "required_word": _wire(_one_of("required", "any"), "required_word"),
    "seed_field": _wire(_one_of("seed", "random_seed"), "seed_field"),
    "stream_usage": _wire(_switch, "stream_usage"),
    "version": _wire(_words, "version"),
    "default_max_tokens": _wire(_count, "default_max_tokens"),
    "timeout": _time("first_byte idle"),
    "connect_timeout": _time("connect"),
    "first_byte_timeout": _time("first_byte"),
    "idle_timeout": _time("idle"),
    "total_timeout": _time("total"),
    "auth": Option(read=_one_of(*get_args(AuthStyle)), field="auth", place="provider"),
}
