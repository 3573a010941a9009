"""Colours: on a terminal that wants them, and nowhere else; Markdown coloured while it streams."""

import io

import pytest

from majordomo.cli.markdown import Markdown
from majordomo.cli.terminal import Paint, paint_for


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


COLOURED: dict[str, tuple[io.StringIO, dict[str, str], bool]] = {
    "a terminal": (Terminal(), {}, True),
    "a file": (io.StringIO(), {}, False),
    "no colour wanted": (Terminal(), {"NO_COLOR": "1"}, False),
    "an empty NO_COLOR counts for nothing": (Terminal(), {"NO_COLOR": ""}, True),
    "a dumb terminal": (Terminal(), {"TERM": "dumb"}, False),
}


@pytest.mark.parametrize(("stream", "environ", "wanted"), COLOURED.values(), ids=COLOURED.keys())
def test_colours_are_for_people(
    stream: io.StringIO, environ: dict[str, str], *, wanted: bool
) -> None:
    paint = paint_for(stream, environ)
    assert paint.coloured is wanted
    assert ("\033" in paint("x", "red")) is wanted


TEXT = "# Title\nplain **bold** and `code` and 2 * 3\n```python\nx = '**'\n```\nend **"


def coloured(pieces: list[str]) -> str:
    markdown = Markdown(Paint(coloured=True))
    return "".join(markdown.feed(piece) for piece in pieces) + markdown.close()


def without_ink(text: str) -> str:
    while "\033" in text:
        before, _, after = text.partition("\033[")
        text = before + after.partition("m")[2]
    return text


def test_no_letter_of_markdown_is_lost_or_moved() -> None:
    assert without_ink(coloured([TEXT])) == TEXT


def test_markdown_cut_anywhere_looks_the_same() -> None:
    whole = coloured([TEXT])
    for at in range(1, len(TEXT)):
        assert coloured([TEXT[:at], TEXT[at:]]) == whole


INKS = {
    "a heading is bold": ("# T", "\033[1mT\033[0m"),
    "bold is bold": ("**b**", "\033[1mb\033[0m"),
    "code is cyan": ("`c`", "\033[36mc\033[0m"),
    "a fence is cyan until it closes": ("```\n*\n```\np", "\033[0m\np"),
    "a star alone is a star": ("2 * 3", "2 * 3"),
    "a hash inside a line is a hash": ("C# is", " is"),
}


@pytest.mark.parametrize(("text", "shown"), INKS.values(), ids=INKS.keys())
def test_marks_are_coloured_for_what_they_mean(text: str, shown: str) -> None:
    assert shown in coloured([text])


def test_without_colours_text_is_left_alone() -> None:
    markdown = Markdown(Paint(coloured=False))
    assert markdown.feed(TEXT) + markdown.close() == TEXT
