"""The table of `docs/failover.md`, written from the policy itself."""

from majordomo.route import TABLE, Rule

BEGIN, END = "<!-- table: begin -->", "<!-- table: end -->"
_TEST = "tests/route/test_failover_table.py::test_row"

_WAITS = {
    "none": "at once, without it",
    "retry_after": "after that wait",
    "backoff": "backoff with jitter",
}
_THEN = {
    "next": "yes",
    "stop": "no: the error is given back with the provider's words",
    "resume": "resume, or a clean error in band",
}


def table() -> str:
    """One line per row of the policy; each names the test that shows it."""
    lines = [
        "| what happened | same target again? | penalty | next target? | shown by |",
        "|---|---|---|---|---|",
    ]
    for name, rule in TABLE.items():
        cells = (rule.what, _again(rule), _penalty(rule), _THEN[rule.then], f"`{_TEST}[{name}]`")
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def _again(rule: Rule) -> str:
    if not rule.again:
        return "no"
    times = "once" if rule.again == 1 else f"up to {rule.again}"
    return f"{times}, {_WAITS[rule.wait]}"


def _penalty(rule: Rule) -> str:
    match rule.penalty:
        case "none":
            return "none"
        case "failure":
            return "yes, if all fail" if rule.again else "yes"
        case "long":
            return "the long cooldown at once"
