"""A request that needs nothing is known at a glance, and the glance is never wrong."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from majordomo.contract import (
    NONE,
    Artefact,
    Capabilities,
    DialectName,
    Image,
    Message,
    Request,
    Text,
    Thinking,
    Tool,
    assistant,
    system,
    user,
)
from majordomo.fit import Fitted, fit
from majordomo.fit.plain import needs_nothing
from support.requests import capabilities, dialects, requests

HI = Request(messages=(user("Hi"),))
TALK = Request(messages=(user("Hi"), assistant("Hello!"), user("Who are you?")), system="Be brief.")
ALL = Capabilities()
MARK = Artefact(dialect="anthropic", value={"cache_control": {"type": "ephemeral"}})
PIXEL = Image(data=b"x", mime="image/png")

texts = st.sampled_from(["Hi", "\u00e9t\u00e9", " led by a space", "", "\n"])
parts = st.one_of(
    st.builds(Text, text=texts),
    st.builds(Text, text=texts, artefact=st.sampled_from([None, MARK])),
    st.builds(Thinking, text=texts),
)
roles = st.sampled_from(["user", "user", "user", "assistant", "assistant", "system", "tool"])
words = st.one_of(st.lists(st.builds(Text, text=st.just("Hi")), min_size=1), st.lists(parts))
messages = st.builds(Message, role=roles, parts=words.map(tuple))
plain_requests = st.builds(
    Request,
    messages=st.lists(messages, max_size=4).map(tuple),
    system=st.sampled_from(["", "Be brief."]),
    max_tokens=st.sampled_from([None, None, 10, 10**6]),
    temperature=st.sampled_from([None, None, 0.0, 0.7, 1.5, 9.0]),
    top_p=st.sampled_from([None, None, None, 0.5]),
    stop=st.sampled_from([(), (), (), ("END",)]),
    extra=st.sampled_from([{}, {}, {}, {"gemini": {"x": 1}}]),
)


@settings(max_examples=400)
@given(plain_requests | requests, capabilities | st.just(ALL), dialects)
def test_what_needs_nothing_is_left_as_it_is_by_every_step(
    request: Request, limits: Capabilities, dialect: DialectName
) -> None:
    if needs_nothing(request, limits, dialect):
        fitted = fit(request, limits, dialect=dialect)
        assert fitted == Fitted(request=request)
        assert fitted.request is request


# What most programs send: looking closer at these would be a waste.
FINE: dict[str, Request] = {
    "a word": HI,
    "a conversation": TALK,
    "a limit": replace(HI, max_tokens=100),
    "warm": replace(HI, temperature=0.7),
    "two parts": Request(messages=(user("Hi", "there"),)),
}


@pytest.mark.parametrize("dialect", ["openai_chat", "openai_responses", "anthropic", "ollama"])
@pytest.mark.parametrize("request_", FINE.values(), ids=FINE.keys())
def test_nearly_every_chat_needs_nothing(request_: Request, dialect: DialectName) -> None:
    assert needs_nothing(request_, ALL, dialect)


LOOKED_AT: dict[str, tuple[Request, Capabilities]] = {
    "tools": (replace(HI, tools=(Tool(name="f"),)), ALL),
    "a choice of none": (replace(HI, tool_choice=NONE), ALL),
    "a schema": (replace(HI, schema={}), ALL),
    "a field of one dialect": (replace(HI, extra={"gemini": {"x": 1}}), ALL),
    "a knob": (replace(HI, top_k=3), ALL),
    "too hot": (replace(HI, temperature=1.5), ALL),
    "heat for one that thinks": (
        replace(HI, temperature=0.5),
        Capabilities(thinks=True, sampling_with_thinking=False),
    ),
    "more than it writes": (replace(HI, max_tokens=101), Capabilities(max_output=100)),
    "a system prompt where there is none": (TALK, Capabilities(system="none")),
    "a system message": (
        Request(messages=(system("Be brief."), *HI.messages)),
        Capabilities(system="first"),
    ),
    "the model speaks first": (Request(messages=(assistant("Hi"), *HI.messages)), ALL),
    "the model speaks last": (Request(messages=(*HI.messages, assistant("Hi"))), ALL),
    "two in a row": (Request(messages=HI.messages * 2), Capabilities(alternate=True)),
    "nobody speaks": (Request(messages=()), ALL),
    "nothing is said": (Request(messages=(user(""),)), ALL),
    "an empty message": (Request(messages=(replace(HI.messages[0], parts=()),)), ALL),
    "a picture": (Request(messages=(user("Look", PIXEL),)), ALL),
    "a mark": (Request(messages=(user(Text(text="Hi", artefact=MARK)),)), ALL),
    "a marked message": (Request(messages=(replace(HI.messages[0], artefact=MARK),)), ALL),
}


@pytest.mark.parametrize(("request_", "limits"), LOOKED_AT.values(), ids=LOOKED_AT.keys())
def test_whatever_may_need_a_step_is_looked_at(request_: Request, limits: Capabilities) -> None:
    assert not needs_nothing(request_, limits, "anthropic")
