"""What the emulation did in one turn, so that a failure can be put down to its stage."""

from msgspec import Struct

from majordomo.contract import Note


class ActionReport(Struct, frozen=True, kw_only=True, omit_defaults=True):
    active: bool = False
    injected: bool = False  # the prompt contract went out
    history_found: bool = False  # calls or results in the messages
    parsed: int = 0  # calls given to the caller
    repaired: tuple[str, ...] = ()
    dropped: tuple[str, ...] = ()  # what was written and not carried out, and why
    retried: int = 0
    why: tuple[str, ...] = ()  # a reason for each retry
    refusal: str = ""  # the category of what was matched
    state: str = ""
    synthesised: bool = False  # text was held back until the reply was decided

    def notes(self) -> tuple[Note, ...]:
        """Say it as lines of the loss ledger: one for the turn, one for each thing changed."""
        line = Note(kind="emulated", what="tools", why=self.line())
        repaired = [Note(kind="repaired", what="actions", why=why) for why in self.repaired]
        dropped = [Note(kind="dropped", what="actions", why=why) for why in self.dropped]
        retried = [Note(kind="retried", what="actions", why=why) for why in self.why]
        return (line, *repaired, *dropped, *retried)

    def line(self) -> str:
        """Give the one log line of the turn."""
        facts = (
            f"state={self.state}",
            f"contract={'injected' if self.injected else 'absent'}",
            f"history={'yes' if self.history_found else 'no'}",
            f"parsed={self.parsed}",
            f"repaired={len(self.repaired)}",
            f"retried={self.retried}",
            f"refusal={self.refusal or 'none'}",
        )
        return " ".join(facts)
