"""How many tokens a request is, roughly, where nobody upstream will say.

Counts everything a model reads: text, tools, calls, results, images. Only an estimate, and
said to be one: no tokenizer fits all models, and a client that compacts its history needs a
number that grows with the history, not an exact one.
"""

from typing import assert_never

from majordomo.contract import (
    Document,
    Image,
    Message,
    Opaque,
    Part,
    Request,
    Text,
    Thinking,
    ToolCall,
    ToolResult,
)
from majordomo.dialects.json import write

PER_MESSAGE = 4  # roles and separators
PER_IMAGE = 1600  # what a full-size image costs at the larger providers
PER_DOCUMENT_KB = 25


def estimate(request: Request) -> int:
    tools = 0
    for tool in request.tools:
        tools += tokens(tool.name) + tokens(tool.description)
        tools += json_tokens(len(write(tool.parameters)))
    schema = json_tokens(len(write(request.schema))) if request.schema else 0
    system = tokens(request.system) + PER_MESSAGE if request.system else 0
    return system + tools + schema + sum(map(_message, request.messages))


def tokens(text: str) -> int:
    """About four letters a token in alphabets, about one sign a token beyond them."""
    if text.isascii():
        return (len(text) + 3) // 4
    # Counted by their first bytes, in C: sign by sign, one dash in a long prompt costs a
    # millisecond and a half.
    wide = len(text.encode(errors="surrogatepass").translate(None, _NARROW))
    return wide + (len(text) - wide + 2) // 3


_NARROW = bytes({*range(256)} - {*range(0xE3, 0xF5)})  # what no sign from U+3000 on begins with


def json_tokens(size: int) -> int:
    return (size + 2) // 3  # punctuation packs worse than prose


def _message(message: Message) -> int:
    said = [tokens(p.text) if type(p) is Text else _part(p) for p in message.parts]
    return PER_MESSAGE + sum(said)


def _part(part: Part) -> int:
    match part:
        case Text(text=text) | Thinking(text=text):
            return tokens(text)
        case Image():
            return PER_IMAGE
        case Document(data=data):
            return PER_DOCUMENT_KB * (len(data) // 1024 + 1)
        case ToolCall(name=name, arguments=arguments):
            return tokens(name) + json_tokens(len(arguments)) + PER_MESSAGE
        case ToolResult(content=content):
            return PER_MESSAGE + sum(map(_part, content))
        case Opaque(value=value):
            return json_tokens(len(write(value)))
        case _:
            assert_never(part)
