"""What is worked out of tools is kept by what they say, and by nothing else."""

from datetime import UTC, datetime
from typing import Any

from majordomo.contract import JsonObject, Tool
from majordomo.fit.actions.kit import kit_of


def _tool(kind: str = "string", **more: Any) -> Tool:
    parameters: JsonObject = {
        "type": "object",
        "properties": {"path": {"type": kind, **more}},
        "required": ["path"],
    }
    return Tool(name="read", description="Read it.", parameters=parameters)


def test_tools_that_say_the_same_share_a_kit() -> None:
    assert kit_of([_tool()]) is kit_of((_tool(),))
    assert kit_of([_tool()]) is not kit_of([_tool("integer")])
    assert kit_of([_tool()]) is not kit_of([_tool(description="Which.")])


def test_a_kit_stays_what_it_is_when_its_maker_changes_the_schema() -> None:
    mine = _tool(title="mine")
    kit = kit_of([mine])
    mine.parameters["properties"] = {"changed": {"type": "integer"}}
    assert kit.signatures(600) == "// Read it.\nread({\n  path: string\n})"
    assert kit.sample("read") == '{"path":"…"}'
    assert kit_of([_tool(title="mine")]) is kit
    assert kit_of([mine]) is not kit


def test_tools_that_are_no_json_have_a_kit_of_their_own() -> None:
    odd = _tool(default=datetime.now(UTC), enum=["a"])
    assert kit_of([odd]).sample("read") == '{"path":"a"}'


def test_a_schema_nested_too_deeply_for_a_key_still_has_its_kit() -> None:
    deep: JsonObject = {"type": "string"}
    for _ in range(5000):
        deep = {"type": "array", "items": deep}
    tool = Tool(name="read", parameters={"type": "object", "properties": {"path": deep}})
    assert kit_of([tool]).signatures(600).startswith("read({")


def test_tools_of_a_megabyte_are_not_kept() -> None:
    tool = Tool(name="read", description="x" * 1_000_000)
    assert kit_of([tool]) is not kit_of([tool])
    assert kit_of([tool]).signatures(600).endswith("read({})")
