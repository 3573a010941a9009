"""After fit, no capability of the target is violated, whatever was asked of whomever."""

import re
from base64 import b64encode
from collections.abc import Iterator
from itertools import dropwhile, pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from majordomo.contract import (
    ALL_KNOBS,
    Capabilities,
    DialectName,
    Document,
    Event,
    Finish,
    Image,
    ImageLimits,
    InvalidRequest,
    Message,
    Opaque,
    Part,
    PartDone,
    Request,
    Response,
    Start,
    Text,
    Thinking,
    ToolCall,
    ToolResult,
    Unsupported,
    fold,
    pump,
    unfold,
)
from majordomo.fit import Again, Fitted, fit
from majordomo.fit.media.sniff import sniff
from majordomo.fit.words import WORDLESS
from support.requests import capabilities, dialects, requests
from support.subsets import CHECKS


@settings(max_examples=200)
@given(requests, capabilities, dialects)
def test_no_capability_is_violated(
    request: Request, limits: Capabilities, dialect: DialectName
) -> None:
    fitted = fitted_or_none(request, limits, dialect)
    if fitted is None:
        return
    sent = fitted.request
    assert_history(sent, limits, dialect)
    assert_turns(sent, limits, dialect)
    assert_media(sent, limits)
    assert_tools(sent, limits, dialect)
    assert_knobs(sent, limits, dialect)
    if sent.schema and limits.schema != "full":
        CHECKS[limits.schema](sent.schema)
    assert sent.schema is None or limits.json_mode or limits.structured == "native"
    assert not set(sent.extra) - {dialect, "*"}


@settings(max_examples=60)
@given(requests, capabilities, dialects)
def test_fitting_what_is_fitted_changes_nothing_more(
    request: Request, limits: Capabilities, dialect: DialectName
) -> None:
    fitted = fitted_or_none(request, limits, dialect)
    if fitted is None or request.schema is not None:  # a prompt asks once more each time
        return
    if limits.max_request_bytes is not None:  # the lines for what moved are weighed anew
        return
    assert fit(fitted.request, limits, dialect=dialect).request == fitted.request


@settings(max_examples=60)
@given(requests, capabilities, dialects)
def test_strict_loses_nothing(request: Request, limits: Capabilities, dialect: DialectName) -> None:
    try:
        fitted = fit(request, limits, dialect=dialect, strict=True)
    except (Unsupported, InvalidRequest):
        return
    assert not {note.kind for note in fitted.notes} & {"dropped", "downgraded"}
    assert fitted == fit(request, limits, dialect=dialect) or fitted.lift is not None


@settings(max_examples=60)
@given(requests, capabilities, dialects, st.data())
def test_a_call_in_the_reply_is_one_the_caller_offered(
    request: Request, limits: Capabilities, dialect: DialectName, data: st.DataObject
) -> None:
    fitted = fitted_or_none(request, limits, dialect)
    if fitted is None or not fitted.request.tools or request.schema is not None:
        return
    tool = data.draw(st.sampled_from(fitted.request.tools))
    reply = Response(
        parts=(Text(text="so"), ToolCall(id="new", name=tool.name, arguments="{}")),
        finish_reason="tool_calls",
    )
    told = fold(lifted(fitted, unfold(reply)))
    assert told.text == "so"
    assert told.finish_reason == "tool_calls"
    assert told.tool_calls[0].name in {tool.name for tool in request.tools}
    assert told.tool_calls[0].id == "new"


@given(st.lists(st.sampled_from(["a", " b", "{}"])), capabilities, dialects)
def test_plain_text_means_the_same_to_the_caller(
    words: list[str], limits: Capabilities, dialect: DialectName
) -> None:
    fitted = fit(Request(messages=(Message(role="user", parts=(Text(text="q"),)),)), limits,
                 dialect=dialect)  # fmt: skip
    reply = Response(parts=tuple(Text(text=word) for word in words), finish_reason="stop")
    told = fold(lifted(fitted, unfold(reply)))
    assert told == reply


def fitted_or_none(request: Request, limits: Capabilities, dialect: DialectName) -> Fitted | None:
    try:
        return fit(request, limits, dialect=dialect)
    except (Unsupported, InvalidRequest):  # nothing else may be raised
        return None


def lifted(fitted: Fitted, events: Iterator[Event]) -> list[Event]:
    if fitted.lift is None:
        return [*events]
    told = [*pump(fitted.lift(), events)]
    assert not any(isinstance(item, Again) for item in told)
    return [item for item in told if isinstance(item, PartDone | Finish | Start)]


def everything(request: Request) -> Iterator[tuple[Message, Part]]:
    for message in request.messages:
        for part in message.parts:
            yield message, part
            if isinstance(part, ToolResult):
                yield from ((message, item) for item in part.content)


def assert_history(request: Request, limits: Capabilities, dialect: DialectName) -> None:
    due: list[str] = []
    seen: set[str] = set()
    for message in request.messages:
        assert message.parts or (message.role == "system" and message.artefact is not None)
        if message.role == "tool":
            assert [result.id for result in message.tool_results] == due
            assert len(message.parts) == len(due)
            due = []
            continue
        assert not due, "a call without its result"
        assert not message.tool_results
        assert message.role == "assistant" or not message.tool_calls
        due = [call.id for call in message.tool_calls]
        assert seen.isdisjoint(due), "an id that repeats"
        seen.update(due)
    assert not due
    for _, part in everything(request):
        assert not isinstance(part, Text) or part.text or dialect == "gemini"
        assert not isinstance(part, Thinking) or limits.thinking
        if isinstance(part, Opaque):
            assert part.dialect == dialect
        elif part.artefact is not None:
            assert part.artefact.dialect == dialect
        if isinstance(part, ToolCall | ToolResult):
            assert limits.tools == "native"
            assert re.fullmatch(limits.call_id, part.id)


def assert_turns(request: Request, limits: Capabilities, dialect: DialectName) -> None:
    roles = [message.role for message in request.messages]
    if limits.system == "first" and dialect in {"anthropic", "gemini"}:
        assert "system" not in dropwhile(lambda role: role == "system", roles)
    else:
        assert limits.system == "anywhere" or "system" not in roles
    assert limits.system != "none" or not request.system
    assert limits.prefill or not roles or roles[-1] != "assistant"
    if limits.alternate:
        spoken = [role for role in roles if role != "system"]
        assert not spoken or spoken[0] != "assistant"
        pairs = pairwise(roles)
        assert not {("user", "user"), ("assistant", "assistant")} & set(pairs)


def assert_media(request: Request, limits: Capabilities) -> None:
    images = [part for _, part in everything(request) if isinstance(part, Image)]
    documents = [part for _, part in everything(request) if isinstance(part, Document)]
    total = 0
    for image in images:
        assert limits.images is not None
        assert_image(image, limits.images, len(images))
        total += len(b64encode(image.data))
    if images and limits.images and limits.images.max_count is not None:
        assert len(images) <= limits.images.max_count
    if documents:
        assert limits.documents is not None
        assert limits.documents.max_count is None or len(documents) <= limits.documents.max_count
    assert limits.max_request_bytes is None or total <= limits.max_request_bytes
    for message, part in everything(request):
        if isinstance(part, Image | Document) and message.role == "tool":
            assert limits.result_media


def assert_image(image: Image, limits: ImageLimits, count: int) -> None:
    found = sniff(image.data)
    assert found is not None
    assert (found.mime, image.mime in limits.mimes) == (image.mime, True)
    length = len(b64encode(image.data)) if limits.base64 else len(image.data)
    assert limits.max_bytes is None or length <= limits.max_bytes
    side = max(found.width, found.height)
    assert limits.max_side is None or side <= limits.max_side
    assert limits.max_pixels is None or found.pixels <= limits.max_pixels
    assert limits.animated or not found.animated
    if limits.crowd is not None and limits.crowd_side is not None and count > limits.crowd:
        assert side <= limits.crowd_side


def assert_tools(request: Request, limits: Capabilities, dialect: DialectName) -> None:
    choice = request.tool_choice
    names = [tool.name for tool in request.tools]
    assert not names or limits.tools == "native"
    assert choice.mode in {"auto", *limits.tool_choice}
    assert choice.mode != "named" or choice.name in names
    assert choice.mode != "required" or names
    assert set(choice.allowed) <= set(names)
    assert choice.parallel is None or limits.parallel_control or not names
    assert limits.max_tools is None or len(names) <= limits.max_tools
    for tool in request.tools:
        assert tool.artefact is None or tool.artefact.dialect == dialect
        if tool.hosted:
            continue
        assert re.fullmatch(limits.tool_name, tool.name)
        if limits.tool_schema != "full" and tool.parameters:
            CHECKS[limits.tool_schema](tool.parameters)


def assert_knobs(request: Request, limits: Capabilities, dialect: DialectName) -> None:
    for knob in ALL_KNOBS:
        if knob not in limits.knobs or knob in WORDLESS[dialect]:
            assert not getattr(request, knob) or getattr(request, knob) is None
    effort = request.reasoning_effort
    assert effort is None or effort in limits.efforts
    unset = effort is None and request.reasoning_budget is None
    if limits.thinks if unset else effort != "none" and request.reasoning_budget != 0:
        assert limits.tools_with_thinking or not request.tools
        sampling = (request.temperature, request.top_p, request.top_k)
        assert limits.sampling_with_thinking or sampling == (None, None, None)
    if request.max_tokens is not None and limits.max_output is not None:
        assert request.max_tokens <= limits.max_output
