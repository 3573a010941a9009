"""The second floor: uvicorn with an application that reads the request and says fixed bytes.

What a gateway on uvicorn costs before it does anything at all.
"""

from collections.abc import Awaitable, Callable
from typing import Any

import replies

_BODY = replies.chat_whole(replies.SMALL)
_EVENTS = replies.chat_stream(replies.words(replies.HUNDRED))


async def app(
    scope: dict[str, Any],
    receive: Callable[[], Awaitable[dict[str, Any]]],
    send: Callable[[dict[str, Any]], Awaitable[None]],
) -> None:
    if scope["type"] != "http":
        return
    body = b""
    while True:
        message = await receive()
        body += message.get("body", b"")
        if not message.get("more_body"):
            break
    kind, answer = b"application/json", [_BODY]
    if b'"stream":true' in body:
        kind, answer = b"text/event-stream", [b"".join(_EVENTS)]
    headers = [(b"content-type", kind), (b"content-length", b"%d" % sum(map(len, answer)))]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": b"".join(answer)})
