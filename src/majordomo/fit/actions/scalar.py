# ruff: noqa: RUF001 -- full-width punctuation is among what models write
"""Numbers and words without quotes, in the spellings of JSON, Python and JavaScript."""

import re

from majordomo.contract import Json

from .tape import Tape

BARE = re.compile(r"[^\s,，:：{}｛｝\[\]［］()\"“”<>&=]+")

_NUMBER = re.compile(r"[-+]?(?:\d[\d_]*)?\.?\d+(?:[eE][-+]?\d+)?|[-+]?\d+\.")
_JSON_NUMBER = re.compile(r"-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?")
_HEXADECIMAL = re.compile(r"[-+]?0[xX][0-9a-fA-F]+")
_REST = re.compile(r"(?:(?!\s\"|\s//|/\*)[^,，}｝\]］\n])*")
_REST_IN_CALL = re.compile(r"[^,)\n]*")

LITERALS: dict[str, tuple[Json, str]] = {
    "true": (True, ""),
    "false": (False, ""),
    "null": (None, ""),
    **{
        word: (value, "literal as written elsewhere")
        for word, value in (
            ("True", True),
            ("TRUE", True),
            ("False", False),
            ("FALSE", False),
            ("None", None),
            ("NULL", None),
            ("Null", None),
            ("nil", None),
            ("undefined", None),
            ("NaN", None),
        )
    },
}
_FIRST = re.compile(r"[^\s/\"{\[#]+")
_OMISSIONS = ("...", "…")  # "and so on" is not a value


def bare_value(tape: Tape, *, calling: bool) -> tuple[Json, str] | None:
    """Read a value without quotes, and what repair it took; None until its end is in sight."""
    rest = (_REST_IN_CALL if calling else _REST).match(tape.text, tape.pos)
    end = rest.end() if rest else tape.pos
    if end >= len(tape.text) and not tape.ended:
        return None
    text = tape.text[tape.pos : end].rstrip()
    first = _FIRST.match(text)
    if first is not None and first.end() < len(text):
        value, repair = read_scalar(first.group())
        if repair != "unquoted text":  # a number or literal, and then something else
            text = first.group()
    value, repair = read_scalar(text)
    tape.pos += len(text) or 1
    return value, repair


def read_scalar(text: str) -> tuple[Json, str]:
    """Read one bare word as the number, literal or text it stands for."""
    if text in LITERALS:
        return LITERALS[text]
    if text.startswith(_OMISSIONS):
        return text, "refuse"
    if _JSON_NUMBER.fullmatch(text):
        return number(text), ""
    if _NUMBER.fullmatch(text) or _HEXADECIMAL.fullmatch(text):
        return number(text), "number as written elsewhere"
    return text, "unquoted text"


def number(text: str) -> int | float:
    text = text.replace("_", "")
    if _HEXADECIMAL.fullmatch(text):
        return int(text, 16)
    if text.lstrip("+-").isdigit() and len(text) < 4000:
        return int(text)
    return float(text)
