"""Every command of the documentation exists, and takes the options it is shown with."""

import json
import re
import shlex
import tomllib
from collections.abc import Iterator

import pytest

from majordomo.cli.completion import parser_of
from majordomo.cli.main import COMMANDS
from majordomo.cli.run import split
from majordomo.config.dsn import parse_dsn
from majordomo.config.env import PREFIX, provider_of
from majordomo.config.file import parse
from majordomo.contract import InvalidRequest
from support.docs_pages import ROOT, Block, blocks

OTHERS = {"claude", "codex", "gemini", "curl", "git", "kill", "eval", "source", "cat", "export"}
_ASSIGNMENT = re.compile(r"[A-Za-z_]\w*=")


def commands(block: Block) -> Iterator[list[str]]:
    """Cut a block into commands: continued lines joined, comments dropped, pipes taken apart."""
    text = block.text.replace("\\\n", " ")
    if block.language == "console":
        text = "\n".join(line[2:] for line in text.splitlines() if line.startswith("$ "))
    for line in text.splitlines():
        lexer = shlex.shlex(line, posix=True, punctuation_chars="|&;")
        lexer.whitespace_split = True
        words: list[str] = []
        for word in lexer:
            if word and set(word) <= set("|&;"):
                yield words
                words = []
            else:
                words.append(word)
        if words:
            yield words


def checked(words: list[str]) -> None:
    """See that one command could be run as it is written."""
    while words and (_ASSIGNMENT.match(words[0]) or words[0] == "export"):
        name, _, value = words.pop(0).partition("=")
        if name.startswith(PREFIX):
            parse_dsn(provider_of(name), value)
    if not words:
        return
    program, *arguments = words
    if program == "majordomo":
        majordomo(arguments)
    elif program == "make":
        targets = re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE)
        assert set(arguments) <= set(targets), arguments
    elif program == "pip":
        extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
        wanted = re.findall(r"pymajordomo(?:\[([\w,]+)\])?", " ".join(arguments))
        assert wanted
        asked = {extra for each in wanted for extra in each.split(",") if extra}
        assert asked <= set(extras["optional-dependencies"])
    else:
        assert program in OTHERS, f"nobody knows {program}"


def majordomo(arguments: list[str]) -> None:
    if arguments[0] in ("--help", "--version"):
        return
    command, *rest = arguments
    assert command in COMMANDS
    ours, _ = split(rest) if command == "run" else (rest, ())
    parser_of(command).parse_args(ours)


SHELL = blocks("sh", "bash", "console")


@pytest.mark.parametrize("block", SHELL, ids=[block.name for block in SHELL])
def test_a_command_can_be_run_as_it_is_written(block: Block) -> None:
    for words in commands(block):
        checked(words)


WRONG = {
    "no such command": "majordomo aks x",
    "no such option": "majordomo ask --no-such",
    "no such target": "make nothing",
    "no such program": "frobnicate",
    "no such scheme": "export LLM_X=nothing",
    "no such extra": "pip install 'pymajordomo[nothing]'",
    "wrong behind a pipe": "git diff | majordomo ask --no-such",
}


@pytest.mark.parametrize("line", WRONG.values(), ids=WRONG.keys())
def test_a_command_that_cannot_be_run_is_noticed(line: str) -> None:
    block = Block(page="", line=1, language="sh", text=line)
    with pytest.raises((AssertionError, SystemExit, InvalidRequest)):
        test_a_command_can_be_run_as_it_is_written(block)


TOML = blocks("toml")


@pytest.mark.parametrize("block", TOML, ids=[block.name for block in TOML])
def test_a_configuration_can_be_read(block: Block) -> None:
    first = block.text.partition("\n")[0]
    if first.startswith("# ~/"):  # another program's
        tomllib.loads(block.text)
        return
    parse(block.text, dict.fromkeys(re.findall(r"\$\{(\w+)\}", block.text), "value"))


JSON = blocks("json")


@pytest.mark.parametrize("block", JSON, ids=[block.name for block in JSON])
def test_json_can_be_read(block: Block) -> None:
    json.loads(block.text)


def test_every_language_of_a_block_is_looked_at() -> None:
    found = {block.language for block in blocks()}
    shown = {"", "text"}  # pictures and screens
    assert found <= {"python", "sh", "bash", "console", "toml", "json", *shown}
