"""Calls written as Python: `[get_weather(city="Paris"), now()]`."""

import re

from majordomo.contract import Json, JsonObject

from .draft import Draft
from .names import Offers
from .scan import blank, matched, space
from .tape import Pull, Tape
from .tolerant import Reader

CALL = re.compile(r"(?:print\s{0,4}\(\s{0,4})?([A-Za-z_][\w.\-]{0,64})\s{0,4}\(")
_KEYWORD = re.compile(r"([A-Za-z_]\w{0,64})\s{0,4}=(?!=)")
_REACH = 128


def read_call(tape: Tape, offers: Offers) -> Pull[tuple[Draft | None, str]]:
    """Read one call; None and why when it is none or breaks off."""
    opening = yield from matched(tape, CALL, _REACH)
    if opening is None:
        return None, "this is not a call"
    printed = opening.group().startswith("print")
    tape.pos = opening.end()
    name = opening.group(1)
    keywords: JsonObject = {}
    positions: list[Json] = []
    while True:
        if not (yield from blank(tape)):
            return None, "the call ends before its arguments do"
        if tape.text[tape.pos] == ")":
            tape.pos += 1
            break
        problem = yield from _argument(tape, keywords, positions)
        if problem:
            return None, problem
    if printed and (yield from space(tape)) and tape.text[tape.pos] == ")":
        tape.pos += 1
    offer = offers.find(name)
    names = offer.names if offer is not None else ()
    if len(positions) == 1 and isinstance(positions[0], dict) and not keywords:
        return Draft(name=name, arguments=positions[0]), ""
    keywords.update(zip((key for key in names if key not in keywords), positions, strict=False))
    return Draft(name=name, arguments=keywords), ""


def _argument(tape: Tape, keywords: JsonObject, positions: list[Json]) -> Pull[str]:
    keyword = yield from matched(tape, _KEYWORD, _REACH)
    if keyword is not None:
        tape.pos = keyword.end()
        if not (yield from space(tape)):
            return "the call ends before its arguments do"
    reader = Reader(calling=True)
    if not (yield from reader.read(tape)):
        return reader.fault
    if keyword is None:
        positions.append(reader.value)
    else:
        keywords[keyword.group(1)] = reader.value
    return ""
