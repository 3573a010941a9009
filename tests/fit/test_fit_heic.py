"""HEIC: passed where it is taken, converted where its decoder is installed, else refused."""

# Pillow's stubs name numpy, which is not installed.
# pyright: reportUnknownMemberType=false

import sys
from io import BytesIO
from types import SimpleNamespace
from typing import IO

import pytest
from PIL import Image as Pillow
from PIL import ImageFile

from majordomo.contract import Capabilities, Image, ImageLimits, Request, Unsupported, user
from majordomo.fit import fit
from support.gallery import made, saved

HEIC = Request(messages=(user(Image(data=made("heic"), mime="image/heic")),))


def test_it_passes_where_the_target_takes_it() -> None:
    limits = ImageLimits(mimes=("image/heic",), max_side=100)
    assert fit(HEIC, Capabilities(images=limits), dialect="gemini").request is HEIC


def test_without_a_decoder_the_refusal_says_what_is_missing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "pillow_heif", None)  # as if it were not installed
    with pytest.raises(Unsupported, match="needs the package pillow-heif"):
        fit(HEIC, Capabilities(), dialect="anthropic")


def sees_grey(file: IO[bytes], name: str | bytes) -> ImageFile.ImageFile:
    """A decoder that sees the same grey picture in every file."""
    del file, name
    return Pillow.open(BytesIO(saved(Pillow.new("L", (64, 32), 128), "BMP")))


def test_with_a_decoder_it_is_converted(monkeypatch: pytest.MonkeyPatch) -> None:
    def register_heif_opener() -> None:
        Pillow.register_open("HEIF", sees_grey, lambda prefix: prefix[4:8] == b"ftyp")

    stand_in = SimpleNamespace(register_heif_opener=register_heif_opener)
    monkeypatch.setitem(sys.modules, "pillow_heif", stand_in)
    monkeypatch.setattr(Pillow, "OPEN", dict(Pillow.OPEN))
    monkeypatch.setattr(Pillow, "ID", list(Pillow.ID))
    fitted = fit(HEIC, Capabilities(images=ImageLimits(max_side=32)), dialect="anthropic")
    arrived = fitted.request.messages[0].parts[0]
    assert isinstance(arrived, Image)
    assert arrived.mime == "image/jpeg"
    assert Pillow.open(BytesIO(arrived.data)).size == (32, 16)
