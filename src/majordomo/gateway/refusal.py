"""How a request that is not served is answered: in shape, with what clients act on."""

from math import ceil

from msgspec.structs import replace

from majordomo.contract import Exhausted, Failure, InvalidRequest, Malformed, RateLimited
from majordomo.dialects.dialect import Dialect

from .exchange import Exchange, Headers


async def refuse(exchange: Exchange, dialect: Dialect, failure: Failure) -> None:
    said = spoken(failure)
    reply = dialect.encode_failure(said, request_id=exchange.id)
    kept = {name: value for name, value in reply.headers.items() if name != "retry-after"}
    await exchange.reply(replace(reply, headers=kept), _headers(said))


def spoken(failure: Failure) -> Failure:
    """Give what a client is told: the last target's failure, for that is what it can act on.

    A client shortens its history at `ContextTooLong` and waits at `RateLimited`; that nobody
    served is no news to it where there was only one to ask.
    """
    if not isinstance(failure, Exhausted) or failure.last is None:
        return failure
    last = failure.last
    if len({attempt.target for attempt in failure.attempts}) > 1:
        last.message = failure.message
    last.attempts = failure.attempts
    last.retry_after = failure.retry_after
    return last


def invalid(error: Malformed) -> InvalidRequest:
    """At a door it is the client who wrote what cannot be read."""
    return InvalidRequest(str(error), status=400, parameter=error.where)


def _headers(failure: Failure) -> Headers:
    # We have retried already: an SDK that retries on top multiplies every try by three. Only
    # waiting its turn is worth a client's own retry.
    again = isinstance(failure, RateLimited)
    headers = b"x-should-retry: true\r\n" if again else b"x-should-retry: false\r\n"
    if failure.retry_after is not None:
        headers += b"retry-after: %d\r\n" % ceil(failure.retry_after)
    if failure.attempts:
        headers += b"x-majordomo-attempts: %d\r\n" % len(failure.attempts)
    return headers
