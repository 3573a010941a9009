"""One request made acceptable to one target: the steps in order, their lifts composed."""

from collections.abc import Callable, Iterable
from typing import NamedTuple

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
from .lowering import fit_schemas
from .media import fit_media
from .shim import Again, Fitted, Lift, may_ask_again, notes_of
from .structured import fit_structured
from .survey import survey
from .tools import fit_tools
from .turns import fit_turns

# An answer's shape is settled before the tools, because it may need one; turns come after
# everything that writes messages; schemas after emulation, which reads them whole.
STEPS: tuple[Pass, ...] = (
    fit_history,
    fit_media,
    fit_structured,
    fit_tools,
    fit_turns,
    fit_schemas,
    fit_knobs,
)

_ALL = tuple(range(len(STEPS)))

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
    goal = Goal(
        capabilities=capabilities,
        dialect=dialect,
        seen=survey(request.messages, dialect),
        partial=partial,
        images=images,
    )
    try:
        fitted, notes, stages = _run(request, goal, _ALL, strict=strict)
    except Unsupported as error:
        error.target = error.target or target
        raise
    except Malformed as error:
        raise InvalidRequest(str(error)) from error
    if not notes and not stages:
        return Fitted(request=fitted)
    signed = tuple(replace(note, target=target) for note in notes) if target else notes
    return Fitted(request=fitted, notes=signed, lift=_Lifting(stages, goal) if stages else None)


class _Stage(NamedTuple):
    step: int
    lift: Callable[[], Lift]


def _run(
    request: Request, goal: Goal, steps: tuple[int, ...], *, strict: bool
) -> tuple[Request, tuple[Note, ...], list[_Stage]]:
    notes: tuple[Note, ...] = ()
    stages: list[_Stage] = []
    for number in steps:
        passed = STEPS[number](request, goal)
        if passed is None:
            continue
        if strict:
            _refuse_losses(passed.notes)
        request, notes = passed.request, notes + passed.notes
        if passed.lift is not None:
            stages.append(_Stage(number, passed.lift))
    return request, notes, stages


def _refuse_losses(notes: Iterable[Note]) -> None:
    for note in notes:
        if note.kind in _LOSSES:
            raise Unsupported(f"{note.what} would be {note.kind}: {note.why}", parameter=note.what)


class _Lifting:
    """Makes the lift for each reply.

    What is asked again is fitted again by the later steps, and the next reply is lifted by
    what *they* then say.
    """

    __slots__ = ("_goal", "_stages")

    def __init__(self, stages: list[_Stage], goal: Goal) -> None:
        self._stages = stages
        self._goal = goal

    def __call__(self) -> Lift:
        # The last step stands nearest to the wire, so its lift hears the reply first.
        lifts = [(stage.step, stage.lift()) for stage in self._stages[::-1]]
        if len(lifts) == 1 and not may_ask_again(lifts[0][1]):
            return lifts[0][1]
        return _Composed(lifts, self.refit)

    def refit(self, again: Again, step: int) -> Again:
        seen = survey(again.request.messages, self._goal.dialect)
        goal = replace(self._goal, seen=seen)
        request, notes, later = _run(again.request, goal, _ALL[step + 1 :], strict=False)
        del notes  # they were given with the first ask
        self._stages = [stage for stage in self._stages if stage.step <= step] + later
        return replace(again, request=request)


class _Composed:
    """Several lifts as one. A reply that will not do ends at the first lift that says so."""

    __slots__ = ("_lifts", "_over", "_refit")

    def __init__(self, lifts: list[tuple[int, Lift]], refit: Callable[[Again, int], Again]) -> None:
        self._lifts = lifts
        self._refit = refit
        self._over = False

    @property
    def notes(self) -> tuple[Note, ...]:
        return tuple(note for _, lift in self._lifts for note in notes_of(lift))

    def feed(self, event: Event) -> Iterable[Event | Again]:
        if self._over:
            return ()
        step, lift = self._lifts[0]
        return self._passed(lift.feed(event), step, 1)

    def close(self) -> Iterable[Event | Again]:
        told: list[Event | Again] = []
        for index, (step, lift) in enumerate(self._lifts):
            if self._over:
                break
            told += self._passed(lift.close(), step, index + 1)
        return told

    def _through(self, event: Event, index: int) -> list[Event | Again]:
        step, lift = self._lifts[index]
        return self._passed(lift.feed(event), step, index + 1)

    def _passed(self, items: Iterable[Event | Again], step: int, index: int) -> list[Event | Again]:
        told: list[Event | Again] = []
        last = index == len(self._lifts)
        for item in items:
            if self._over:
                break
            if isinstance(item, Again):
                self._over = True
                told.append(self._refit(item, step))
            elif last:
                told.append(item)
            else:
                told += self._through(item, index)
        return told
