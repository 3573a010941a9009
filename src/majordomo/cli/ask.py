"""`majordomo ask`: one question, one answer, for people and for scripts."""

import argparse
import asyncio
import mimetypes
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TextIO

import msgspec

from majordomo.contract import (
    Document,
    Image,
    InvalidRequest,
    JsonObject,
    Malformed,
    Message,
    Options,
    Part,
    Request,
    Response,
    Text,
)
from majordomo.dialects.json import object_at, read
from majordomo.engine.registry import Registry

from .answer import Screen, origin
from .opening import add_config, add_model, open_registry, open_settings, spec_to_use
from .terminal import paint_for


def run(arguments: Sequence[str]) -> int:
    given = parser().parse_args(arguments)
    settings = open_settings(given.config)
    spec = spec_to_use(given.model, settings)
    request = _request(given, sys.stdin)
    response = asyncio.run(_asked(given, request, open_registry(settings), spec))
    if given.json:
        sys.stdout.write(msgspec.json.encode(msgspec.structs.replace(response, raw=None)).decode())
        sys.stdout.write("\n")
    return 0


def parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="majordomo ask",
        description="Ask a model one thing. What comes on standard input is added to the question.",
        epilog="example: git diff | majordomo ask -m anthropic/claude-opus-5 'Review this.'",
    )
    parser.add_argument("question", nargs="*", help="what to ask")
    add_model(parser)
    parser.add_argument("--system", metavar="TEXT", default="", help="what the model is told first")
    parser.add_argument(
        "--image", action="append", default=[], type=Path, metavar="FILE", help="show it a picture"
    )
    parser.add_argument(
        "--file", action="append", default=[], type=Path, metavar="FILE", help="give it a document"
    )
    parser.add_argument("--schema", type=Path, metavar="FILE", help="a JSON Schema to answer in")
    parser.add_argument("--max-tokens", type=int, metavar="N", help="the longest answer")
    parser.add_argument("--temperature", type=float, metavar="T", help="how freely it chooses")
    parser.add_argument("--json", action="store_true", help="the whole reply as one JSON object")
    parser.add_argument(
        "-v", "--verbose", action="store_true", help="say who served, and what was changed"
    )
    add_config(parser)
    return parser


async def _asked(
    given: argparse.Namespace, request: Request, registry: Registry, spec: str
) -> Response:
    async with registry:
        stream = registry.parse(spec).stream(request)
        if given.json:
            return await stream.response()
        response = await Screen(sys.stdout).show(stream)
    sys.stdout.flush()
    sys.stderr.write(origin(response, paint_for(sys.stderr), wordy=given.verbose))
    return response


def _request(given: argparse.Namespace, stdin: TextIO) -> Request:
    piped = "" if stdin.isatty() else stdin.read()
    words = "\n\n".join(filter(None, (" ".join(given.question), piped.rstrip("\n"))))
    pictures = [_media(path) for path in (*given.image, *given.file)]
    if not words and not pictures:
        raise InvalidRequest("nothing is asked: write the question, or give it on standard input")
    parts: tuple[Part, ...] = (*pictures, *((Text(text=words),) if words else ()))
    options: Options = {"system": given.system}
    if given.max_tokens is not None:
        options["max_tokens"] = given.max_tokens
    if given.temperature is not None:
        options["temperature"] = given.temperature
    if given.schema is not None:
        options["schema"] = _schema(given.schema)
    return Request(messages=(Message(role="user", parts=parts),)).with_options(**options)


def _media(path: Path) -> Image | Document:
    mime = mimetypes.guess_type(path.name)[0] or "application/octet-stream"
    data = _read(path)
    if mime.startswith("image/"):
        return Image(data=data, mime=mime)  # fitting looks at the bytes; the name is a first guess
    return Document(data=data, mime=mime, name=path.name)


def _schema(path: Path) -> JsonObject:
    try:
        return object_at(read(_read(path), str(path)), str(path))
    except Malformed as error:
        raise InvalidRequest(f"a JSON Schema is needed: {error}") from error


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise InvalidRequest(f"{path}: {error.strerror or error}") from error
