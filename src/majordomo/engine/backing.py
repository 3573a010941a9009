"""What stands behind a chain's first try.

A target that is well and in no hurry is asked as a bare model is: the caller's stream reads
from its `Attempting`, and nearly every request of a chain of one ends that way. When the try
fails, or where there was more to it from the beginning, `Answering` takes over.
"""

from majordomo.contract import Failure, Fold, Malformed
from majordomo.fit.shim import Fitted

from .answering import Answering
from .attempt import Attempting
from .fitting import fitted
from .stream import Source, Stream
from .terms import Question
from .voice import Voice


class Backing(Question, frozen=True, kw_only=True):
    """A question, and what a stream asks of whoever put it."""

    def served(self) -> None:
        """Take note that the first try said everything."""
        name, book = self.terms.first.name, self.terms.book
        if name in book.ailing:  # it failed others meanwhile
            book.succeeded(name)

    def instead(self, source: Source, failure: Failure, said: Fold) -> Source | None:
        """Go on after the first try has failed."""
        if not isinstance(source, Attempting):
            return None
        answering = Answering(self, said)
        given = said.fragments or bool(said.parts)
        answering.take_over(self._voice(source, given=given), failure)
        return answering

    def fitted(self) -> Fitted | None:
        """Fit for the first target on the spot; nothing where that cannot be done."""
        try:
            return fitted(self.terms.fit, self.request, self.terms.first)
        except (Failure, Malformed):
            return None  # met again where it counts as a try that failed

    def answered(self, fit: Fitted | None = None) -> Stream:
        """Begin where something is to be decided, or to be changed on its way out."""
        return self._begun(None if fit is None else Voice(self.terms.first, self, fit=fit))

    def raced(self, attempting: Attempting) -> Stream:
        """Begin with a first try that others stand ready to race, or that has a deadline."""
        return self._begun(self._voice(attempting, given=False))

    def _begun(self, first: Voice | None) -> Stream:
        fold = Fold()
        return Stream(Answering(self, fold, first), fold)

    def _voice(self, attempting: Attempting, *, given: bool) -> Voice:
        voice = Voice(attempting.target, self)
        voice.take_up(attempting, given=given)
        return voice
