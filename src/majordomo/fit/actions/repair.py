"""What each repair of broken JSON costs, and how much a value may cost before it is refused.

A repair is a guess. One or two are a slip of the pen; many in little text mean that this was
never the value we take it for.
"""

COSTS = {
    "comment": 1,
    "trailing comma": 1,
    "single quotes": 0,
    "odd quotes": 1,
    "full-width punctuation": 0,
    "escaped text": 1,
    "HTML entities": 1,
    "line break in a string": 0,
    "bad escape": 1,
    "quote inside a string": 1,
    "unquoted key": 0,
    "unquoted text": 2,
    "number as written elsewhere": 1,
    "literal as written elsewhere": 0,
    "joined strings": 2,
    "missing comma": 2,
    "missing colon": 3,
    "doubled brace": 2,
    "missing bracket": 4,
    "stray bracket": 4,
    "stray character": 4,
}

ALLOWANCE = 24  # of any value
ALLOWANCE_LENGTH = 64  # and one more for each so many characters
MAX_DEPTH = 64


def affordable(cost: int, length: int) -> bool:
    return cost <= ALLOWANCE + length // ALLOWANCE_LENGTH
