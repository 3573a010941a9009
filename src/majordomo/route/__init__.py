"""Which target next, and when: decisions only. Outcomes and time are told, never looked up."""

from .decision import Decision, GiveUp, Mode, Sent, Try, Wait
from .failover import Failover
from .health import Cooldown, Health, HealthBook, HealthReport, HealthState
from .lessen import lessen
from .policy import TABLE, UNUSABLE, Happening, Patience, Rule, happening
from .resume import Continued, Mismatch, Said, Splice, can_continue, continuation
from .spec import BadSpec, Target, check_alias, parse_spec, unknown

__all__ = [
    "TABLE",
    "UNUSABLE",
    "BadSpec",
    "Continued",
    "Cooldown",
    "Decision",
    "Failover",
    "GiveUp",
    "Happening",
    "Health",
    "HealthBook",
    "HealthReport",
    "HealthState",
    "Mismatch",
    "Mode",
    "Patience",
    "Rule",
    "Said",
    "Sent",
    "Splice",
    "Target",
    "Try",
    "Wait",
    "can_continue",
    "check_alias",
    "continuation",
    "happening",
    "lessen",
    "parse_spec",
    "unknown",
]
