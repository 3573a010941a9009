"""A chat reply as the reply that was asked for: prose flows, calls are given when they close."""

from collections.abc import Callable, Iterable
from typing import assert_never

from msgspec.structs import replace

from majordomo.contract import (
    UNKNOWN,
    Event,
    Finish,
    Note,
    PartDone,
    ProtocolBroken,
    ResponseDone,
    Start,
    Text,
    TextDelta,
    ThinkingDelta,
    ToolCall,
    ToolCallDelta,
    Usage,
)
from majordomo.dialects.json import write_text
from majordomo.fit.shim import Again, Lift

from .decide import Decision, decide
from .draft import Broken, Called, Piece, Prose
from .finder import Finder
from .plan import Plan
from .report import ActionReport
from .retry import retry_request
from .seam import Seam
from .wording import HONEST_END, INVENTED_RESULTS


class ActionLift:
    """Turns one reply's events; ends in its `Finish`, or in `Again` when it will not do."""

    def __init__(
        self,
        plan: Plan,
        *,
        retries: int,
        follow: Callable[[Callable[[], Lift]], None],
        before: ActionReport | None = None,
        spoken: bool = False,
        spent: Usage = UNKNOWN,
    ) -> None:
        self._plan = plan
        self._retries = retries
        self._follow = follow
        self._spoken = spoken  # an earlier try of this turn has sent text already
        self._spent = spent
        self._again = before is not None
        # Prose waits until the reply is decided, where it may have to be asked for again.
        self._holds = plan.forced or self._again
        self._before = before or ActionReport()
        self._finder = Finder(plan.offers, nonce=plan.nonce, quoted=plan.heard.includes)
        self._seam = Seam()
        self._raw: list[str] = []  # the reply as written, to show it to the model again
        self._said: list[str] = []  # prose, all of it
        self._held: list[str] = []  # prose that is not sent yet
        self._sent = False
        self._calls = 0
        self._broken: list[Broken] = []
        self._repairs: list[str] = []
        self._dropped: list[str] = []
        self._deaf = False  # a result was invented: what follows is built on it
        self._deltas = False  # the open text part came in deltas
        self._decision = Decision()
        self._over = False

    @property
    def report(self) -> ActionReport:
        """Say what has been done so far."""
        retried = self._decision.reason if self._decision.again else ""
        return ActionReport(
            active=True,
            injected=True,
            history_found=self._plan.history_found,
            parsed=self._calls,
            repaired=tuple(self._repairs),
            dropped=tuple(self._dropped),
            retried=self._before.retried + bool(retried),
            why=(*self._before.why, *((self._decision.words,) if retried else ())),
            refusal=self._decision.refusal or self._before.refusal,
            state=self._plan.state,
            synthesised=self._holds or self._before.synthesised,
        )

    @property
    def notes(self) -> tuple[Note, ...]:
        return self.report.notes()

    def feed(self, event: Event, /) -> list[Event | Again]:
        out: list[Event | Again]
        match event:
            case TextDelta(text=text):
                self._deltas = True
                plain = text and self._finder.passes(text)
                out = self._plain(event) if plain else self._text(text)
            case PartDone(part=Text(text=text)):
                out = [] if self._deltas else self._text(text)
                self._deltas = False
            case PartDone(part=ToolCall() as call):
                out = self._native(call)
            case Finish():
                out = self._finish(event)
            case Start() if self._again:
                out = []
            case Start() | PartDone() | ThinkingDelta():
                out = [event]
            case ToolCallDelta() | ResponseDone():
                out = []
            case _:
                assert_never(event)
        return out

    def close(self) -> list[Event | Again]:
        """Give back what a cut stream left; a whole one has given everything at its finish."""
        if self._over:
            return []
        self._over = True
        return [*self._pieces(self._finder.close()), *self._flush()]

    def _plain(self, event: TextDelta) -> list[Event | Again]:
        """Let prose out at once and as it came, where nothing holds it."""
        text = event.text
        self._raw.append(text)
        if self._calls or self._holds or not self._seam.passes(text):
            return self._prose(text)
        self._said.append(text)
        self._sent = True
        return [event]

    def _text(self, text: str) -> list[Event | Again]:
        self._raw.append(text)
        return self._pieces(self._finder.feed(text))

    def _pieces(self, pieces: Iterable[Piece]) -> list[Event | Again]:
        out: list[Event | Again] = []
        for piece in pieces:
            match piece:
                case Prose(text=text):
                    out += self._prose(text)
                case Called():
                    out += self._called(piece)
                case Broken():
                    self._seam.cut()
                    self._broken.append(piece)
                    self._dropped.append(piece.fault)
                case _:
                    assert_never(piece)
        return out

    def _prose(self, text: str) -> list[Event | Again]:
        said = self._seam.feed(text)
        self._said += said
        if self._calls or self._holds:
            self._held += said
            return []
        return self._say(said)

    def _called(self, call: Called) -> list[Event | Again]:
        self._seam.cut()
        if self._refused(call):
            return []
        out = self._flush() if self._calls or self._plan.forced else []
        if self._holds and not self._plan.forced and not self._calls:
            self._drop_held("the words of a second try")
        self._calls += 1
        self._repairs += [f"{call.name}: {repair}" for repair in call.repairs]
        arguments = write_text(call.arguments)
        return [*out, PartDone(part=ToolCall(id=self._id(), name=call.name, arguments=arguments))]

    def _refused(self, call: Called) -> bool:
        """Say whether a call must not be given, and note why."""
        if self._plan.choice.mode == "none":
            self._dropped.append(f"{call.name}: no tool may be used in this reply")
            self._broken.append(Broken(raw=call.raw, fault="no tool may be used", form=call.form))
            return True
        if self._calls and self._invented():
            self._deaf = True
        if self._deaf:
            self._dropped.append(f"{call.name}: it follows a result the model made up")
            return True
        if self._calls and self._plan.choice.parallel is False:
            self._dropped.append(f"{call.name}: one call at a time was asked for")
            return True
        return False

    def _invented(self) -> bool:
        held = "".join(self._held).lstrip()
        return held.startswith(INVENTED_RESULTS) or any(
            f"\n{start}" in held for start in INVENTED_RESULTS
        )

    def _native(self, call: ToolCall) -> list[Event | Again]:
        """Let a real call through: some targets have tools after all."""
        self._calls += 1
        return [*self._flush(), PartDone(part=call)]

    def _finish(self, finish: Finish) -> list[Event | Again]:
        out = self._pieces(self._finder.close())
        self._over = True
        usage = finish.usage + self._spent if self._spent.known else finish.usage
        finish = replace(finish, usage=usage)
        if self._calls:
            self._drop_held("words after the last call")
            return [*out, replace(finish, reason="tool_calls")]
        self._decision = decide(
            self._plan,
            text="".join(self._said),
            broken=self._broken,
            finish=finish,
            retries=self._retries,
        )
        if self._decision.again:
            return [*out, self._ask(usage)]
        return [*out, *self._end(finish)]

    def _ask(self, usage: Usage) -> Again:
        """Ask again; what was sent stays sent, the next try only adds to it."""
        decision = self._decision
        request = retry_request(
            self._plan.request,
            reply="".join(self._raw),
            reason=decision.reason,
            fault=decision.fault,
            names=", ".join(tool.name for tool in self._plan.tools),
            example=self._plan.example,
        )
        report, spoken = self.report, self._spoken or self._sent

        def following() -> Lift:
            return ActionLift(
                self._plan,
                retries=self._retries - 1,
                follow=self._follow,
                before=report,
                spoken=spoken,
                spent=usage,
            )

        self._follow(following)
        return Again(request=request, reason=decision.words, notes=self.notes)

    def _end(self, finish: Finish) -> list[Event | Again]:
        """End honestly: with the model's own words, or with what went wrong; never as if it ran."""
        decision = self._decision
        if decision.failed and not (self._sent or self._spoken):
            lacking = "answer was given" if decision.reason == "forbidden" else "tool call was made"
            raise ProtocolBroken(f"no valid {lacking}: {decision.fault}")
        out = self._flush(apart=self._spoken)
        if decision.failed:
            words = HONEST_END.format(fault=decision.fault.rstrip("."))
            out += self._say([f"\n\n{words}"])
        return [*out, finish]

    def _flush(self, *, apart: bool = False) -> list[Event | Again]:
        """Send the prose that was held back."""
        held, self._held = self._held, []
        rest = [] if self._calls else self._seam.close()
        text = "".join((*held, *rest))
        if not text.strip():
            return self._say([text]) if text and self._sent else []
        return self._say([f"\n\n{text.lstrip()}" if apart else text])

    def _drop_held(self, what: str) -> None:
        gone = "".join(self._held).strip()
        self._held = []
        if gone:
            self._dropped.append(f"{len(gone)} characters: {what}")

    def _say(self, texts: list[str]) -> list[Event | Again]:
        text = "".join(texts)
        if not text:
            return []
        self._sent = True
        return [TextDelta(text=text)]

    def _id(self) -> str:
        """Make an id that no call of the history has."""
        number = self._calls
        while (
            id := f"call_{self._plan.nonce}_{len(self._plan.taken) + number}"
        ) in self._plan.taken:
            number += 1
        return id
