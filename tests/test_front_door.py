"""What `import majordomo` offers."""

import pytest

import majordomo
from majordomo import contract
from majordomo.testing.server import DialectServer


def test_the_whole_contract_is_at_the_front_door() -> None:
    assert set(contract.__all__) < set(majordomo.__all__)
    assert set(dir(majordomo)) == set(majordomo.__all__)


@pytest.mark.parametrize("name", majordomo.__all__)
def test_every_name_is_there(name: str) -> None:
    assert getattr(majordomo, name) is not None


def test_another_name_is_not() -> None:
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = majordomo.nothing  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType, reportUnknownVariableType] -- that is the test


def test_two_lines_are_enough() -> None:
    reply = majordomo.Response(parts=(majordomo.Text(text="Hello!"),), finish_reason="stop")
    with DialectServer.in_thread("openai_chat", [reply]) as server:
        up = f"openai+{server.url}/v1"
        response = majordomo.model("up/m", providers={"up": up}).sync.generate("Hi")
    assert (response.text, response.model) == ("Hello!", "up/m")


def test_a_model_with_tools_of_its_own_may_be_asked_to_use_its_text() -> None:
    chain = majordomo.emulated(majordomo.model("openai/gpt-5-mini, anthropic/claude-opus-5"))
    assert {target.capabilities.tools for target in chain.targets} == {"emulated"}
