"""A long text that comes in many pieces, kept so that it weighs little more than it says.

A string of one token takes sixty bytes; thousands of them would be most of what a stream holds.
"""

MANY = 32


def gather(pieces: list[str]) -> None:
    """Make one of them, in place. Call it when there are more than MANY."""
    pieces[:] = ["".join(pieces)]
