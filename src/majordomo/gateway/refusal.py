"""How a request that is not served is answered: in shape, with what clients act on."""

from math import ceil

from majordomo.contract import Failure, InvalidRequest, Malformed, RateLimited
from majordomo.dialects.dialect import Dialect, Reply

from .exchange import Exchange, Headers


async def refuse(exchange: Exchange, dialect: Dialect, failure: Failure) -> None:
    reply = dialect.encode_failure(failure, request_id=exchange.id)
    await exchange.reply(reply, _headers(failure, reply))


def invalid(error: Malformed) -> InvalidRequest:
    """At a door it is the client who wrote what cannot be read."""
    return InvalidRequest(str(error), status=400, parameter=error.where)


def _headers(failure: Failure, reply: Reply) -> Headers:
    # We have retried already: an SDK that retries on top multiplies every try by three. Only
    # waiting its turn is worth a client's own retry.
    again = isinstance(failure, RateLimited) or _is_limit(failure)
    headers: Headers = [(b"x-should-retry", b"true" if again else b"false")]
    if failure.retry_after is not None and "retry-after" not in reply.headers:
        headers.append((b"retry-after", b"%d" % ceil(failure.retry_after)))
    if failure.attempts:
        headers.append((b"x-majordomo-attempts", b"%d" % len(failure.attempts)))
    return headers


def _is_limit(failure: Failure) -> bool:
    last = getattr(failure, "last", None)
    return isinstance(last, RateLimited)
