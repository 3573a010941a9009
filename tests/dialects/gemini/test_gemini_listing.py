"""What Gemini's clients ask besides generating."""

from majordomo.dialects.gemini import encode_count, encode_model, encode_models
from majordomo.dialects.json import read
from support.schemas import assert_valid

METHODS = ["generateContent", "streamGenerateContent", "countTokens"]


def test_lists_models_for_the_sdk() -> None:
    body = read(encode_models(["fast", "a/x"]))
    assert_valid(body, "gemini.models.list")
    assert body == {
        "models": [
            {"name": "models/fast", "displayName": "fast", "supportedGenerationMethods": METHODS},
            {"name": "models/a/x", "displayName": "a/x", "supportedGenerationMethods": METHODS},
        ]
    }


def test_shows_one_model() -> None:
    assert read(encode_models(["m"])) == {"models": [read(encode_model("m"))]}


def test_counts_tokens() -> None:
    body = read(encode_count(7))
    assert_valid(body, "gemini.count_tokens.response")
    assert body == {"totalTokens": 7}
