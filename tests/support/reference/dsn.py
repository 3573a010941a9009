"""The page about DSNs, from the table of options."""

from collections.abc import Iterator

from majordomo.catalog.provider import Timeouts
from majordomo.catalog.providers import PROVIDERS
from majordomo.config.dsn import SCHEMES
from majordomo.config.option import OPTIONS, BadValue, Option
from majordomo.contract import Capabilities
from majordomo.dialects.dialect import Wire

from .comment import comments
from .field import code, table

_PLACES = {
    "capabilities": "what it can take",
    "images": "images it can take",
    "documents": "documents it can take",
    "wire": "how it says things",
    "timeouts": "seconds of patience",
    "provider": "who pays",
}

WORDS = {
    "tools": "its own, written into the prompt, or none",
    "structured": "answers in a schema: its own, through a forced tool, by asking for it, none",
    "streaming": "it can stream",
    "json_mode": "it can be held to JSON of any shape",
    "parallel": "it can be told to make one call at a time",
    "without": "knobs it refuses: they are dropped, with a note",
    "images": "it sees",
    "image_types": "formats it takes; others are re-encoded",
    "max_images": "in one request",
    "max_image_px": "the longer side; larger ones are shrunk",
    "max_image_bytes": "of one image; larger ones are shrunk",
    "documents": "it reads PDFs",
    "stream_usage": "it takes `stream_options.include_usage`",
    "timeout": "silence before the first byte and after it",
    "connect_timeout": "to connect",
    "first_byte_timeout": "silence before the first byte",
    "idle_timeout": "silence after the first byte",
    "total_timeout": "for a reply in all",
    "auth": "the header the key goes in",
    "max_tools": "in one request",
    "max_context": "tokens",
    "max_output": "tokens",
    "max_request_bytes": "of a whole request",
    "schema": "which JSON Schema its structured output takes",
    "tool_schema": "which JSON Schema its tools take",
    "max_tokens_field": "its word for the longest answer",
    "reasoning_field": "its word for reasoning in the history",
    "system_role": "its word for the system's role",
    "seed_field": "its word for the seed",
    "result_media": "images and documents inside tool results",
}


def page() -> str:
    return "\n".join(_lines()) + "\n"


def _lines() -> Iterator[str]:
    yield "# DSNs"
    yield ""
    yield "<!-- Made by `make reference` from the table of options; a test compares. -->"
    yield ""
    yield "A provider in one line, in a variable or under `[providers]`:"
    yield ""
    yield "```text"
    yield 'dsn     = scheme ["+http"] "://" [key "@"] host [":" port] [path] ["?" options]'
    yield "scheme  = " + " | ".join(f'"{scheme}"' for scheme in SCHEMES)
    yield 'options = option "=" value { "&" option "=" value }'
    yield "```"
    yield ""
    yield "```sh"
    yield "export LLM_BOX='openai+http://my-key@192.0.2.7:8000/v1?tools=emulated&max_image_px=1024'"
    yield "```"
    yield ""
    yield "`LLM_MY_BOX` makes the provider `my-box`. TLS is the default; `+http` turns it off."
    yield "A `/`, `?`, `#` or `@` in a key is written `%2F`, `%3F`, `%23`, `%40`. Without a path"
    yield "the scheme's usual one is used. The usual key variables only go to the usual host."
    yield "Errors name the variable and the problem, never any of the value."
    yield ""
    yield "## Schemes"
    yield ""
    rows = [
        (code(s), code(PROVIDERS[s].dialect), code(_path(PROVIDERS[s].base_url))) for s in SCHEMES
    ]
    yield from table(("scheme", "dialect", "path, if none is given"), rows)
    yield ""
    yield "## Options"
    yield ""
    yield "[`majordomo probe`](cli.md#probe) finds out which ones an endpoint needs."
    for place, title in _PLACES.items():
        yield ""
        yield f"### {title[0].upper()}{title[1:]}"
        yield ""
        found = [(name, option) for name, option in OPTIONS.items() if option.place == place]
        lines = [(code(name), _values(option), _words(name, option)) for name, option in found]
        yield from table(("option", "value", "meaning"), lines)


def _values(option: Option) -> str:
    """Ask the reader itself what it wants, by giving it what nobody could want."""
    try:
        option.read("\x00")
    except BadValue as wanted:
        return str(wanted).removeprefix("must be ")
    return "text"


def _words(name: str, option: Option) -> str:
    if name in WORDS:
        return WORDS[name]
    for kind in (Capabilities, Wire, Timeouts):
        words = comments(kind).get(option.field, "")
        if words:
            return words
    raise AssertionError(f"nobody says what {name} means")


def _path(url: str) -> str:
    return (
        "/" + url.partition("://")[2].partition("/")[2] if "/" in url.partition("://")[2] else "/"
    )
