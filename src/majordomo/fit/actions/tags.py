# ruff: noqa: RUF001, RUF002 -- full-width punctuation is among what models write
"""The markers that open, divide and close calls in the formats models were trained on.

Hermes and Qwen `<tool_call>`, Anthropic `<invoke>`, Llama `<function=…>`, DeepSeek
`<｜tool▁calls▁begin｜>`, Kimi `<|tool_call_begin|>`, Mistral `[TOOL_CALLS]`, Cohere
`<|START_ACTION|>`, Gemma `<start_function_call>`, InternLM, LFM2, Granite, Nemotron, GLM …
One spelling is left once case, bars, underlines and namespaces are taken away.
"""

import re
from collections.abc import Collection
from typing import Literal, TypeAlias

from msgspec import Struct

Role: TypeAlias = Literal["wrapper", "element", "divider", "end", "think", "channel", ""]

_TAG = re.compile(
    r"<(?P<close>/[ ]?)?(?P<bar>[|｜]?)"
    r"(?P<name>[A-Za-z_▁][\w▁:.\-]*(?:[|｜][A-Za-z_][\w▁:.\-]*)*)(?P<tail>[|｜]?)"
    r"(?:[ ]*=[ ]*(?P<value>[^<>\n]{0,160}?)|[ \t]+(?P<rest>[^<>\n]{0,160}?))?[ ]*(?P<single>/?)>"
)
_BRACKET = re.compile(
    r"\[(?P<close>/?)(?P<name>TOOL_CALLS?|FUNCTION_CALLS?|ARGS|CALL_ID|TOOL_REQUEST|END_TOOL_REQUEST)\]"
)
_ATTRIBUTE = re.compile(
    r"(?:^|\s)(?:name|function|tool|tool_name|id)\s*=\s*[\"'“]?([^\"'“”<>]+?)[\"'”]?(?:\s|$)"
)
MAX_TAG = 240
_LONGEST_NAMESPACE = 16

WRAPPERS = frozenset(
    [
        "toolcall",
        "toolcalls",
        "functioncall",
        "functioncalls",
        "tooluse",
        "startaction",
        "toolcallstart",
        "actionstart",
        "toolcallsbegin",
        "toolcallbegin",
        "toolcallssectionbegin",
        "startfunctioncall",
        "pythontag",
        "plugin",
        "action",
        "actions",
        "call",
        "calls",
        "toolrequest",
        "useTool",
        "usetool",
        "toolcode",
        "assistanttoolcall",
    ]
)
ELEMENTS = frozenset(["function", "invoke", "tool"])
_DIVIDERS = frozenset(["toolsep", "toolcallargumentbegin", "args", "callid", "constrain"])
_ENDS = frozenset(
    [
        "endaction",
        "toolcallend",
        "toolcallsend",
        "endfunctioncall",
        "actionend",
        "toolcallssectionend",
        "endtoolrequest",
        "eom",
        "eot",
        "eomid",
        "eotid",
        "endofsentence",
        "imend",
        "endoftext",
        "endturn",
    ]
)
_THINKING = frozenset(
    ["think", "thinking", "thought", "thoughts", "reasoning", "scratchpad", "analysis"]
)


class Tag(Struct, frozen=True, kw_only=True):
    name: str  # squeezed
    written: str  # as written
    close: bool
    single: bool  # `<name/>`
    value: str  # what `=` or a name attribute says
    end: int

    @property
    def role(self) -> Role:
        if self.name in WRAPPERS:
            return "wrapper"
        if self.name in ELEMENTS:
            return "element"
        return _ROLES.get(self.name, "")


_ROLES: dict[str, Role] = {
    **dict.fromkeys(_DIVIDERS, "divider"),
    **dict.fromkeys(_ENDS, "end"),
    **dict.fromkeys(_THINKING, "think"),
    "channel": "channel",
}


def tag_at(text: str, pos: int) -> Tag | None:
    """Read the tag that stands here, whole."""
    if text.startswith("[", pos):
        found = _BRACKET.match(text, pos)
        if found is None:
            return None
        return Tag(
            name=_squeezed(found["name"]),
            written=found["name"],
            close=bool(found["close"]),
            single=False,
            value="",
            end=found.end(),
        )
    found = _TAG.match(text, pos)
    if found is None:
        return None
    written = re.split(r"[:｜|]", found["name"])[-1]
    return Tag(
        name=_squeezed(written),
        written=written,
        # `<tool_call|>` closes what `<|tool_call>` opened.
        close=bool(found["close"]) or bool(found["tail"] and not found["bar"]),
        single=bool(found["single"]),
        value=(found["value"] or "").strip().strip("\"'").strip() or _named(found["rest"] or ""),
        end=found.end(),
    )


def may_be_tag(text: str, pos: int, names: Collection[str]) -> bool:
    """Say whether what is there so far may still become a tag that matters."""
    here = text[pos : pos + MAX_TAG]
    if ">" in here or "\n" in here or len(here) >= MAX_TAG:
        return False
    if here.startswith("["):
        return any(word.startswith(here) for word in _BRACKET_WORDS)
    found = _PARTIAL.fullmatch(here)
    if found is None:
        return False
    written = re.split(r"[:｜|]", found["name"])[-1]
    start = _squeezed(written)
    if found["rest"]:
        return written in names or start in _ALL
    if written == found["name"] and len(written) <= _LONGEST_NAMESPACE:
        return True  # `<any:tool_call>`
    return any(name.startswith(written) for name in names) or any(
        word.startswith(start) for word in _ALL
    )


_PARTIAL = re.compile(
    r"<(?:/[ ]?)?[|｜]?(?P<name>[\w▁:.\-]*(?:[|｜][\w▁:.\-]*)*)(?P<rest>[|｜]?(?:[= \t/][^<>\n]*)?)"
)
_ALL = WRAPPERS | ELEMENTS | frozenset(_ROLES)
_BRACKET_WORDS = ("[TOOL_CALLS]", "[TOOL_CALL]", "[FUNCTION_CALL]", "[TOOL_REQUEST]")


def _squeezed(name: str) -> str:
    return name.casefold().replace("_", "").replace("▁", "").replace("-", "")


def _named(attributes: str) -> str:
    found = _ATTRIBUTE.search(attributes)
    return found.group(1).strip() if found else ""
