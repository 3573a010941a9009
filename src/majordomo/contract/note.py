"""One line of the loss ledger: what was changed on the way to a target, and why."""

from typing import Literal, TypeAlias

from msgspec import Struct

NoteKind: TypeAlias = Literal["mapped", "downgraded", "dropped", "emulated", "repaired", "retried"]


class Note(Struct, frozen=True, kw_only=True):
    kind: NoteKind
    what: str  # the place: `temperature`, `messages[3].content[0]`, `tools`
    why: str
    target: str = ""
