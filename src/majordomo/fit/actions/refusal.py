# ruff: noqa: E501, RUF001 -- the words of eight languages, a pattern a line
"""Telling a failed tool turn from an honest answer: categories, not one boolean.

A phrase alone is not enough: the same sentence is right when no tool fits and wrong when one
does. So a refusal needs a first-person inability *and* a thing tools do in one sentence, with
code and quotes taken out; refusals on principle and questions to the user are not refusals of
tools; and the caller gates the rest by what it offers (`fitting`).
"""

import re
from collections.abc import Sequence
from functools import cache
from typing import Literal, TypeAlias

from majordomo.contract import Tool

from .lexicon import LEXICONS, Lexicon

Category: TypeAlias = Literal["hard_refusal", "soft_limitation", "announced_no_action"]

_CODE = re.compile(r"```.*?(?:```|\Z)|~~~.*?(?:~~~|\Z)", re.DOTALL)
_SPAN = re.compile(r"`[^`\n]*`")
_QUOTED = re.compile(r"[\"“«][^\"”»\n]{0,200}[\"”»]|^>.*$", re.MULTILINE)
_SENTENCE = re.compile(r"(?<=[.!?。！？…])\s+|(?<=[。！？])|\n+")
_THINKING = re.compile(r"<think(?:ing)?>.*?</think(?:ing)?>", re.DOTALL)
_CONDITION = re.compile(
    r"^\W*(?:if|when|unless|suppose|should\ you|wenn|falls|si\b|se\b|如果|若|もし|если)\b",
    re.IGNORECASE,
)
_REPORT = re.compile(
    r"\b(?:it\ (?:seems|appears|looks\ like)|seems\ (?:that\ )?i|returned|error\ was|(?:can't|cannot|couldn't|could\ not)\ (?:find|see|spot)\ (?:a|any|the)\ (?:\w+\ )?(?:bugs?|errors?|problems?|issues?|mistakes?|references?|reason)|failed\ with|the\ (?:tool|command|file|path)\ (?:returned|failed|does\ not\ exist|was\ not))\b",
    re.IGNORECASE,
)
_DONE = re.compile(
    r"^\W*(?:done|finished|completed|fixed|i\ (?:checked|ran|found|read|filled|updated|fixed|created|searched|looked|verified)|the\ fix|已完成|完成了|listo|fertig|terminé|pronto|готово)\b",
    re.IGNORECASE,
)
_LONG = 700  # characters: who writes more has answered, whatever else was said
_ANNOUNCED_LONG = 320


def refusal(text: str, tools_expected: bool = True) -> Category | None:  # noqa: FBT001, FBT002 -- the documented call
    """Say how a reply fails to use tools; None for an answer that stands.

    `tools_expected` is whether an offered tool could have served the request. Without it
    nothing is a refusal: saying "I cannot" is then the right answer.
    """
    if not tools_expected:
        return None
    plain = _plain(text)
    if not plain or len(plain) > _LONG:
        return None
    sentences = [part.strip() for part in _SENTENCE.split(plain) if part and part.strip()]
    if _DONE.match(sentences[0]):
        return None
    for lexicon in LEXICONS:
        category = _category(plain, sentences, _compiled(lexicon))
        if category is not None:
            return category
    return None


def fitting(text: str, tools: Sequence[Tool]) -> bool:
    """Say whether a tool on offer has to do with what a reply says it cannot do."""
    said = _stems(_plain(text))
    for tool in tools:
        words = _stems(f"{re.sub(r'(?<=[a-z])(?=[A-Z])', ' ', tool.name)} {tool.description[:600]}")
        if said & words or (said & _ACTS and words & _ACTS):
            return True
    return False


def _plain(text: str) -> str:
    """Take code, quotations and thinking out: what they say, the model does not."""
    text = _THINKING.sub(" ", text)
    text = _CODE.sub(" ", text)
    return _QUOTED.sub(" ", _SPAN.sub(" x ", text)).strip()


class _Compiled:
    def __init__(self, lexicon: Lexicon) -> None:
        flags = re.IGNORECASE | re.VERBOSE | re.MULTILINE
        self.unable = re.compile(lexicon.unable, flags)
        self.ability = re.compile(lexicon.ability, flags)
        self.limited = re.compile(lexicon.limited, flags)
        self.announced = re.compile(lexicon.announced, flags)
        self.policy = re.compile(lexicon.policy, flags)
        self.asked = re.compile(lexicon.asked, flags)
        self.handed = re.compile(lexicon.handed, flags)
        self.hard = re.compile(lexicon.hard, flags)


@cache
def _compiled(lexicon: Lexicon) -> _Compiled:
    return _Compiled(lexicon)


def _category(text: str, sentences: list[str], words: _Compiled) -> Category | None:
    if any(words.hard.search(s) and not _CONDITION.match(s) for s in sentences):
        return "hard_refusal"
    if words.policy.search(text):
        return None
    if words.asked.search(text) and not words.handed.search(text):
        return None
    refused = _refused(sentences, words)
    if refused is not None:
        return refused
    if any(words.limited.search(s) and not _CONDITION.match(s) for s in sentences):
        return "soft_limitation"
    return _announced(sentences, words)


def _refused(sentences: list[str], words: _Compiled) -> Category | None:
    for sentence in sentences:
        if _CONDITION.match(sentence) or _REPORT.search(sentence):
            continue
        found = words.unable.search(sentence)
        if found is not None and words.ability.search(sentence):
            limited = any(words.limited.search(s) for s in sentences)
            return "soft_limitation" if limited else "hard_refusal"
    return None


def _announced(sentences: list[str], words: _Compiled) -> Category | None:
    """Find an act promised in the last words of a reply that then ends."""
    if sum(map(len, sentences)) > _ANNOUNCED_LONG or len(sentences) > 4:
        return None
    found = words.announced.search(sentences[-1])
    return "announced_no_action" if found is not None else None


_WORD = re.compile(r"[a-zà-ÿа-яё]{3,}|[\u3040-\u30ff\u4e00-\u9fff]{2}", re.IGNORECASE)
_COMMON = frozenset(
    [
        "the",
        "and",
        "for",
        "with",
        "that",
        "this",
        "you",
        "your",
        "are",
        "not",
        "can",
        "cannot",
        "have",
        "has",
        "any",
        "from",
        "into",
        "use",
        "using",
        "one",
        "its",
        "but",
        "all",
        "get",
        "set",
        "will",
        "may",
        "must",
        "when",
        "what",
        "which",
        "who",
        "how",
        "tool",
        "tools",
        "function",
    ]
)
_ACTS = frozenset(
    [
        "file",
        "comma",
        "execu",
        "termi",
        "shell",
        "run",
        "direc",
        "read",
        "write",
        "edit",
        "searc",
        "web",
        "inter",
        "brows",
        "url",
        "fetch",
        "acces",
        "datab",
        "query",
        "list",
        "open",
        "code",
        "system",
        "files",
    ]
)


def _stems(text: str) -> frozenset[str]:
    found = (word.casefold() for word in _WORD.findall(text))
    return frozenset(word[:5] for word in found if word not in _COMMON)
