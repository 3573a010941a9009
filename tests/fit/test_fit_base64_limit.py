"""A limit on a picture is a limit on its base64, wherever the picture stands."""

import random
from base64 import b64encode
from collections.abc import Callable
from io import BytesIO

import PIL.Image
import pytest
from msgspec.structs import replace

from majordomo.catalog import PROVIDERS
from majordomo.contract import (
    Image,
    ImageLimits,
    Message,
    Request,
    ToolCall,
    ToolResult,
    assistant,
    user,
)
from majordomo.fit import fit

LIMIT = 5_000_000  # of the text; 3.75 MB of bytes
ANTHROPIC = replace(PROVIDERS["anthropic"].capabilities, images=ImageLimits(max_bytes=LIMIT))


def noise(side: int) -> Image:
    """Give a picture that no codec makes much smaller than its pixels."""
    pixels = random.Random(7).randbytes(side * side * 3)  # noqa: S311 -- no secret
    out = BytesIO()
    PIL.Image.frombytes("RGB", (side, side), pixels).save(out, "PNG", compress_level=1)
    return Image(data=out.getvalue(), mime="image/png")


def in_a_message(picture: Image) -> Request:
    return Request(messages=(user(picture),))


def in_a_result(picture: Image) -> Request:
    call = ToolCall(id="call_1", name="see", arguments="{}")
    result = ToolResult(id="call_1", name="see", content=(picture,))
    return Request(messages=(user("Look."), assistant(call), Message(role="tool", parts=(result,))))


def pictures(request: Request) -> list[Image]:
    parts = [part for message in request.messages for part in message.parts]
    inside = [p for part in parts if isinstance(part, ToolResult) for p in part.content]
    return [part for part in (*parts, *inside) if isinstance(part, Image)]


@pytest.mark.parametrize("ask", [in_a_message, in_a_result])
def test_four_megabytes_are_too_many_for_five(ask: Callable[[Image], Request]) -> None:
    picture = noise(1180)
    assert len(picture.data) < LIMIT < len(b64encode(picture.data))
    request = ask(picture)
    fitted = fit(request, ANTHROPIC, dialect="anthropic")
    (sent,) = pictures(fitted.request)
    assert len(b64encode(sent.data)) <= LIMIT
    assert pictures(request) == [picture]  # the caller's own copy is left alone


@pytest.mark.parametrize("ask", [in_a_message, in_a_result])
def test_what_is_just_small_enough_is_left_alone(ask: Callable[[Image], Request]) -> None:
    picture = noise(1100)
    assert len(b64encode(picture.data)) < LIMIT
    (sent,) = pictures(fit(ask(picture), ANTHROPIC, dialect="anthropic").request)
    assert sent.data is picture.data
