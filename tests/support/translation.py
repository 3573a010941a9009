"""A request or a reply, said in a dialect and read back."""

from majordomo.contract import Request, Response, fold, pump, unfold
from majordomo.dialects.dialect import Ask, Dialect, Stamp, Wire
from majordomo.dialects.json import object_at, read
from majordomo.dialects.lookup import dialect

NAMES = ("openai_chat", "openai_responses", "anthropic", "ollama", "gemini")
STAMP = Stamp(id="0123456789abcdef", created=1_700_000_000, model="m")


def dialect_named(name: str) -> Dialect:
    for known in NAMES:
        if known == name:
            return dialect(known)
    raise LookupError(name)


def said_and_read(request: Request, spoken: Dialect) -> Request:
    """Encode as a client, decode as a server."""
    call = spoken.encode_request(request, model="m", stream=False, wire=Wire())
    body = object_at(read(call.body), "body")
    return spoken.decode_request(body, model="m", stream=False).request


def told_and_heard(response: Response, spoken: Dialect, *, stream: bool) -> Response:
    """Encode as a server, decode as a client."""
    ask = Ask(model="m", stream=stream, request=Request(messages=()))
    body = b"".join(pump(spoken.encoder(ask, STAMP), unfold(response)))
    return fold(pump(spoken.decoder(stream=stream), [body]))
