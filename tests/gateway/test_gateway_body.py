"""Bodies that come packed are unpacked, within the same limit as plain ones."""

import gzip
import zlib

import pytest

from majordomo.config.gateway import Gateway, Limits
from majordomo.contract import InvalidRequest
from majordomo.dialects.json import write
from majordomo.gateway.app import App
from majordomo.gateway.body import unpacked
from majordomo.gateway.service import Service
from majordomo.testing import scripted
from support.asgi import call
from support.gateway import Shelf
from support.gateway_doors import DOORS

pytestmark = pytest.mark.anyio

PLAIN = b'{"hello": "world"}'
PACKED = {
    "identity": PLAIN,
    "": PLAIN,
    "gzip": gzip.compress(PLAIN),
    " GZIP ": gzip.compress(PLAIN),
    "deflate": zlib.compress(PLAIN),
}


@pytest.mark.parametrize("encoding", PACKED)
def test_a_packed_body_is_unpacked(encoding: str) -> None:
    assert unpacked(PACKED[encoding], encoding, 100) == PLAIN


def test_a_small_body_cannot_unpack_to_a_huge_one() -> None:
    bomb = gzip.compress(b"\0" * 50_000_000)
    with pytest.raises(InvalidRequest, match="larger than 1000 bytes") as caught:
        unpacked(bomb, "gzip", 1000)
    assert caught.value.status == 413


def test_half_a_packed_body_is_refused() -> None:
    with pytest.raises(InvalidRequest, match="not whole gzip"):
        unpacked(gzip.compress(PLAIN)[:-4], "gzip", 100)


@pytest.mark.parametrize("door", DOORS)
async def test_every_door_takes_one(door: str) -> None:
    path, body = DOORS[door]
    app = App(Service(Shelf(up=scripted("Hello!")), Gateway(limits=Limits(body_bytes=1000))))
    data, headers = gzip.compress(write(body)), {"content-encoding": "gzip"}
    got = await call(app, "POST", path, [data[:9], data[9:]], headers=headers)
    assert got.status == 200
    assert b"Hello!" in got.body


async def test_a_body_in_pieces_is_counted_as_it_comes() -> None:
    app = App(Service(Shelf(up=scripted()), Gateway(limits=Limits(body_bytes=1000))))
    pieces = [b"x" * 400] * 4
    got = await call(app, "POST", "/v1/messages", pieces)
    assert got.status == 413
