"""How fast calls are found: plain prose, text made of false starts, a long call in tiny deltas.

    python bench/actions.py

Prints megabytes a second of processor time, and what Claude Code's tools cost in the prompt.
"""

import json
import re
import sys
import time
from pathlib import Path

from majordomo.contract import Tool
from majordomo.fit.actions import parse
from majordomo.fit.actions.finder import Finder
from majordomo.fit.actions.names import Offers
from majordomo.fit.actions.signature import signatures

MEGABYTE = 1_000_000
TOOLS = (
    Tool(
        name="Read",
        parameters={
            "type": "object",
            "properties": {"file_path": {"type": "string"}},
            "required": ["file_path"],
        },
    ),
    Tool(
        name="Write",
        parameters={
            "type": "object",
            "properties": {"file_path": {"type": "string"}, "content": {"type": "string"}},
            "required": ["file_path", "content"],
        },
    ),
)
PROSE = "The quick brown fox jumps over the lazy dog; it is an answer, not a call (see above).\n"
OPEN = '```json action\n{"tool":"Write","parameters":{"file_path":"a","content":"'
FALSE_STARTS = {
    "backticks": "`",
    "fences": "```\n",
    "action fences": "```json action\n",
    "spans": "`a`",
    "braces": "{",
    "pairs of braces": "{}",
    "quotes": '"',
    "brackets": "[",
    "angles": "<",
    "names": '{"name":"',
    "calls begun": '{"tool":"Read","parameters":{"a":"',
    "objects begun": '{"tool":\n',
    "tags": "<tool_call>",
    "elements": "<function=Read><parameter=a>",
    "labels": "Action: Read\n",
    "labels without fence": "json action {\n",
    "escaped": '{\\"name\\":\\"',
    "ticks and braces": "`{",
    "everything": "`{\"<[}]>\\\n'~:,",
}
LONG_CALLS = {
    "open string": OPEN + "a" * MEGABYTE,
    "quotes in a string": OPEN + '"' * MEGABYTE,
    "numbers in a list": OPEN + '",x:[' + "1," * (MEGABYTE // 2),
    "strings in a list": OPEN + '",x:[' + '"a",' * (MEGABYTE // 4),
    "closing tags in a value": "<function=Read><parameter=a>" + "</parameter>x" * (MEGABYTE // 13),
}
_TOKEN = re.compile(r"[A-Za-z]+|\d{1,3}|\s+|[^\sA-Za-z\d]")


def tokens(text: str) -> int:
    """Estimate: a word of six letters, three digits, a mark or a line's indent is a token each."""
    return sum(
        -(-len(piece) // 6) if piece.isalpha() else piece != " " for piece in _TOKEN.findall(text)
    )


def main(only: str = "") -> None:
    rows = {"plain prose": PROSE * (4 * MEGABYTE // len(PROSE))}
    rows |= {name: text * (MEGABYTE // len(text)) for name, text in FALSE_STARTS.items()}
    rows |= LONG_CALLS
    for name, text in rows.items():
        if only in name:
            _print(name, len(text), _seconds(text, len(text)))
    if only in "prose in deltas of 20":
        _print("prose in deltas of 20", MEGABYTE, _seconds(rows["plain prose"][:MEGABYTE], 20))
    if only in "a call of 260 kB in deltas of 4":
        call = OPEN + "a line of code\\n" * 17_000 + '"}}\n```'
        _print("a call of 260 kB in deltas of 4", len(call), _seconds(call, 4))
        assert len(parse(call, TOOLS)[1]) == 1
    _print_cost()


def _seconds(text: str, size: int) -> float:
    finder = Finder(Offers(TOOLS))
    start = time.process_time()
    for at in range(0, len(text), size):
        piece = text[at : at + size]
        if not finder.passes(piece):  # as whoever lifts a reply asks first
            finder.feed(piece)
    finder.close()
    return time.process_time() - start


def _print(name: str, size: int, seconds: float) -> None:
    print(f"{name:34} {seconds:7.3f} s {size / MEGABYTE / seconds:9.1f} MB/s", flush=True)


def _print_cost() -> None:
    folder = Path(__file__).parents[1] / "tests" / "fit" / "actions"
    defined = json.loads((folder / "claude_code_tools.json").read_bytes())
    tools = [
        Tool(name=tool["name"], description=tool["description"], parameters=tool["input_schema"])
        for tool in defined
    ]
    native = tokens(json.dumps(defined, separators=(",", ":")))
    written = tokens(signatures(tools))
    print(f"Claude Code's {len(tools)} tools: {written} tokens, {written / native:.0%} of {native}")


if __name__ == "__main__":
    main(*sys.argv[1:2])
