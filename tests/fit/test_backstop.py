"""The last look before sending: each thing a target cannot take, by name."""

import pytest

from majordomo.contract import (
    Capabilities,
    Document,
    DocumentLimits,
    Image,
    ImageLimits,
    Request,
    Text,
    Tool,
    ToolResult,
    Unsupported,
    tool_results,
    user,
)
from majordomo.fit.backstop import check

PNG = Image(data=b"123", mime="image/png")
PDF = Document(data=b"123", mime="application/pdf")
RESULT = tool_results(ToolResult(id="c", content=(Text(text="x"), PNG)))


def asking(*messages: object, **fields: object) -> Request:
    # A table's rows name fields by keyword.
    return Request(messages=messages or (user("hi"),), **fields)  # pyright: ignore[reportArgumentType]


REFUSED: dict[str, tuple[Request, Capabilities, str, str]] = {
    "tools where there are none": (
        asking(tools=(Tool(name="t"),)),
        Capabilities(tools="off"),
        "no tools",
        "tools",
    ),
    "tools that were not emulated": (
        asking(tools=(Tool(name="t"),)),
        Capabilities(tools="emulated"),
        "no tools",
        "tools",
    ),
    "a schema": (
        asking(schema={"type": "object"}),
        Capabilities(structured="prompt"),
        "no schema",
        "schema",
    ),
    "any JSON": (asking(schema={}), Capabilities(json_mode=False), "no JSON mode", "schema"),
    "an image": (asking(user(PNG)), Capabilities(images=None), "no images", "messages[0].parts[0]"),
    "an image in a result": (
        asking(user("x"), RESULT),
        Capabilities(images=None),
        "no images",
        "messages[1].parts[0].content[1]",
    ),
    "too many images": (
        asking(user(PNG, PNG), RESULT),
        Capabilities(images=ImageLimits(max_count=2)),
        "3 images; this target takes 2",
        "messages",
    ),
    "a kind of image": (
        asking(user("x", PNG)),
        Capabilities(images=ImageLimits(mimes=("image/jpeg",))),
        "image/png at messages[0].parts[1]; this target takes image/jpeg",
        "messages[0].parts[1]",
    ),
    "an image too large, as base64": (
        asking(user(PNG)),
        Capabilities(images=ImageLimits(max_bytes=3)),
        "4 bytes",
        "messages[0].parts[0]",
    ),
    "an image too large, as it is": (
        asking(user(PNG)),
        Capabilities(images=ImageLimits(max_bytes=2, base64=False)),
        "3 bytes",
        "messages[0].parts[0]",
    ),
    "a document": (asking(user(PDF)), Capabilities(), "no documents", "messages[0].parts[0]"),
    "too many documents": (
        asking(user(PDF, PDF)),
        Capabilities(documents=DocumentLimits(max_count=1)),
        "2 documents",
        "messages",
    ),
    "a kind of document": (
        asking(user(PDF)),
        Capabilities(documents=DocumentLimits(mimes=("text/plain",))),
        "application/pdf",
        "messages[0].parts[0]",
    ),
    "a document too large": (
        asking(user(PDF)),
        Capabilities(documents=DocumentLimits(max_bytes=2)),
        "3 bytes",
        "messages[0].parts[0]",
    ),
}


@pytest.mark.parametrize(
    ("request_", "capabilities", "words", "parameter"), REFUSED.values(), ids=REFUSED.keys()
)
def test_what_cannot_be_taken_is_named(
    request_: Request, capabilities: Capabilities, words: str, parameter: str
) -> None:
    with pytest.raises(Unsupported) as raised:
        check(request_, capabilities)
    assert words in raised.value.message
    assert raised.value.parameter == parameter


TAKEN: dict[str, tuple[Request, Capabilities]] = {
    "plain words, whatever the target lacks": (
        asking(),
        Capabilities(tools="off", structured="off", json_mode=False, images=None),
    ),
    "tools": (asking(tools=(Tool(name="t"),)), Capabilities()),
    "a schema without JSON mode": (
        asking(schema={"type": "object"}),
        Capabilities(json_mode=False),
    ),
    "JSON mode without schemas": (asking(schema={}), Capabilities(structured="prompt")),
    "an image that just fits": (
        asking(user(PNG)),
        Capabilities(images=ImageLimits(max_bytes=4, max_count=1)),
    ),
    "a document": (asking(user(PDF)), Capabilities(documents=DocumentLimits(max_bytes=3))),
}


@pytest.mark.parametrize(("request_", "capabilities"), TAKEN.values(), ids=TAKEN.keys())
def test_what_can_be_taken_passes(request_: Request, capabilities: Capabilities) -> None:
    check(request_, capabilities)
