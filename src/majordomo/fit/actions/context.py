# ruff: noqa: E501, RUF001 -- the words of eight languages, a pattern a line
"""Whether the words before a block say that it is shown, not meant.

`For example, a call looks like this:` makes the block an illustration; `I'll read it now:`
does not. The words are data, in the languages of the refusal lexicon.
"""

import re

_SHOWN = re.compile(
    r"""
    \b(?:for\ example|for\ instance|example|e\.g\.|sample|illustrat\w+|demonstrat\w+
      |look(?:s|ed)?\ like(?:\ this)?|would\ (?:look|be\ called|emit|write|send|produce|output)
      |(?:format|syntax|schema|template|structure|shape|placeholder|convention|protocol)
      |(?:you|one|users?|developers?|the\ (?:model|agent|assistant|client))\ (?:can|could|would|should|must|may|might|needs?\ to)\b
      |documentation\ (?:says|shows|reads)|docs\ (?:say|show)|the\ (?:file|readme|page|log|transcript|document|test|snippet|code)\b.{0,60}\b(?:contains?|says|shows|reads|has|is|looks|was|includes?)
      |(?:contents?|content)\ of|as\ follows\ in|quot(?:e|ed|es|ing)|verbatim|excerpt
      |previously|earlier|last\ time|was\ (?:called|sent|emitted)|had\ (?:called|sent)|(?:this|that)\ is\ what
      |instead\ of|do\ not|don't|never|avoid|wrong|incorrect|invalid|hypothetical\w*|imagine|suppose
      |how\ (?:to|you|a|the)|explain\w*|means|defin(?:es?|ed|ition)|registered|available\ tools|tool\ list|here\ (?:is|are)\ the\ (?:json|tool|definition|schema|config)
      |as\ json|in\ json|json\ (?:you|for|object|representation|version|output|response)|you\ asked\ for|requested)\b
    |例如|比如|示例|例子|格式|样例|如下所示|例えば|たとえば|サンプル|形式
    |\b(?:por\ ejemplo|ejemplo|formato|por\ exemplo|exemplo|par\ exemple|exemple|beispiel\w*|zum\ beispiel|z\.\ ?b\.)\b
    |например|пример\w*|формат\w*
    """,
    re.IGNORECASE | re.VERBOSE,
)
_ILLUSTRATED = re.compile(
    r"\b(?:for\ example|for\ instance|examples?|e\.g\.|looks?\ like(?:\ this)?|hypothetical\w*"
    r"|por\ ejemplo|ejemplo|por\ exemplo|exemplo|par\ exemple|exemple|zum\ beispiel|beispiel\w*)\b"
    r"|例如|比如|示例|例子|样例|例えば|たとえば|サンプル|например|пример\w*",
    re.IGNORECASE | re.VERBOSE,
)
_MEANT = re.compile(
    r"""
    \b(?:i'll|i\ will|i’ll|let\ me|let's|let’s|i'm\ going\ to|i\ am\ going\ to|i'm\ (?:now\ )?(?:calling|running|reading|using|checking)
      |now\ (?:i|let|calling|running|reading)|i\ (?:need|want|have)\ to|i\ should|first,?\ i|next,?\ i|going\ to)\b
    |让我|我来|我将|我会|现在|接下来|首先|正在
    |\b(?:voy\ a|vamos\ a|déjame|ich\ werde|lass\ mich|je\ vais|laisse[zs]?-moi|vou|deixe-me)\b
    |сейчас|давайте|я\ (?:сейчас|проверю|прочитаю|посмотрю)
    """,
    re.IGNORECASE | re.VERBOSE,
)
_NEAR = re.compile(
    r"\b(?:(?:my|the)\ (?:next|first)|tool\ calls?|actions?|calling|running\ the|executing|invoking)\b",
    re.IGNORECASE | re.VERBOSE,
)
_OPEN_QUOTES = ('"""', "'''", '("', "('", '= "', "= '")
_PRESENTED = re.compile(
    r"\b(?:is|was|were|are|says?|reads?|contains?|shows?|returned|logged|received|sent|body|payload"
    r"|request|response|output|config\w*|line|entry|record|history|transcript"
    r"|(?:replied|responded|answered)(?: with)?|data|fixture|user|human|assistant|wrote)\s*[:：]\s*$",
    re.IGNORECASE,
)
_LONE = re.compile(r"[\s*#>\-]*(?:\d{1,3}[.)]\s*)?")
_INTRODUCED = re.compile(r"[:：.。!！?？)\]…;；]\s*$")
_REACH = 240


def shown(before: str) -> bool:
    """Say whether the sentence that leads to a block presents it as an illustration."""
    words = before.rstrip()[-_REACH:]
    line = words.rpartition("\n")[2]
    if words.endswith(_OPEN_QUOTES) or line.startswith("$ ") or _quotes(before):
        return True
    sentence = re.split(r"(?<=[.!?。！？])\s+", line)[-1]
    if not sentence.strip() or _MEANT.search(sentence):
        return False
    if _ILLUSTRATED.search(sentence) or _PRESENTED.search(sentence):
        return True
    # A finished sentence only speaks of such things; one that leads on presents the block.
    leads_on = sentence.rstrip(" *_")[-1:] not in {".", "!", "?", "。", "！", "？"}
    return leads_on and _SHOWN.search(sentence) is not None and not _NEAR.search(sentence)


def _quotes(before: str) -> bool:
    """Say whether the block stands in a quoted line."""
    return before.rpartition("\n")[2].lstrip().startswith(">")


def lone(lead: str) -> bool:
    """Say whether nothing but a list mark stands before a place on its line."""
    return _LONE.fullmatch(lead) is not None


def announced(lead: str) -> bool:
    """Say whether the words on the same line lead up to an object, rather than contain it."""
    return lone(lead) or bool(_INTRODUCED.search(lead) or _MEANT.search(lead))
