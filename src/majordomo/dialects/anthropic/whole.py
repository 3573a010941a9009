"""Events to one JSON body, for clients that did not ask for a stream.

https://platform.claude.com/docs/en/api/messages
"""

from majordomo.contract import Event, Failure, Finish, Fold, Overloaded, Request, Truncated
from majordomo.dialects.dialect import Stamp
from majordomo.dialects.json import write

from .carrier import may_carry
from .failure import encode_error
from .response import encode_response


class WholeEncoder:
    """Says nothing until the reply is over."""

    content_type = "application/json"

    __slots__ = ("_carry", "_finished", "_fold", "_stamp")

    def __init__(self, request: Request, stamp: Stamp) -> None:
        self._carry = may_carry(request)
        self._stamp = stamp
        self._fold = Fold()
        self._finished = False

    def feed(self, event: Event) -> tuple[bytes, ...]:
        if self._finished:
            return ()
        self._fold.add(event)
        if type(event) is not Finish:
            return ()
        self._finished = True
        if event.reason == "error":
            raise broken(event)
        whole = encode_response(self._fold.response(), self._stamp, carry=self._carry)
        return (write(whole),)

    def close(self) -> tuple[bytes, ...]:
        if not self._finished:
            raise Truncated("the reply ended before its finish")
        return ()

    def fail(self, failure: Failure) -> bytes:
        self._finished = True
        return write(encode_error(failure))


def broken(finish: Finish) -> Failure:
    """There is no stop reason for a reply that went wrong: it is said as an error."""
    return Overloaded(f"the reply ended in an error ({finish.native or 'unnamed'})", status=500)
