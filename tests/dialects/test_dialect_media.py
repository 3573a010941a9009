"""Base64, data URLs and sealed artefacts, both ways."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from majordomo.contract import Artefact, DialectName, JsonObject, Malformed
from majordomo.dialects.artefact import own, seal, unseal
from majordomo.dialects.media import (
    decode_base64,
    decode_data_url,
    encode_base64,
    encode_data_url,
)

BASE64: dict[str, tuple[str, bytes]] = {
    "nothing": ("", b""),
    "padded": ("AAE=", b"\x00\x01"),
    "not padded": ("AAE", b"\x00\x01"),
    "URL-safe": ("-_-_", b"\xfb\xff\xbf"),
    "standard": ("+/+/", b"\xfb\xff\xbf"),
    "broken into lines": ("AA\nEC\r\nAw ==", b"\x00\x01\x02\x03"),
}


@pytest.mark.parametrize(("text", "data"), BASE64.values(), ids=BASE64.keys())
def test_base64_is_read_in_every_spelling(text: str, data: bytes) -> None:
    assert decode_base64(text, "x") == data


@pytest.mark.parametrize("text", ["%%%%", "A", "AAAAA", "é", "AA\x00A"])
def test_what_is_no_base64_is_named_by_its_place(text: str) -> None:
    with pytest.raises(Malformed, match=r"^a\.b is not valid base64"):
        _ = decode_base64(text, "a.b")


@given(data=st.binary(), mime=st.sampled_from(["image/png", "application/pdf"]))
def test_a_data_url_comes_back_as_it_went(data: bytes, mime: str) -> None:
    assert decode_base64(encode_base64(data), "x") == data
    assert decode_data_url(encode_data_url(data, mime), "x") == (data, mime)


URLS: dict[str, tuple[str, tuple[bytes, str]]] = {
    "with a parameter": ("data:image/png;charset=utf-8;base64,AA==", (b"\x00", "image/png")),
    "without a type": ("data:;base64,AA==", (b"\x00", "application/octet-stream")),
    "with capitals": ("DATA:image/PNG;Base64,AA==", (b"\x00", "image/png")),
    "percent-encoded": ("data:image/png;base64,AA%3D%3D", (b"\x00", "image/png")),
}


@pytest.mark.parametrize(("url", "expected"), URLS.values(), ids=URLS.keys())
def test_odd_data_urls_are_read(url: str, expected: tuple[bytes, str]) -> None:
    assert decode_data_url(url, "x") == expected


WRONG = {
    "no comma": ("data:image/png;base64", "x is not a data URL"),
    "another scheme": ("https://example.org/a,b", "x is not a data URL"),
    "not base64": ("data:text/plain,hi", "x is a data URL without base64"),
    "bad base64": ("data:image/png;base64,!!", "x is not valid base64"),
}


@pytest.mark.parametrize(("url", "complaint"), WRONG.values(), ids=WRONG.keys())
def test_what_is_no_data_url_says_why(url: str, complaint: str) -> None:
    with pytest.raises(Malformed) as caught:
        _ = decode_data_url(url, "x")
    assert str(caught.value).startswith(complaint)


DIALECTS: list[DialectName] = ["openai_chat", "openai_responses", "anthropic", "ollama", "gemini"]


@given(dialect=st.sampled_from(DIALECTS), text=st.text())
def test_a_sealed_artefact_comes_back_whole(dialect: DialectName, text: str) -> None:
    artefact = Artefact(dialect=dialect, value={"signature": text, "n": [1, None]})
    assert unseal(seal(artefact)) == artefact


NOT_SEALED = {
    "a signature of the provider's own": "EqQBCkYIBxgCKkA",
    "an unknown dialect": "mjd1.cohere.e30=",
    "no payload": "mjd1.gemini",
    "cut": "mjd1.gemini.e30x!",
    "not an object": "mjd1.gemini.W10=",
    "nothing": "",
}


@pytest.mark.parametrize("text", NOT_SEALED.values(), ids=NOT_SEALED.keys())
def test_anything_else_is_not_ours(text: str) -> None:
    assert unseal(text) is None


def test_only_the_own_dialect_reads_an_artefact() -> None:
    value: JsonObject = {"x": 1}
    artefact = Artefact(dialect="gemini", value=value)
    assert own(artefact, "gemini") == value
    assert own(artefact, "anthropic") == {}
    assert own(None, "gemini") == {}
