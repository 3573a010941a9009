# ruff: noqa: RUF001 -- full-width punctuation is among what models write
"""What may open a call in prose, and what only looks as if it did."""

import re

TRIGGER = re.compile(r"[`{<\[~｛]")
WORDS = ("Action", "json action")  # at the start of a line
HARMLESS = re.compile(
    r"(?:`[^`\n]+`(?!`)[^`{<\[~｛\n]*)+(?=[^\n])|``[^`\n]+``(?!`)(?=[^\n])"  # code in a line
    r"|(?:[{｛]\s{0,8}[}｝]\s{0,8})+"
    r"|[{｛](?:[{｛]+(?=[{｛]{2})|(?=`[^A-Za-z_])|\s*(?=[^\s{｛\"'“”＂`\\&\w]))"
    r"|<(?:<+(?=<)|(?=[^A-Za-z_|｜▁<]))|~(?=[^~])"
    r"|\[(?:\[+(?=\[)|\s*(?=[^\s\[{｛A-Za-z_\]]))"
)
_BEGUN = tuple({word[: count + 1] for word in WORDS for count in range(len(word))})


def begins_at_end(text: str) -> bool:
    """Say whether a text ends in what may be the beginning of a word."""
    return text.endswith(_BEGUN)


def none_in(text: str) -> bool:
    """Say that nothing in a text opens a call or may go on to open one.

    One search for each sign, because each runs at the speed of memory; a pattern that looks
    for all of them at once takes ten times as long.
    """
    return not (
        "`" in text
        or "{" in text
        or "<" in text
        or "[" in text
        or "~" in text
        or "｛" in text
        or "Action" in text
        or "json action" in text
        or text.endswith(_BEGUN)
    )
