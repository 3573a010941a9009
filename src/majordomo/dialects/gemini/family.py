"""What the wire demands of one generation of models and refuses from another.

https://ai.google.dev/gemini-api/docs/thinking
https://ai.google.dev/gemini-api/docs/thought-signatures
"""

import re

_BY_BUDGET = re.compile(r"gemini-(?:1|2)(?:\.|-)|robotics", re.IGNORECASE)
_SIGNED = re.compile(r"gemini-(?:[3-9]|\d\d)|gemini-[a-z-]+-latest", re.IGNORECASE)


def thinks_by_budget(model: str) -> bool:
    """Before Gemini 3 effort was a number of tokens; since then it is a level."""
    return _BY_BUDGET.search(model) is not None


def wants_signatures(model: str) -> bool:
    """Since Gemini 3 the first call of each step without a `thoughtSignature` is refused."""
    return _SIGNED.search(model) is not None
