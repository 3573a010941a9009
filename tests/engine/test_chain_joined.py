"""Text that came in one read, given as one piece to those who only pass it on."""

import pytest

from majordomo.contract import TextDelta
from majordomo.engine.http import HttpCall
from majordomo.engine.registry import Registry

pytestmark = pytest.mark.anyio

PIECE = b'{"model":"m","message":{"role":"assistant","content":"word "},"done":false}\n'
LAST = b'{"model":"m","message":{"role":"assistant","content":""},"done":true}\n'


class Bursts:
    """A transport without a network: three reads, the first of which holds many pieces."""

    status = 200

    def __init__(self) -> None:
        self.headers: dict[str, str] = {}
        self._left = [LAST, PIECE, PIECE * 20]

    async def send(self, call: HttpCall) -> "Bursts":
        del call
        return self

    async def read(self) -> bytes:
        return self._left.pop() if self._left else b""

    async def finish(self) -> None: ...

    async def aclose(self) -> None: ...

    def close(self) -> None: ...


@pytest.mark.parametrize(("joined", "pieces"), [(False, 21), (True, 2)])
async def test_a_burst_is_one_piece_where_that_is_wanted(*, joined: bool, pieces: int) -> None:
    registry = Registry(
        providers={"a": "ollama+http://h:1"}, env={}, http_client=Bursts(), joined_text=joined
    )
    async with registry.parse("a/m").stream("Hi") as stream:
        texts = [event.text async for event in stream if isinstance(event, TextDelta)]
        response = await stream.response()
    assert len(texts) == pieces
    assert "".join(texts) == response.text == "word " * 21
