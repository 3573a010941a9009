"""The honest table: which dialect can say what, found by saying it and reading it back."""

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from support.features import REQUEST_FEATURES, RESPONSE_FEATURES
from support.translation import NAMES, dialect_named, said_and_read, told_and_heard

PAGE = Path(__file__).parents[2] / "docs" / "dialects.md"
TITLES = {
    "openai_chat": "OpenAI Chat",
    "openai_responses": "OpenAI Responses",
    "anthropic": "Anthropic",
    "ollama": "Ollama",
    "gemini": "Gemini",
}


def says(feature: str, name: str) -> bool:
    """Whether a request with this feature survives being said in the dialect."""
    row = REQUEST_FEATURES[feature]
    return row.shows(said_and_read(row.request, dialect_named(name))) == row.shows(row.request)


def tells(feature: str, name: str) -> bool:
    """Whether a reply with this feature survives being told in the dialect, streamed and not."""
    row = RESPONSE_FEATURES[feature]
    spoken = dialect_named(name)
    expected = row.shows(row.response)
    return all(
        row.shows(told_and_heard(row.response, spoken, stream=stream)) == expected
        for stream in (False, True)
    )


def page() -> str:
    return "\n".join(_lines()) + "\n"


def _lines() -> Iterator[str]:
    yield "# Dialects and what they can say"
    yield ""
    yield "Made by `make tables` from `tests/support/features.py`, and checked by the tests:"
    yield "each cell was said in the dialect and read back."
    yield "● means nothing of it was lost; - means the dialect has no words for it, and fitting"
    yield "maps it, emulates it, or says in a note that it was dropped."
    yield ""
    yield "## Requests"
    yield ""
    yield from _table(REQUEST_FEATURES, says)
    yield ""
    yield "## Replies"
    yield ""
    yield from _table(RESPONSE_FEATURES, tells)


def _table(features: Iterable[str], holds: Callable[[str, str], bool]) -> Iterator[str]:
    yield "| | " + " | ".join(TITLES.values()) + " |"
    yield "|---" * (len(TITLES) + 1) + "|"
    for feature in features:
        cells = " | ".join("●" if holds(feature, name) else "-" for name in NAMES)
        yield f"| {feature} | {cells} |"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
