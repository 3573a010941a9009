"""The pages people read, cut into their fenced blocks."""

import re
from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

ROOT = Path(__file__).parents[2]
PAGES = sorted([ROOT / "README.md", *(ROOT / "docs").rglob("*.md")])

_FENCE = re.compile(r"^```(\w*)[^\n]*\n(.*?)^```$", re.DOTALL | re.MULTILINE)


class Block(Struct, frozen=True, kw_only=True):
    page: str
    line: int
    language: str
    text: str

    @property
    def name(self) -> str:
        return f"{self.page}:{self.line}"


def blocks(*languages: str) -> list[Block]:
    """Give every block of these languages, or of any, on every page, in order."""
    found = (block for page in PAGES for block in _blocks(page))
    return [block for block in found if not languages or block.language in languages]


def name_of(page: Path) -> str:
    return str(page.relative_to(ROOT))


def _blocks(page: Path) -> Iterator[Block]:
    text = page.read_text(encoding="utf-8")
    for match in _FENCE.finditer(text):
        line = text.count("\n", 0, match.start()) + 1
        yield Block(page=name_of(page), line=line, language=match[1], text=match[2])
