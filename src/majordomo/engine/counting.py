"""How many tokens a request is, as the target itself counts them.

Three dialects have a way to ask; a server that speaks one may still lack it, says so with 404,
405 or 501, and is not asked again.
"""

from collections.abc import Callable

from msgspec import Struct
from msgspec.structs import replace

from majordomo.contract import DialectName, Failure, JsonObject, Malformed, Request
from majordomo.dialects.dialect import Call
from majordomo.dialects.json import object_at, optional_int, read, write
from majordomo.dialects.lookup import dialect

from .fitting import Fit, fitted, fitted_aside
from .http import HttpCall
from .outside import Outside
from .target import Target, auth_headers

_CANNOT = frozenset({404, 405, 501})
_MOST_BYTES = 64 * 1024  # of a reply that is one number
_SECONDS = 20.0  # an estimate is better than a long wait


class Counting:
    """Remembers who cannot count."""

    __slots__ = ("_cannot", "_outside")

    def __init__(self, outside: Outside) -> None:
        self._outside = outside
        self._cannot: set[str] = set()

    async def count(self, request: Request, target: Target, fit: Fit) -> int | None:
        """Give the target's own count; None where it has none or fails to give it."""
        way = _WAYS.get(target.provider.dialect)
        if way is None or target.name in self._cannot:
            return None
        try:
            fit_for_it = fitted(fit, request, target) or await fitted_aside(fit, request, target)
            call = way.encode(_plain(fit_for_it.request, target), target)
            return await self._ask(call, way, target)
        except (Failure, Malformed):
            return None  # whatever is wrong will be said when the request itself is sent

    async def _ask(self, call: Call, way: "_Way", target: Target) -> int | None:
        provider = target.provider
        reply = await self._outside.send(
            HttpCall(
                url=target.base_url + call.path,
                body=call.body,
                headers={
                    "content-type": "application/json",
                    **auth_headers(provider, self._outside.environ),
                    **call.headers,
                    **provider.headers,
                },
                timeouts=replace(provider.timeouts, total=_SECONDS),
            )
        )
        body = bytearray()
        try:
            while len(body) < _MOST_BYTES and (chunk := await reply.read()):
                body += chunk
            await reply.finish()
        finally:
            reply.close()
        if reply.status in _CANNOT:
            self._cannot.add(target.name)
        if reply.status != 200:
            return None
        return optional_int(object_at(read(bytes(body)), "reply"), way.field)


class _Way(Struct, frozen=True):
    encode: Callable[[Call, Target], Call]
    field: str  # of the reply, that holds the number


def _plain(request: Request, target: Target) -> Call:
    return dialect(target.provider.dialect).encode_request(
        request, model=target.model, stream=False, wire=target.provider.wire
    )


def _anthropic(call: Call, _: Target) -> Call:
    # https://platform.claude.com/docs/en/api/messages-count-tokens
    body = _only(call, "model messages system tools tool_choice thinking output_config")
    return Call(path=f"{call.path}/count_tokens", body=write(body), headers=call.headers)


def _responses(call: Call, _: Target) -> Call:
    # https://platform.openai.com/docs/api-reference/responses/input-tokens
    body = _only(call, "model input instructions tools tool_choice text reasoning")
    return Call(path=f"{call.path}/input_tokens", body=write(body), headers=call.headers)


def _gemini(call: Call, target: Target) -> Call:
    # https://ai.google.dev/api/tokens#method:-models.counttokens
    whole: JsonObject = {"model": f"models/{target.model}", **object_at(read(call.body), "body")}
    path = call.path.rpartition(":")[0] + ":countTokens"
    return Call(path=path, body=write({"generateContentRequest": whole}), headers=call.headers)


def _only(call: Call, names: str) -> JsonObject:
    """Leave out what a counter takes for a mistake."""
    body = object_at(read(call.body), "body")
    return {name: body[name] for name in names.split() if name in body}


_WAYS: dict[DialectName, _Way] = {
    "anthropic": _Way(_anthropic, "input_tokens"),
    "openai_responses": _Way(_responses, "input_tokens"),
    "gemini": _Way(_gemini, "totalTokens"),
}
