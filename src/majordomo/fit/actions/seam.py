"""Prose with blocks taken out of it: the white space that lay around them closes up."""


class Seam:
    """Feed it prose and say where a block was cut out; text without cuts is left as it is."""

    __slots__ = ("_cut", "_space", "_started")

    def __init__(self) -> None:
        self._space = ""  # white space whose fate depends on what follows
        self._cut = False
        self._started = False

    def feed(self, text: str) -> list[str]:
        body = text.lstrip() if self._cut else text
        if self._cut:
            self._space += text[: len(text) - len(body)]
            if not body:
                return []
            lead = self._joint() if self._started else ""
        else:
            lead = self._space
        self._cut = False
        kept = body.rstrip()
        self._space = body[len(kept) :]
        if not kept:
            self._space = lead + self._space
            return []
        self._started = True
        return [lead + kept]

    def passes(self, text: str) -> bool:
        """Say whether text needs no change, and if so, take it for said."""
        if self._cut or self._space or text[-1:].isspace():
            return False
        self._started = True
        return True

    def cut(self) -> None:
        self._cut = True

    def close(self) -> list[str]:
        rest = "" if self._cut else self._space
        self._space = ""
        return [rest] if rest else []

    def _joint(self) -> str:
        if "\n" in self._space:
            return "\n\n"
        return " " if self._space else ""
