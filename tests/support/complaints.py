"""What users of other gateways and libraries complain about, and the page that tells of it."""

from itertools import groupby
from pathlib import Path

import msgspec
from msgspec import Struct

TABLE = Path(__file__).parents[1] / "complaints.toml"
PAGE = Path(__file__).parents[2] / "docs" / "complaints.md"
_HEAD = """\
# What users of other gateways complain about, and what guards us

Read from public issue trackers, told in our words. Each is a class of bugs that keeps coming
back where nobody owns the translation; here each has tests that fail when it does. This page is
written from `tests/complaints.toml` by `make tables`; a test compares the two and looks every
guard up.
"""


class Complaint(Struct, frozen=True, forbid_unknown_fields=True):
    topic: str
    what: str
    heard: tuple[str, ...]  # repository#number
    guards: tuple[str, ...]  # path::test or path::test[row]


class _Table(Struct, frozen=True):
    complaint: tuple[Complaint, ...]


def complaints() -> tuple[Complaint, ...]:
    return msgspec.toml.decode(TABLE.read_bytes(), type=_Table).complaint


def page() -> str:
    lines = [_HEAD]
    numbered = enumerate(complaints(), start=1)
    for topic, rows in groupby(numbered, key=lambda row: row[1].topic):
        lines += [f"## {topic}\n", "| | complaint | heard in | guarded by |", "|---|---|---|---|"]
        lines += [_row(number, complaint) for number, complaint in rows]
        lines.append("")
    return "\n".join(lines)


def _row(number: int, complaint: Complaint) -> str:
    guards = "<br>".join(f"`{guard.removeprefix('tests/')}`" for guard in complaint.guards)
    return f"| {number} | {complaint.what} | {', '.join(complaint.heard)} | {guards} |"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
