"""The prompt contract: complete, cheap, stable over turns, and changed only on purpose."""

import re
from hashlib import sha256
from pathlib import Path

import msgspec
import pytest
from msgspec import Struct

from majordomo.contract import JsonObject, Request, Tool, ToolChoice, assistant, named, user
from majordomo.fit.actions import parse, shim, wording
from majordomo.fit.actions.signature import signature, signatures
from support.action_script import CHAT, READ, TOOLS, Turn

_TOKEN = re.compile(r"[A-Za-z]+|\d{1,3}|\s+|[^\sA-Za-z\d]")

# Changing the words changes every model behind the emulation: raise VERSION, then this.
DIGESTS = {1: "98132d8c9c0716dc"}


class Defined(Struct, frozen=True):
    name: str
    description: str
    input_schema: JsonObject


def tokens(text: str) -> int:
    """Estimate: a word of six letters, three digits, a mark or a line's indent is a token each."""
    return sum(
        -(-len(piece) // 6) if piece.isalpha() else piece != " " for piece in _TOKEN.findall(text)
    )


def test_claude_codes_tools_cost_at_most_60_percent_of_their_json_schema() -> None:
    body = (Path(__file__).parent / "claude_code_tools.json").read_bytes()
    defined = msgspec.json.decode(body, type=list[Defined])
    native = msgspec.json.encode(defined).decode()
    tools = [
        Tool(name=tool.name, description=tool.description, parameters=tool.input_schema)
        for tool in defined
    ]
    assert len(tools) == 25
    assert tokens(signatures(tools)) <= 0.6 * tokens(native)


def test_the_words_change_only_with_their_version() -> None:
    words = {name: value for name, value in vars(wording).items() if name.isupper()}
    digest = sha256(repr(sorted(words.items())).encode()).hexdigest()[:16]
    assert DIGESTS[wording.VERSION] == digest


@pytest.mark.parametrize(
    ("held", "written"),
    [
        ({"type": "array", "items": {"$ref": "#/$defs/X"}}, "any[][][]"),
        ({"anyOf": [{"$ref": "#/$defs/X"}]}, "any"),
        ({"allOf": [{"$ref": "#/$defs/X"}]}, "any"),
    ],
    ids=["list", "union", "part"],
)
def test_a_schema_that_holds_itself_is_written_to_an_end(held: JsonObject, written: str) -> None:
    parameters: JsonObject = {
        "type": "object",
        "properties": {"x": {"$ref": "#/$defs/X"}},
        "$defs": {"X": held},
    }
    assert signature(Tool(name="f", parameters=parameters)) == f"f({{\n  x?: {written}\n}})"


def test_a_signature_says_what_the_schema_says() -> None:
    tool = Tool(
        name="search",
        description="Find things.\nFast.",
        parameters={
            "type": "object",
            "properties": {
                "query": {"type": "string", "description": "What to find.", "minLength": 2},
                "mode": {"enum": ["fast", "deep"], "default": "fast"},
                "limit": {"type": ["integer", "null"], "maximum": 50},
                "tags": {"type": "array", "items": {"type": "string"}},
                "where": {"$ref": "#/$defs/place"},
                "extra": {"type": "object", "additionalProperties": {"type": "number"}},
            },
            "required": ["query"],
            "$defs": {"place": {"type": "object", "properties": {"city": {"type": "string"}}}},
        },
    )
    assert signature(tool) == (
        "// Find things.\n// Fast.\n"
        "search({\n"
        "  query: string // What to find.; at least 2 characters\n"
        '  mode?: "fast" | "deep" // default "fast"\n'
        "  limit?: int | null // ≤50\n"
        "  tags?: string[]\n"
        "  where?: {\n    city?: string\n  }\n"
        "  extra?: {[key]: number}\n"
        "})"
    )


def test_the_example_in_the_prompt_never_parses_as_a_call() -> None:
    system = Turn(Request(messages=(user("hi"),), tools=TOOLS)).asked[0].system
    _, calls, _ = parse(system, TOOLS)
    assert calls == ()


def test_the_contract_follows_the_callers_own_system_prompt() -> None:
    request = Request(system="You are terse.", messages=(user("hi"),), tools=TOOLS)
    lowered = shim(request, CHAT).lower(request)
    assert lowered.system.startswith("You are terse.\n\n# Tools")
    assert (lowered.tools, lowered.tool_choice) == ((), ToolChoice())


def test_the_beginning_of_the_prompt_stays_the_same_over_turns() -> None:
    first = Request(messages=(user("hi"),), tools=TOOLS)
    later = Request(messages=(*first.messages, assistant("yes?"), user("go on")), tools=TOOLS)
    assert shim(first, CHAT).lower(first).system == shim(later, CHAT).lower(later).system


def test_two_conversations_have_different_marks() -> None:
    marks = {shim(Request(messages=(user(t),), tools=TOOLS), CHAT).plan.nonce for t in "ab"}
    assert len(marks) == 2


def test_a_long_history_brings_a_reminder_and_a_short_one_does_not() -> None:
    short = Turn(Request(messages=(user("hi"),), tools=TOOLS)).asked[0]
    long = Turn(Request(messages=(user("x" * 30_000),), tools=TOOLS)).asked[0]
    assert "[Reminder:" not in short.messages[-1].text
    assert "Tools: Read, Bash.]" in long.messages[-1].text


@pytest.mark.parametrize(
    ("choice", "words"),
    [
        (ToolChoice(), "If no tool fits"),
        (named("Read"), "that calls Read"),
        (ToolChoice(allowed=("Bash",)), "Only these tools may be used now: Bash."),
        (ToolChoice(parallel=False), "At most one action block"),
    ],
)
def test_every_choice_is_written_down(choice: ToolChoice, words: str) -> None:
    request = Request(messages=(user("hi"),), tools=TOOLS, tool_choice=choice)
    assert words in shim(request, CHAT).lower(request).system


def test_a_hosted_tool_is_left_out_and_noted() -> None:
    hosted = Tool(name="web_search", hosted=True)
    made = shim(Request(messages=(user("hi"),), tools=(READ, hosted)), CHAT)
    assert [tool.name for tool in made.plan.tools] == ["Read"]
    assert [note.what for note in made.notes] == ["tools.web_search"]
