"""Keys kept out of what is said: some providers quote the key they refuse."""

from majordomo.contract import Failure, Json

HIDDEN = "[hidden key]"
_SHORTEST = 8  # shorter ones open nothing and may be anybody's words


def conceal(failure: Failure, secrets: tuple[str, ...]) -> None:
    """Take the keys out of a failure before anyone logs, traces or forwards it."""
    for secret in secrets:
        if len(secret) >= _SHORTEST:
            failure.message = failure.message.replace(secret, HIDDEN)
            failure.code = failure.code.replace(secret, HIDDEN)
            failure.body = _without(failure.body, secret)
            failure.args = (failure.message,)


def _without(value: Json, secret: str) -> Json:
    match value:
        case str():
            return value.replace(secret, HIDDEN)
        case list():
            return [_without(item, secret) for item in value]
        case dict():
            return {name: _without(item, secret) for name, item in value.items()}
        case _:
            return value
