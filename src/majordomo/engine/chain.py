"""A chain of targets as one model: whoever can, answers, and the caller sees one answer."""

from collections.abc import Sequence
from typing import Unpack

from msgspec.structs import replace

from majordomo.catalog.provider import Timeouts
from majordomo.contract import Capabilities, Note, Options, Prompt, Request, as_request
from majordomo.route import HealthBook, Patience

from .attempt import Attempting
from .backing import Backing
from .counting import Counting
from .fitting import Fit, as_it_is, flowing, leaves_alone
from .model import Model
from .outside import Outside
from .stream import Stream
from .target import Target
from .terms import Chance, Terms

_PATIENCE = Patience()
_CHANCE = Chance()
_NO_NOTES: tuple[Note, ...] = ()


class Chain(Model):
    """The targets of a spec, in order. It only remembers who cannot count; health is the book's."""

    def __init__(  # noqa: PLR0913 -- each is a part somebody wants to replace
        self,
        targets: Sequence[Target],
        outside: Outside,
        *,
        book: HealthBook | None = None,
        patience: Patience = _PATIENCE,
        fit: Fit = as_it_is,
        chance: Chance = _CHANCE,
        joined_text: bool = False,
    ) -> None:
        """`joined_text` gives the text of one upstream read as one piece, not as it was cut."""
        self.targets = tuple(_patient(target, patience) for target in targets)
        races = patience.first_token is not None
        self._terms = Terms(
            first=self.targets[0],
            targets={target.name: target for target in self.targets},
            outside=outside,
            book=book if book is not None else HealthBook(),
            patience=patience,
            fit=fit,
            leaves_alone=leaves_alone(fit),
            chance=chance,
            hurried=patience.total is not None or (len(self.targets) > 1 and races),
            joined_text=joined_text,
        )
        self._counting = Counting(outside)

    @property
    def name(self) -> str:
        return ",".join(target.name for target in self.targets)

    @property
    def capabilities(self) -> Capabilities:
        return self.targets[0].capabilities

    async def count(self, request: Request) -> int | None:
        """Ask the first target: it is the one that will serve, if all goes well."""
        return await self._counting.count(request, self.targets[0], self._terms.fit)

    def with_targets(self, targets: Sequence[Target]) -> "Chain":
        """Give a chain over other targets that shares everything else with this one."""
        return self._like(targets, self._terms.fit)

    def flowing(self) -> "Chain":
        return self._like(self.targets, flowing(self._terms.fit))

    async def aclose(self) -> None:
        """Close the connections, those of other chains of the same registry too."""
        await self._terms.outside.aclose()

    def stream(
        self, prompt: Prompt, *, partial_tool_calls: bool = False, **options: Unpack[Options]
    ) -> Stream:
        terms, request, notes = self._terms, as_request(prompt, **options), _NO_NOTES
        backing = Backing(request=request, partial_tool_calls=partial_tool_calls, terms=terms)
        target = terms.first
        if target.name in terms.book.ailing:
            return backing.answered()
        plain = terms.leaves_alone(request, target.capabilities, target.provider.dialect)
        if not plain:
            fit = backing.fitted()
            if fit is None or fit.lift is not None:
                return backing.answered(fit)
            request, notes = fit.request, fit.notes
        attempting = Attempting(
            target,
            request,
            terms.outside,
            notes=notes,
            partial_tool_calls=partial_tool_calls,
            joined_text=terms.joined_text,
            plain=plain,
        )
        return backing.raced(attempting) if terms.hurried else Stream(attempting, None, backing)

    def _like(self, targets: Sequence[Target], fit: Fit) -> "Chain":
        terms = self._terms
        return Chain(
            targets,
            terms.outside,
            book=terms.book,
            patience=terms.patience,
            fit=fit,
            chance=terms.chance,
            joined_text=terms.joined_text,
        )

    def __repr__(self) -> str:
        return f"Chain({self.name!r})"


_BOOK = Timeouts()


def _patient(target: Target, patience: Patience) -> Target:
    """Give the request's patience to a target whose provider was not given its own."""
    own = target.provider.timeouts
    timeouts = replace(
        own,
        first_byte=patience.silence if own.first_byte == _BOOK.first_byte else own.first_byte,
        idle=_idle(own.idle, patience.idle),
    )
    return replace(target, provider=replace(target.provider, timeouts=timeouts))


def _idle(own: float | None, asked: float | None) -> float | None:
    """Take the figure somebody chose, of two the sooner: a model at home may pause for long."""
    if own == _BOOK.idle:
        return asked
    if asked == _PATIENCE.idle:
        return own
    return min((seconds for seconds in (own, asked) if seconds is not None), default=None)
