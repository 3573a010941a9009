"""Every attempt is fitted to its own target; a reply that will not do is asked for again."""

from collections.abc import Iterable

import pytest

from majordomo.contract import (
    Capabilities,
    DialectName,
    Event,
    Exhausted,
    InvalidRequest,
    Malformed,
    Note,
    Request,
    TextDelta,
    user,
)
from majordomo.fit.shim import Again, Fitted
from support.chains import chained, reply

pytestmark = [pytest.mark.anyio, pytest.mark.usefixtures("pace")]

STRICTER = Request(messages=(user("Once more: in capitals."),))


class Capitals:
    """A lift that wants capitals and holds everything until it has seen them."""

    def __init__(self) -> None:
        self._held: list[Event] = []

    def feed(self, event: Event) -> Iterable[Event | Again]:
        self._held.append(event)
        return ()

    def close(self) -> Iterable[Event | Again]:
        text = "".join(event.text for event in self._held if isinstance(event, TextDelta))
        if text != text.upper():
            return [Again(request=STRICTER, reason="not in capitals")]
        return self._held


def fit(
    request: Request, capabilities: Capabilities, *, dialect: DialectName, target: str = ""
) -> Fitted:
    del capabilities, dialect
    note = Note(kind="emulated", what="capitals", why="by asking for them", target=target)
    return Fitted(request=request, notes=(note,), lift=Capitals)


async def test_notes_come_with_the_attempt_and_the_response() -> None:
    async with chained(["HELLO"], fit=fit) as rig:
        response = await rig.chain.generate("Hi")
    assert [(note.what, note.target) for note in response.notes] == [("capitals", "a/x")]
    assert response.attempts[0].notes == response.notes


async def test_a_reply_that_will_not_do_is_asked_for_again() -> None:
    async with chained(["hello", "HELLO"], [], fit=fit) as rig:
        response = await rig.chain.generate("Hi")
    second = rig.servers[0].requests[1].ask
    assert second is not None
    assert second.request.messages == STRICTER.messages
    assert response.text == "HELLO"
    assert response.notes[-1] == Note(
        kind="retried", what="reply", why="not in capitals", target="a/x"
    )
    assert [a.target for a in response.attempts] == ["a/x", "a/x"]


async def test_asking_again_is_bounded() -> None:
    async with chained(["hello"] * 3, ["HELLO"], fit=fit) as rig:
        response = await rig.chain.generate("Hi")
    assert (response.text, response.model) == ("HELLO", "b/x")
    assert rig.asked == [3, 1]


async def test_when_nobody_will_do_the_reason_is_said() -> None:
    async with chained(["hello"] * 3, fit=fit) as rig:
        with pytest.raises(Exhausted, match="not in capitals"):
            await rig.chain.generate("Hi")


async def test_a_mistake_in_fitting_is_not_mistaken_for_the_targets() -> None:
    def broken(
        request: Request, capabilities: Capabilities, *, dialect: DialectName, target: str = ""
    ) -> Fitted:
        del request, capabilities, dialect, target
        raise ZeroDivisionError

    async with chained([], [reply("never")], fit=broken) as rig:
        with pytest.raises(ZeroDivisionError):
            await rig.chain.generate("Hi")


async def test_a_request_that_makes_no_sense_is_the_callers_error() -> None:
    def refusing(
        request: Request, capabilities: Capabilities, *, dialect: DialectName, target: str = ""
    ) -> Fitted:
        del request, capabilities, dialect, target
        raise Malformed("messages[0]", "is empty")

    async with chained([], [], fit=refusing) as rig:
        with pytest.raises(InvalidRequest, match=r"messages\[0\] is empty"):
            await rig.chain.generate("Hi")
