"""A client for a model with little room: what it leaves out, so that a prompt still fits.

A coding agent sends thousands of tokens of its own before the user's first word. Where every
target of a spec is known to have less room than that, the client is started in a smaller form.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path

from msgspec import Struct

from majordomo.engine.target import Target

ROOM = 4096  # tokens a conversation needs beside what the client sends of its own

# Without any, the smallest models ramble on until their room is used up.
INSTRUCTIONS = "You are a helpful assistant. Answer briefly."


class Flag(Struct, frozen=True, kw_only=True):
    words: tuple[str, ...]  # `{folder}` is a folder of the client's own
    unless: tuple[str, ...]  # the user's words that settle the matter


class SmallForm(Struct, frozen=True, kw_only=True):
    without: str  # what is missing, for the user
    flags: tuple[Flag, ...] = ()
    variables: dict[str, str] = {}  # those that are set already stay
    files: dict[str, str] = {}  # name -> text, in the folder


class Chosen(Struct, frozen=True, kw_only=True):
    """What a small form comes to, beside what the user has said himself."""

    words: tuple[str, ...] = ()
    variables: dict[str, str] = {}

    def __bool__(self) -> bool:
        return bool(self.words or self.variables)


def room_of(targets: Sequence[Target]) -> int | None:
    """Give the tokens the roomiest target takes; None where one of them is not known."""
    rooms = [target.capabilities.max_context for target in targets]
    known = [room for room in rooms if room is not None]
    return max(known) if known and len(known) == len(rooms) else None


def is_small(room: int | None, prompt: int) -> bool:
    """Say whether a client that sends so many tokens of its own leaves no room to talk."""
    return room is not None and room < prompt + ROOM


def choose(
    form: SmallForm, theirs: Sequence[str], environ: Mapping[str, str], folder: Path
) -> Chosen:
    """Take of a form what the user has not settled; its files are written to the folder."""
    for name, text in form.files.items():
        (folder / name).write_text(text)
    return Chosen(
        words=tuple(
            _placed(word, folder)
            for flag in form.flags
            if not _said(flag.unless, theirs)
            for word in flag.words
        ),
        variables={
            name: _placed(value, folder)
            for name, value in form.variables.items()
            if name not in environ
        },
    )


def _said(names: tuple[str, ...], words: Sequence[str]) -> bool:
    """Look for a name among the user's words, also as `name=value`."""
    return any(word.partition("=")[0] in names for word in words)


def _placed(text: str, folder: Path) -> str:
    return text.replace("{folder}", str(folder))
