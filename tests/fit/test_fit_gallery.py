"""Every file of the gallery through every kind of limit: it fits or is refused, never a crash."""

# Pillow's stubs name numpy, which is not installed.
# pyright: reportUnknownMemberType=false

from base64 import b64encode
from io import BytesIO
from typing import cast

import pytest
from PIL import Image as Pillow

from majordomo.catalog.providers import PROVIDERS
from majordomo.contract import Capabilities, Image, ImageLimits, Request, Unsupported, user
from majordomo.fit import fit
from majordomo.fit.media.sniff import Found, sniff
from support.gallery import GOOD, HOSTILE, made

# What the built-in providers take, each kind once, and stranger limits than any of them has.
_LIMITS: dict[str, ImageLimits] = {
    "no limit": ImageLimits(),
    **{
        name: provider.capabilities.images
        for name, provider in sorted(PROVIDERS.items(), reverse=True)
        if provider.capabilities.images is not None
    },
    "safe everywhere": ImageLimits(
        mimes=("image/jpeg", "image/png"), max_side=2000, max_bytes=4_500_000
    ),
    "only jpeg": ImageLimits(mimes=("image/jpeg",), max_side=1568),
    "only png": ImageLimits(mimes=("image/png",), max_bytes=60_000),
    "only webp": ImageLimits(mimes=("image/webp",), max_side=64, animated=True),
    "tiny": ImageLimits(max_side=32, max_bytes=2_000),
    "few pixels": ImageLimits(max_pixels=1_000),
    "counts raw bytes": ImageLimits(max_bytes=3_000, base64=False),
}
LIMITS = {name: limits for limits, name in {one: name for name, one in _LIMITS.items()}.items()}


def fitted_image(data: bytes, limits: ImageLimits) -> Image:
    request = Request(messages=(user("look", Image(data=data, mime="image/gif")),))
    fitted = fit(request, Capabilities(images=limits), dialect="openai_chat")
    image = fitted.request.messages[0].parts[1]
    assert isinstance(image, Image)
    return image


@pytest.mark.parametrize("limits", LIMITS.values(), ids=LIMITS.keys())
@pytest.mark.parametrize("name", GOOD)
def test_every_real_picture_fits_every_limit(name: str, limits: ImageLimits) -> None:
    arrived = fitted_image(made(name), limits)
    found = sniff(arrived.data)
    assert found is not None
    assert_within(arrived, found, limits)
    assert_decoded_within(arrived, limits)


@pytest.mark.parametrize("limits", LIMITS.values(), ids=LIMITS.keys())
@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_file_is_refused_in_words_or_within_the_limits(
    name: str, limits: ImageLimits
) -> None:
    try:
        arrived = fitted_image(made(name), limits)
    except Unsupported as refusal:
        place = refusal.message
    else:
        place = "messages[0].parts[1]"
        found = sniff(arrived.data)
        assert found is not None
        assert_within(arrived, found, limits)
    assert place.startswith("messages[0].parts[1]")


def assert_within(image: Image, found: Found, limits: ImageLimits) -> None:
    assert image.mime == found.mime
    assert image.mime in limits.mimes
    length = len(b64encode(image.data)) if limits.base64 else len(image.data)
    assert limits.max_bytes is None or length <= limits.max_bytes
    assert limits.max_side is None or max(found.width, found.height) <= limits.max_side
    assert limits.max_pixels is None or found.pixels <= limits.max_pixels
    assert limits.animated or not found.animated


def assert_decoded_within(image: Image, limits: ImageLimits) -> None:
    """Decode what arrives, fully: a header is easily faked."""
    picture = Pillow.open(BytesIO(image.data))
    picture.load()
    assert Pillow.MIME[picture.format or ""] == image.mime
    assert limits.max_side is None or max(picture.size) <= limits.max_side
    assert limits.max_pixels is None or picture.width * picture.height <= limits.max_pixels
    assert limits.animated or cast("int", getattr(picture, "n_frames", 1)) == 1


def test_the_gallery_is_as_large_as_promised() -> None:
    assert len(GOOD) + len(HOSTILE) >= 60


@pytest.mark.parametrize("name", GOOD)
def test_headers_tell_what_the_codec_tells(name: str) -> None:
    found = sniff(made(name))
    with Pillow.open(BytesIO(made(name))) as picture:
        assert found is not None
        assert found.mime == Pillow.MIME[picture.format or ""]
        assert (found.width, found.height) == picture.size
        assert found.animated == (cast("int", getattr(picture, "n_frames", 1)) > 1)


@pytest.mark.parametrize("name", [*GOOD, *HOSTILE])
def test_a_header_cut_anywhere_is_read_without_a_crash(name: str) -> None:
    data = made(name)
    for end in (*range(min(len(data), 64)), *range(64, min(len(data), 1200), 37)):
        sniff(data[:end])
