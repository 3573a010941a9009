"""A real model behind each of the five doors, asked by the official SDKs."""

import pytest

from support.real_doors import DOORS, MOST, SdkDoor

QUESTION = "Say hello to the world."

# The client inherits from aiohttp's session, which aiohttp discourages.
pytestmark = pytest.mark.filterwarnings(
    "ignore:Inheritance class AiohttpClientSession:DeprecationWarning"
)


@pytest.mark.parametrize("door", DOORS.values(), ids=DOORS)
def test_a_real_model_answers_through_every_door(real_gateway: str, door: SdkDoor) -> None:
    said = door.ask(real_gateway, QUESTION)
    assert said.text.strip()
    assert 0 < said.output <= MOST


@pytest.mark.parametrize("door", DOORS.values(), ids=DOORS)
def test_a_real_model_streams_through_every_door(real_gateway: str, door: SdkDoor) -> None:
    said = door.stream(real_gateway, QUESTION)
    assert len(said.pieces) > 1, "the words came in pieces"
    assert said.text.strip()
    assert 0 < said.output <= MOST


@pytest.mark.full
def test_the_same_question_is_the_same_prompt_through_every_door(real_gateway: str) -> None:
    """Any word more or less, any turn lost or doubled, would show in the model's own count."""
    counts = {name: door.ask(real_gateway, QUESTION).input for name, door in DOORS.items()}
    assert len(set(counts.values())) == 1, counts


@pytest.mark.parametrize("door", DOORS.values(), ids=DOORS)
def test_a_question_is_counted_through_every_door(real_gateway: str, door: SdkDoor) -> None:
    short, long = (door.count(real_gateway, QUESTION * times) for times in (1, 10))
    assert 0 < short < long
