"""A failure as a person wants it: what, where, and what to do."""

from collections.abc import Iterator

from majordomo.config.dsn import BadDsn
from majordomo.config.env import variable_of
from majordomo.contract import (
    Attempt,
    ContextTooLong,
    Disconnected,
    Exhausted,
    Failure,
    InvalidRequest,
    ModelNotFound,
    Overloaded,
    ProtocolBroken,
    QuotaExhausted,
    RateLimited,
    Timeout,
    Unauthorized,
)
from majordomo.route import BadSpec

_ADVICE: tuple[tuple[type[Failure], str], ...] = (
    (
        BadDsn,
        (
            "write scheme://[key@]host[:port][/path][?option=value], for example "
            "openai+http://KEY@127.0.0.1:8000/v1?tools=emulated"
        ),
    ),
    (
        BadSpec,
        (
            "name a target as provider/model-id, or define the alias under [aliases] in "
            "majordomo.toml; `majordomo models` lists what is known"
        ),
    ),
    (
        Unauthorized,
        "check the key of {provider}: its usual variable, or the part before the @ in {variable}",
    ),
    (QuotaExhausted, "top up the account of {provider}, or add another target: {target},other/x"),
    (ModelNotFound, "`majordomo models {provider}` lists the ids it has"),
    (ContextTooLong, "send less, or add a target with a longer context: {target},other/x"),
    (RateLimited, "wait, or add another target: {target},other/x"),
    (Overloaded, "try again, or add another target: {target},other/x"),
    (Timeout, "try again, or give it longer: `timeout=` in {variable}"),
    (Disconnected, "see that the server of {provider} is up: `majordomo doctor {target}`"),
    (ProtocolBroken, "see that {provider} speaks that dialect: `majordomo probe {target}`"),
)


def told(failure: Failure) -> str:
    """Say it in a line or more, the last of which says what to do."""
    lines = [f"majordomo: {_headline(failure)}", *_tried(failure)]
    todo = advice(failure)
    return "\n".join([*lines, *([f"  → {todo}"] if todo else [])]) + "\n"


def advice(failure: Failure) -> str:
    """Say what to do, unless the message does already."""
    if isinstance(failure, Exhausted):
        return advice(failure.last) if failure.last is not None else ""
    if "pip install" in str(failure) or "run `" in str(failure):
        return ""
    if isinstance(failure, Unauthorized) and failure.status is None and failure.target:
        provider = failure.target.partition("/")[0]
        return f"or put it into {variable_of(provider)}: scheme://KEY@host"
    if "is taken by another program" in failure.message:
        return "`majordomo serve --port N`, or `port` under [gateway] in majordomo.toml"
    if isinstance(failure, ModelNotFound) and "/" not in failure.target:
        return ""  # it lists none; there is nothing to look up
    target = failure.target or "the target"
    provider = target.partition("/")[0]
    variable = variable_of(provider) if failure.target else "its DSN"
    words = next((words for kind, words in _ADVICE if isinstance(failure, kind)), "")
    return words.format(target=target, provider=provider, variable=variable)


def _headline(failure: Failure) -> str:
    if isinstance(failure, Exhausted):
        if failure.last is not None and len({a.target for a in failure.attempts}) == 1:
            return _headline(failure.last) + _often(len(failure.attempts))
        return "no target served the request" if failure.attempts else "there is no target to try"
    status = f" ({failure.status})" if failure.status and failure.target else ""
    asked = isinstance(failure, InvalidRequest) and failure.target
    return f"{failure}{status}" if not asked else f"{failure.target} refuses: {failure.message}"


def _tried(failure: Failure) -> Iterator[str]:
    """List who was tried, where there was more than one."""
    if not isinstance(failure, Exhausted) or len({a.target for a in failure.attempts}) == 1:
        return
    grouped: dict[tuple[str, str, str], list[Attempt]] = {}
    for each in failure.attempts:
        grouped.setdefault((each.target, each.outcome, each.reason), []).append(each)
    for (target, outcome, reason), attempts in grouped.items():
        yield f"  {target}  {outcome}: {reason}{_often(len(attempts))}"


def _often(times: int) -> str:
    return f", {times} times" if times > 1 else ""
