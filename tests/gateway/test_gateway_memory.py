"""A history behind an id is given whole, or said to be gone."""

import pytest

from majordomo.contract import InvalidRequest, Json, JsonObject
from majordomo.dialects.json import write
from majordomo.gateway.memory import Memory


def said(id: str, text: str) -> JsonObject:
    return {"type": "message", "id": id, "role": "assistant", "content": text}


def asked(text: str) -> JsonObject:
    return {"role": "user", "content": text}


def keep(memory: Memory, id: str, previous: str, *turn: Json, answer: JsonObject) -> None:
    response = write({"id": id, "output": [answer]})
    memory.keep(id, previous=previous, input=list(turn), response=response)


@pytest.fixture
def memory() -> Memory:
    memory = Memory(most=3, most_bytes=10_000)
    keep(memory, "resp_1", "", asked("one"), answer=said("msg_1", "uno"))
    keep(memory, "resp_2", "resp_1", asked("two"), answer=said("msg_2", "due"))
    return memory


def test_a_request_that_refers_to_nothing_is_left_as_it_is(memory: Memory) -> None:
    body: JsonObject = {"input": [asked("hi")]}
    assert memory.resolved(body)[0] is body


def test_the_whole_history_stands_before_the_new_turn(memory: Memory) -> None:
    body, own = memory.resolved({"previous_response_id": "resp_2", "input": "three"})
    assert own == [asked("three")]
    assert body == {
        "input": [
            asked("one"),
            said("msg_1", "uno"),
            asked("two"),
            said("msg_2", "due"),
            asked("three"),
        ]
    }


def test_a_referenced_item_is_put_in_its_place(memory: Memory) -> None:
    body, _ = memory.resolved({"input": [{"type": "item_reference", "id": "msg_1"}, asked("x")]})
    assert body["input"] == [said("msg_1", "uno"), asked("x")]


def test_a_missing_link_is_an_error_and_never_a_shorter_history(memory: Memory) -> None:
    assert memory.forget("resp_1")
    with pytest.raises(InvalidRequest, match="'resp_1' is not remembered"):
        memory.resolved({"previous_response_id": "resp_2", "input": "three"})
    with pytest.raises(InvalidRequest, match="'msg_1' is not remembered"):
        memory.resolved({"input": [{"type": "item_reference", "id": "msg_1"}]})


def test_the_oldest_go_first(memory: Memory) -> None:
    keep(memory, "resp_3", "", asked("3"), answer=said("msg_3", "tre"))
    memory.find("resp_1")  # just used: no longer the oldest
    keep(memory, "resp_4", "", asked("4"), answer=said("msg_4", "quattro"))
    assert memory.find("resp_2") is None
    assert memory.find("resp_1") is not None


def test_bytes_are_bounded_too() -> None:
    memory = Memory(most=100, most_bytes=600)
    for number in range(10):
        keep(memory, f"resp_{number}", "", asked("x" * 100), answer=said(f"m{number}", "y" * 50))
    kept = [n for n in range(10) if memory.find(f"resp_{n}") is not None]
    assert kept == [8, 9]
    keep(memory, "huge", "", asked("x" * 1000), answer=said("m", "y"))
    assert memory.find("huge") is None
