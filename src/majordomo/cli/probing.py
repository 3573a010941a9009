"""Asking one endpoint all the questions, and reading DSN options out of the answers."""

import asyncio
from typing import Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from majordomo.config.dsn import parse_dsn
from majordomo.contract import (
    Capabilities,
    DialectName,
    DocumentLimits,
    Failure,
    ImageLimits,
    InvalidRequest,
    PassingFailure,
    ProtocolBroken,
    Unsupported,
)
from majordomo.dialects.dialect import Wire
from majordomo.engine.model import TargetModel
from majordomo.engine.outside import Outside
from majordomo.engine.target import Target

from .question import QUESTIONS, Question

Verdict: TypeAlias = Literal["yes", "no", "unclear"]
Field: TypeAlias = Literal["max_tokens", "max_completion_tokens"]

# Take everything at its word, so that it is the endpoint that refuses and not we.
_EVERYTHING = Capabilities(
    images=ImageLimits(), documents=DocumentLimits(), prefill=True, result_media=True
)
_AT_ONCE = 4


class Answer(Struct, frozen=True, kw_only=True, omit_defaults=True):
    name: str
    verdict: Verdict
    said: str = ""


async def probe(target: Target, outside: Outside) -> tuple[Target, tuple[Answer, ...]]:
    """Ask everything; a target that cannot even say hello raises why."""
    target = await _greeted(target, outside)
    gate = asyncio.Semaphore(_AT_ONCE)

    async def asked(question: Question) -> Answer:
        async with gate:
            return await _asked(question, target, outside)

    return target, tuple(await asyncio.gather(*(asked(question) for question in QUESTIONS)))


async def _greeted(target: Target, outside: Outside) -> Target:
    """Say hello, streamed and not; where one of our words is the problem, use the other one."""
    if target.provider.dialect != "openai_chat":
        await _model(target, outside).generate("Say hello.", max_tokens=64)
        return target
    wire = target.provider.wire
    old_words = wire.max_tokens_field == "max_tokens"
    field: Field = "max_completion_tokens" if old_words else "max_tokens"
    other = replace(wire, max_tokens_field=field)
    target = await _takes(target, other, outside, streaming=False) or target
    other = replace(target.provider.wire, stream_usage=False)
    try:
        return await _takes(target, other, outside, streaming=True) or target
    except Failure:
        return target  # it does not stream at all; the questions will say so


async def _takes(
    target: Target, other: Wire, outside: Outside, *, streaming: bool
) -> Target | None:
    """Give the target with other words if it takes them and not its own."""
    try:
        await _model(target, outside, streaming=streaming).generate("Say hello.", max_tokens=64)
    except (InvalidRequest, Unsupported):
        second = replace(target, provider=replace(target.provider, wire=other))
        await _model(second, outside, streaming=streaming).generate("Say hello.", max_tokens=64)
        return second
    return None


async def _asked(question: Question, target: Target, outside: Outside) -> Answer:
    model = _model(target, outside, streaming=question.streaming)
    try:
        response = await model.generate(question.prompt, **question.options)
    except PassingFailure as failure:
        # Some servers answer 500 to what they do not know; others are only tired.
        verdict: Verdict = "no" if failure.status == 500 else "unclear"
        return Answer(name=question.name, verdict=verdict, said=_brief(failure))
    except Failure as failure:
        verdict = "no" if isinstance(failure, _REFUSALS) else "unclear"
        return Answer(name=question.name, verdict=verdict, said=_brief(failure))
    shown = question.shows(response)
    if shown:
        return Answer(name=question.name, verdict="yes", said=shown)
    return Answer(name=question.name, verdict="no", said="accepted, but not done")


_REFUSALS = (InvalidRequest, Unsupported, ProtocolBroken)


def _model(target: Target, outside: Outside, *, streaming: bool = False) -> TargetModel:
    everything = replace(_EVERYTHING, streaming=streaming)
    return TargetModel(replace(target, capabilities=everything), outside)


def _brief(failure: Failure) -> str:
    words = " ".join(failure.message.split())
    status = f"{failure.status}: " if failure.status else ""
    return status + (words if len(words) < 100 else words[:99] + "…")


def options(answers: tuple[Answer, ...], target: Target, assumed: Target) -> dict[str, str]:
    """Say what was found as DSN options: only what differs from what is assumed."""
    found: dict[str, Verdict] = {answer.name: answer.verdict for answer in answers}
    known = target.capabilities
    wanted = {
        "tools": ("native" if found["tools"] == "yes" else "emulated", known.tools),
        "structured": (_structured(found), known.structured),
        "json_mode": _switch(found, "JSON mode", known=known.json_mode),
        "streaming": _switch(found, "streaming", known=known.streaming),
        "parallel": _switch(found, "one call at a time", known=known.parallel_control),
        "images": _switch(found, "images", known=known.images is not None),
        "prefill": _switch(found, "prefill", known=known.prefill),
    }
    changed = {name: new for name, (new, old) in wanted.items() if new != old}
    if found["tools"] != "yes":
        changed.pop("parallel", None)  # emulation keeps its own count
    refused = [name for name in _KNOBS if found.get(_KNOBS[name]) == "no"]
    dropped = [name for name in refused if name in known.knobs]
    if dropped:
        changed["without"] = ",".join(dropped)
    return changed | _wire_options(target.provider.wire, assumed.provider.wire)


_KNOBS = {
    "temperature": "temperature",
    "top_p": "top_p",
    "seed": "seed",
    "stop": "stop",
    "reasoning_effort": "thinking",
}


def _wire_options(wire: Wire, assumed: Wire) -> dict[str, str]:
    changed: dict[str, str] = {}
    if wire.max_tokens_field != assumed.max_tokens_field:
        changed["max_tokens_field"] = wire.max_tokens_field
    if wire.stream_usage != assumed.stream_usage:
        changed["stream_usage"] = "off"
    return changed


def _structured(found: dict[str, Verdict]) -> str:
    if found["structured output"] == "yes":
        return "native"
    return "tool" if found["tool_choice required"] == "yes" else "prompt"


def _switch(found: dict[str, Verdict], name: str, *, known: bool) -> tuple[str, str]:
    words = {True: "on", False: "off"}
    if found[name] == "unclear":
        return words[known], words[known]
    return words[found[name] == "yes"], words[known]


def has_dsn(target: Target) -> bool:
    """The embedded model has no address that could be written down."""
    return target.provider.base_url.startswith("http")


def bare(target: Target) -> tuple[Target, Target]:
    """Give the target, and what is assumed of it, as if its DSN had no options."""
    if not has_dsn(target):
        return target, target
    configured = parse_dsn(target.provider.name, dsn(target, {}))
    capabilities = configured.capabilities(target.model)
    assumed = Target(provider=configured.provider, model=target.model, capabilities=capabilities)
    return replace(target, capabilities=capabilities), assumed


_SCHEMES: dict[DialectName, str] = {
    "openai_chat": "openai",
    "openai_responses": "openai-responses",
    "anthropic": "anthropic",
    "ollama": "ollama",
    "gemini": "gemini",
}


def dsn(target: Target, changed: dict[str, str]) -> str:
    """Write the provider as a DSN with these options; its key is not shown."""
    provider = target.provider
    scheme, _, rest = provider.base_url.partition("://")
    plain = "+http" if scheme == "http" else ""
    key = "KEY@" if provider.key or (provider.key_env and provider.key_required) else ""
    query = "&".join(f"{name}={value}" for name, value in changed.items())
    return f"{_SCHEMES[provider.dialect]}{plain}://{key}{rest}{'?' * bool(query)}{query}"
