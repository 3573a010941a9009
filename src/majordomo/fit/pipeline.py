"""One request made acceptable to one target: the steps in order, their lifts composed."""

from collections.abc import Callable, Iterable

from msgspec.structs import replace

from majordomo.contract import (
    Capabilities,
    DialectName,
    Event,
    InvalidRequest,
    Malformed,
    Note,
    NoteKind,
    Request,
    Unsupported,
)

from .goal import Goal, Pass
from .history import fit_history
from .image_cache import ImageCache
from .knobs import fit_knobs
from .lowering import fit_tool_schemas
from .media import fit_media
from .shim import Again, Fitted, Lift
from .structured import fit_structured
from .tools import fit_tools
from .turns import fit_turns

# An answer's shape is settled before the tools, because it may need one; turns come after
# everything that writes messages; tool schemas after emulation, which reads them whole.
STEPS: tuple[Pass, ...] = (
    fit_history,
    fit_media,
    fit_structured,
    fit_tools,
    fit_turns,
    fit_tool_schemas,
    fit_knobs,
)

_LOSSES: frozenset[NoteKind] = frozenset({"dropped", "downgraded"})


def fit(  # noqa: PLR0913 -- each is a fact about the one attempt it is for
    request: Request,
    capabilities: Capabilities,
    *,
    dialect: DialectName,
    target: str = "",
    strict: bool = False,
    partial: bool = False,
    images: ImageCache | None = None,
) -> Fitted:
    """Make `request` acceptable to a target, or raise `Unsupported` with the reason.

    `strict` refuses what would lose something; what is only said in other words, emulated
    or repaired keeps its meaning and is done. `partial` lets structured text out as it comes.
    `images` shares fitted images between requests.
    """
    goal = Goal(capabilities=capabilities, dialect=dialect, partial=partial, images=images)
    fitted = request
    notes: tuple[Note, ...] = ()
    lifted: list[tuple[Callable[[], Lift], tuple[Pass, ...]]] = []
    try:
        for index, step in enumerate(STEPS):
            passed = step(fitted, goal)
            if passed is None:
                continue
            if strict:
                _refuse_losses(passed.notes)
            fitted, notes = passed.request, notes + passed.notes
            if passed.lift is not None:
                lifted.append((passed.lift, STEPS[index + 1 :]))
    except Unsupported as error:
        error.target = error.target or target
        raise
    except Malformed as error:
        raise InvalidRequest(str(error)) from error
    if not notes and not lifted:
        return Fitted(request=fitted)
    signed = tuple(replace(note, target=target) for note in notes) if target else notes
    return Fitted(request=fitted, notes=signed, lift=_composed(lifted, goal) if lifted else None)


def _refuse_losses(notes: Iterable[Note]) -> None:
    for note in notes:
        if note.kind in _LOSSES:
            raise Unsupported(f"{note.what} would be {note.kind}: {note.why}", parameter=note.what)


def _composed(
    lifted: list[tuple[Callable[[], Lift], tuple[Pass, ...]]], goal: Goal
) -> Callable[[], Lift]:
    # The last step stands nearest to the wire, so its lift hears the reply first.
    stages = lifted[::-1]
    return lambda: _Stages([(make(), later) for make, later in stages], goal)


class _Stages:
    """Several lifts as one. A reply that will not do ends at the first lift that says so."""

    __slots__ = ("_goal", "_over", "_stages")

    def __init__(self, stages: list[tuple[Lift, tuple[Pass, ...]]], goal: Goal) -> None:
        self._stages = stages
        self._goal = goal
        self._over = False

    def feed(self, event: Event) -> Iterable[Event | Again]:
        return () if self._over else self._through([event], 0)

    def close(self) -> Iterable[Event | Again]:
        told: list[Event | Again] = []
        for index, (lift, later) in enumerate(self._stages):
            if self._over:
                break
            told += self._passed(lift.close(), later, index + 1)
        return told

    def _through(self, events: list[Event], index: int) -> list[Event | Again]:
        if index == len(self._stages):
            return [*events]
        lift, later = self._stages[index]
        told: list[Event | Again] = []
        for event in events:
            told += self._passed(lift.feed(event), later, index + 1)
            if self._over:
                break
        return told

    def _passed(
        self, items: Iterable[Event | Again], later: tuple[Pass, ...], index: int
    ) -> list[Event | Again]:
        told: list[Event | Again] = []
        for item in items:
            if isinstance(item, Again):
                self._over = True
                return [*told, self._again(item, later)]
            told += self._through([item], index)
        return told

    def _again(self, again: Again, later: tuple[Pass, ...]) -> Again:
        """Fit what is asked again for the steps behind the one that asks."""
        request = again.request
        for step in later:
            passed = step(request, self._goal)
            request = request if passed is None else passed.request
        return replace(again, request=request)
