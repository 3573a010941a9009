"""The reply of a target that was held to the schema of an action: JSON, read as the call."""

from collections.abc import Callable
from typing import assert_never

from msgspec.structs import replace

from majordomo.contract import (
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
)
from majordomo.dialects.json import write_text
from majordomo.fit.shim import Again, Lift

from .draft import Trust
from .judge import Verdict, judge_value
from .plan import Plan
from .report import ActionReport
from .retry import retry_request
from .text_value import read_text


class ConstrainedLift:
    """Holds the JSON back until it is whole: nobody wants to read it."""

    def __init__(
        self,
        plan: Plan,
        *,
        retries: int,
        follow: Callable[[Callable[[], Lift]], None],
        before: ActionReport | None = None,
    ) -> None:
        self._plan = plan
        self._retries = retries
        self._follow = follow
        self._before = before or ActionReport()
        self._again = before is not None
        self._raw: list[str] = []
        self._deltas = False
        self._verdict = Verdict(fault="the reply is empty")
        self._asked = False

    @property
    def report(self) -> ActionReport:
        return ActionReport(
            active=True,
            injected=True,
            history_found=self._plan.history_found,
            parsed=int(not self._verdict.fault),
            repaired=self._verdict.repairs,
            retried=self._before.retried + self._asked,
            why=(*self._before.why, *((self._verdict.fault,) if self._asked else ())),
            state=self._plan.state,
            synthesised=True,
        )

    @property
    def notes(self) -> tuple[Note, ...]:
        return self.report.notes()

    def feed(self, event: Event, /) -> list[Event | Again]:
        out: list[Event | Again] = []
        match event:
            case TextDelta(text=text):
                self._deltas = True
                self._raw.append(text)
            case PartDone(part=Text(text=text)):
                self._raw += [] if self._deltas else [text]
                self._deltas = False
            case Finish():
                out = self._finish(event)
            case Start() if self._again:
                pass
            case Start() | PartDone() | ThinkingDelta():
                out = [event]
            case ToolCallDelta() | ResponseDone():
                pass
            case _:
                assert_never(event)
        return out

    def close(self) -> list[Event | Again]:
        return []

    def _finish(self, finish: Finish) -> list[Event | Again]:
        raw = "".join(self._raw)
        verdicts = judge_value(read_text(raw), self._plan.offers, Trust.MARKED)
        self._verdict = verdicts[0] if verdicts else Verdict(fault="the reply is no action")
        if self._verdict.fault:
            return [self._ask(raw)]
        call = ToolCall(
            id=f"call_{self._plan.nonce}_{len(self._plan.taken) + 1}",
            name=self._verdict.name,
            arguments=write_text(self._verdict.arguments),
        )
        return [PartDone(part=call), replace(finish, reason="tool_calls")]

    def _ask(self, raw: str) -> Again:
        if self._retries <= 0:
            raise ProtocolBroken(f"no valid tool call was made: {self._verdict.fault}")
        self._asked = True
        request = retry_request(
            self._plan.request,
            reply=raw,
            reason="invalid",
            fault=self._verdict.fault,
            names=", ".join(tool.name for tool in self._plan.tools),
            example=self._plan.example,
        )
        report = self.report

        def following() -> Lift:
            return ConstrainedLift(
                self._plan, retries=self._retries - 1, follow=self._follow, before=report
            )

        self._follow(following)
        reason = f"invalid: {self._verdict.fault}"
        return Again(request=request, reason=reason, notes=self.notes)
