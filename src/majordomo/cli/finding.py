"""One thing `doctor` looked at: whether it is right, and if not, what to do."""

from typing import Literal, TypeAlias

from msgspec import Struct

from .terminal import Ink, Paint

Level: TypeAlias = Literal["right", "aside", "wrong"]

_MARKS: dict[Level, tuple[str, Ink]] = {
    "right": ("✓", "green"),
    "aside": ("·", "dim"),
    "wrong": ("✗", "red"),
}


class Finding(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """`check` is what was looked at, `where` is the thing it is about."""

    check: Literal["config", "environment", "extra", "port", "spec", "key", "dns", "tls", "call"]
    where: str
    level: Level = "right"
    said: str = ""
    fix: str = ""


def shown(finding: Finding, paint: Paint) -> str:
    mark, ink = _MARKS[finding.level]
    said = f": {finding.said}" if finding.said else ""
    line = f"{paint(mark, ink)} {finding.check:<11} {finding.where}{said}"
    return f"{line}\n    → {finding.fix}\n" if finding.fix else f"{line}\n"
