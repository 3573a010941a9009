"""What a chain goes by, the same for all its requests; and one request on these terms."""

import random
import time
from collections.abc import Callable, Mapping

from msgspec import Struct

from majordomo.contract import Capabilities, DialectName, Request
from majordomo.route import HealthBook, Patience

from .fitting import Fit
from .outside import Outside
from .target import Target


class Chance(Struct, frozen=True, kw_only=True):
    """What decisions cannot know by themselves: the time and the dice."""

    clock: Callable[[], float] = time.monotonic
    dice: Callable[[], float] = random.random


class Terms(Struct, frozen=True, kw_only=True):
    first: Target  # of the targets, the one that is asked first
    targets: Mapping[str, Target]  # by name, in order
    outside: Outside
    book: HealthBook
    patience: Patience
    fit: Fit
    leaves_alone: Callable[[Request, Capabilities, DialectName], bool]  # what `fit` surely does
    chance: Chance
    hurried: bool  # somebody may have to race the first target, or a deadline nears
    joined_text: bool  # give the text of one upstream read as one piece, not as it was cut


class Question(Struct, frozen=True, kw_only=True):
    """What is the same for every target that is asked."""

    request: Request
    partial_tool_calls: bool
    terms: Terms
