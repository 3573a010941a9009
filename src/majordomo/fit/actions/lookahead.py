# ruff: noqa: RUF001 -- full-width punctuation is among what models write
"""Whether a quote ends its string: decided by what comes next, a bounded way ahead.

In valid JSON a closing quote is followed by a comma and a key, by closing brackets, or by the
end. A quote followed by anything else was meant to be content and the model forgot to escape
it: `"He said "hello" to me"`.
"""

import re

_BLANK = re.compile(r"(?:[\s\ufeff]|\\[nrt](?=[\s\\{}\[\]]))*")
_CLOSERS = re.compile(r"[\s}｝\]］)]*")
_AFTER_KEY = re.compile(r"\s*[:：=,}]|\s+\S|[\"'{\[]")
_QUOTED_KEY = re.compile(
    r"\s*(?:"
    r'"(?:[^"\\]|\\.){0,120}"\s*[:：=]'
    r"|'(?:[^'\\\n]|\\.){0,120}'\s*[:：=]"
    r"|[“”„＂][^“”＂\n]{0,120}[“”＂]\s*[:：=]"
    r"|`[^`\n]{0,120}`\s*[:：=]"
    r'|"(?:[^"\\]|\\.){121}'
    r")",
    re.DOTALL,
)
_BARE_KEY = re.compile(r"\s*([A-Za-z_$][\w$.-]{0,80})\s*[:：=]")
_NO_KEY = re.compile(r"\s*(?:[}｝\]］,]|//|/\*|#)")
_ITEM = re.compile(r"\s*(?:[\"'“‘`＂{\[｛［\]］}\-\d.,]|true|false|null|True|False|None|//|/\*)")
_ENDS = ("```", "~~~", "</", "<|", "<｜", "//", "/*", "[/")
_QUOTES = "\"'“‘`＂"
_REACH = 320


def closes(  # noqa: PLR0911, PLR0913 -- each one is a fact about where the quote stands
    text: str,
    pos: int,
    *,
    depth: int,
    key: bool,
    array: bool,
    bare: bool,
    odd: bool,
) -> bool | None:
    """Say whether the quote before `pos` ends its string; None: more text is needed to say."""
    if key:
        return _decided(text, pos + 3, answer=_AFTER_KEY.match(text, pos) is not None)
    start = _blank(text, pos)
    if start + 1 >= len(text):
        return None  # two characters tell `/` from `//`
    if depth == 0:
        return text[start] in ",)]}" or _ends(text, start)
    if text[start] in ",，":
        return _item(text, start + 1) if array else _key(text, start + 1, bare=bare, odd=odd)
    if text[start] in "}｝]］)":
        return _closers(text, start, depth)
    ends = text[start] == "+" or _ends(text, start)
    if ends is not False:
        return ends
    if array:
        return start > pos and text[start] in _QUOTES
    # A comma was forgotten, or the quote belongs to the text.
    beside = start == pos
    may_be_key = not beside or text[start] in _QUOTES
    return may_be_key and _key(text, start, bare=bare and not beside, odd=odd)


def at_end(text: str, pos: int) -> bool:
    """Decide what `closes` left open when no more text will come: only brackets may follow."""
    return _CLOSERS.fullmatch(text, pos) is not None


def _closers(text: str, start: int, depth: int) -> bool | None:
    run = _CLOSERS.match(text, start)
    end = run.end() if run else start
    if end - start > _REACH or sum(char in "}｝]］)" for char in text[start:end]) >= depth:
        return True
    if end >= len(text):
        return None
    return text[end] in ",，#" or _ends(text, end)


def _ends(text: str, pos: int) -> bool | None:
    """Say whether the block around the value is closed here."""
    if text.startswith(_ENDS, pos):
        return True
    here = text[pos : pos + 3]
    may = pos + len(here) >= len(text) and any(end.startswith(here) for end in _ENDS)
    return None if may else False


def _key(text: str, start: int, *, bare: bool, odd: bool) -> bool | None:
    if _NO_KEY.match(text, start):
        return True
    found = _QUOTED_KEY.match(text, start)
    if found is None and bare:
        found = _BARE_KEY.match(text, start)
    if found is None:
        return _decided(text, start + _REACH, answer=False)
    # An odd number of quotes inside so far: this one may be the partner, unless a line ends.
    return not odd or "\n" in found.group()[: len(found.group()) - len(found.group().lstrip())]


def _item(text: str, start: int) -> bool | None:
    return _decided(text, _blank(text, start) + 6, answer=_ITEM.match(text, start) is not None)


def _decided(text: str, reach: int, *, answer: bool) -> bool | None:
    """Give the answer, unless it is a no that more text could turn into a yes."""
    return answer if answer or len(text) >= reach else None


def _blank(text: str, pos: int) -> int:
    found = _BLANK.match(text, pos)
    return found.end() if found else pos
