"""Markdown in colour while it streams: marks are styled as they come, nothing waits for a line."""

from .terminal import Ink, Paint


class Markdown:
    """A step from pieces of Markdown to pieces of the same text in colour.

    Marks stay in the text, so what is seen can be copied as it was written. Only a run of
    backticks, stars or hashes is held back until its end shows what it means.
    """

    def __init__(self, paint: Paint) -> None:
        self._paint = paint
        self._held = ""  # marks whose run may go on
        self._start = True  # of a line
        self._heading = False
        self._bold = False
        self._code = False
        self._fence = False

    def feed(self, text: str) -> str:
        if not self._paint.coloured:
            return text
        return "".join(self._letter(letter) for letter in text)

    def close(self) -> str:
        return self._marks() if self._held else ""

    def _letter(self, letter: str) -> str:
        if letter in "`*#" and (not self._held or letter == self._held[0]):
            self._held += letter
            return ""
        before = self._marks() if self._held else ""
        if letter in "`*#":
            self._held = letter
            return before
        if letter == "\n":
            self._start, self._heading, self._code = True, False, False
            return before + letter
        self._start = self._start and letter == " "
        return before + self._paint(letter, *self._inks()) if self._inks() else before + letter

    def _marks(self) -> str:
        marks, self._held = self._held, ""
        start, self._start = self._start, False
        if start and marks.startswith("```"):
            self._fence = not self._fence
        elif self._fence:
            pass
        elif start and marks[0] == "#":
            self._heading = True
        elif marks[0] == "`":
            self._code = not self._code
        elif marks == "**" and not self._code:
            self._bold = not self._bold
        return self._paint(marks, "dim") if marks[0] != "*" or len(marks) > 1 else marks

    def _inks(self) -> tuple[Ink, ...]:
        if self._fence or self._code:
            return ("cyan",)
        return ("bold",) if self._heading or self._bold else ()
