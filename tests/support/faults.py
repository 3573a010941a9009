"""The sixteen faults, row by row."""

from majordomo.contract import (
    ContentFiltered,
    ContextTooLong,
    Event,
    Finish,
    InvalidRequest,
    Overloaded,
    RateLimited,
    Start,
    TextDelta,
    Usage,
)
from majordomo.testing import Cut, Delay, Garbage, Head, Item, Reset, Stall, Turn

from .fault_wall import Fault, Run, Stage, within

WORDS = [f"word{number} " for number in range(60)]
TEXT = "".join(WORDS)
PRIMARY_TOKENS, FALLBACK_TOKENS = 60, 61
PAUSE = Delay(0.03)  # so that what was said before does not arrive in one read with the fault
REASON = "blocked by our content management policy"


def says(words: list[str]) -> list[Event]:
    return [TextDelta(text=word) for word in words]


def _reply(tokens: int) -> list[Item]:
    finish = Finish(reason="stop", usage=Usage(input=9, output=tokens))
    return [Start(model="m"), *says(WORDS), finish]


def healthy(_: Stage) -> Turn:
    return _reply(FALLBACK_TOKENS)


def well(_: Stage) -> Turn:
    return _reply(PRIMARY_TOKENS)


def _limited_once(stage: Stage) -> Turn:
    if stage.count == 1:
        return RateLimited("slow down", status=429, retry_after=2.0 * stage.scale)
    return well(stage)


def _failing_once(stage: Stage) -> Turn:
    return Overloaded("hiccup", status=500) if stage.count == 1 else well(stage)


def _late(stage: Stage) -> Turn:
    return [Head(), Delay(20.0 * stage.scale), *_reply(PRIMARY_TOKENS)]


def _cut(_: Stage) -> Turn:
    return [Start(model="m"), *says(WORDS[:40]), PAUSE, Cut()]


def _stalling(_: Stage) -> Turn:
    return [Start(model="m"), *says(WORDS[:20]), Stall()]


def _noise(_: Stage) -> Turn:
    return [Start(model="m"), *says(WORDS[:30]), PAUSE, Garbage(), *_reply(PRIMARY_TOKENS)[31:]]


def _lost_word(_: Stage) -> Turn:
    return [Start(model="m"), *says(WORDS[:30]), PAUSE, Garbage(), *_reply(PRIMARY_TOKENS)[32:]]


def _no_done(_: Stage) -> Turn:
    """Everything a stream needs but its last line."""
    head = b'data: {"id":"x","object":"chat.completion.chunk","created":1,"model":"m","choices":['
    deltas = [
        b'%b{"index":0,"delta":{"content":"%b"},"finish_reason":null}]}\n\n' % (head, word.encode())
        for word in WORDS
    ]
    finish = head + b'{"index":0,"delta":{},"finish_reason":"stop"}]}\n\n'
    usage = head + b'],"usage":{"prompt_tokens":9,"completion_tokens":60,"total_tokens":69}}\n\n'
    return [*deltas, finish, usage]


def _refuses_prefill(stage: Stage) -> Turn:
    if stage.ask.request.messages[-1].role == "assistant":
        return InvalidRequest("this model does not go on from an assistant turn", status=400)
    return healthy(stage)


def _down_for_a_minute(stage: Stage) -> Turn:
    return Overloaded("down", status=503) if stage.now < 60.0 else well(stage)


def _once_each(run: Run) -> bool:
    return len(run.primary) == 1 and len(run.fallback) <= 1


def _back_in_time(run: Run) -> bool:
    return any("primary" in a.model and 60.0 <= a.began <= 90.0 for a in run.answers)


def _disciplined(run: Run) -> bool:
    """Three tries of the first request, then one probe a cooldown: 5, 10, 20, 20 seconds."""
    return len([at for at in run.primary if at < 60.0]) <= 8


FAULTS: dict[str, Fault] = {
    "429 with Retry-After, then healthy": Fault(
        what="waits as told, same target",
        primary=_limited_once,
        fallback=healthy,
        served="primary",
        holds={
            "two tries": lambda run: len(run.primary) == 2,
            "waited": lambda run: run.primary[-1] - run.primary[0] >= 1.9,
            "nobody else asked": lambda run: not run.fallback,
        },
    ),
    "429 for ever": Fault(
        what="bounded, no hammering",
        primary=lambda _: RateLimited("slow down", status=429),
        fallback=healthy,
        requests=3,
        holds={"at most 4 tries in 3 s": lambda run: within(run.primary, 3.0) <= 4},
    ),
    "500 once, then healthy": Fault(
        what="same target again",
        primary=_failing_once,
        fallback=healthy,
        served="primary",
        holds={"two tries": lambda run: len(run.primary) == 2},
    ),
    "503 for ever": Fault(
        what="bounded, then the fallback",
        primary=lambda _: Overloaded("down", status=503),
        fallback=healthy,
        holds={"at most 3 tries": lambda run: len(run.primary) <= 3},
    ),
    "TCP reset before headers": Fault(
        what="bounded, then the fallback",
        primary=lambda _: [Reset()],
        fallback=healthy,
        holds={"at most 3 tries": lambda run: len(run.primary) <= 3},
    ),
    "no answer at all": Fault(
        what="one attempt, not three",
        primary=lambda _: [Stall()],
        fallback=healthy,
        holds={
            "one try each": _once_each,
            "inside 15 s": lambda run: run.answer.seconds < 15.0,
        },
    ),
    "first token after 20 s": Fault(
        what="answered by the fallback inside 15 s",
        primary=_late,
        fallback=healthy,
        holds={
            "one try each": _once_each,
            "inside 15 s": lambda run: run.answer.seconds < 15.0,
        },
    ),
    "stream cut after 40 of 60 tokens": Fault(
        what="complete answer", primary=_cut, fallback=healthy, holds={"one try each": _once_each}
    ),
    "stream stalls after 20 tokens": Fault(
        what="bounded, complete answer",
        primary=_stalling,
        fallback=healthy,
        holds={
            "one try each": _once_each,
            "inside 45 s": lambda run: run.answer.seconds < 45.0,
        },
    ),
    "unreadable event that was noise": Fault(
        what="no word lost, none doubled",
        primary=_noise,
        fallback=healthy,
        holds={"one try each": _once_each},
    ),
    "unreadable event that was text": Fault(
        what="no word lost, none doubled",
        primary=_lost_word,
        fallback=healthy,
        holds={"one try each": _once_each},
    ),
    "stream ends without [DONE]": Fault(
        what="finalised promptly, usage reported",
        primary=_no_done,
        fallback=healthy,
        served="primary",
        holds={
            "usage": lambda run: run.answer.output == PRIMARY_TOKENS,
            "promptly": lambda run: run.answer.seconds < 5.0,
            "one try": lambda run: len(run.primary) == 1 and not run.fallback,
        },
    ),
    "context length exceeded": Fault(
        what="never resent unchanged, next target",
        primary=lambda _: ContextTooLong("maximum context length is 8 tokens", status=400),
        fallback=healthy,
        holds={"one try each": _once_each},
    ),
    "content filter": Fault(
        what="clean error with the provider's reason, not retried",
        primary=lambda _: ContentFiltered(REASON, status=400, code="content_filter"),
        fallback=healthy,
        served="nobody",
        holds={
            "the reason is given": lambda run: REASON in run.answer.error,
            "asked once": lambda run: len(run.primary) == 1 and not run.fallback,
        },
    ),
    "cut, and the fallback refuses prefill": Fault(
        what="complete answer, the 400 never surfaces",
        primary=_cut,
        fallback=_refuses_prefill,
    ),
    "primary down for 60 s": Fault(
        what="all served, primary back within 30 s, probes disciplined",
        primary=_down_for_a_minute,
        fallback=healthy,
        served="primary",
        requests=24,
        every=4.0,
        holds={"primary back in time": _back_in_time, "disciplined probes": _disciplined},
    ),
    "fail-over accounting": Fault(
        what="model and usage are the fallback's",
        primary=lambda _: Overloaded("down", status=500),
        fallback=healthy,
        holds={"usage of the fallback": lambda run: run.answer.output == FALLBACK_TOKENS},
    ),
}
