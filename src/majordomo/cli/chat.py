"""`majordomo chat`: a conversation in the terminal. Ctrl-C stops the answer, not the program."""

import argparse
import asyncio
import sys
from collections.abc import Sequence
from pathlib import Path

from majordomo.contract import Failure, InvalidRequest

from .chat_line import history, lines
from .conversation import Conversation
from .opening import add_config, add_model, open_registry, open_settings, spec_to_use
from .terminal import paint_for

_HELP = """\
  /model [SPEC]   show the model, or go on with another
  /tools [FILE]   show the tools, or offer the functions of a Python file
  /system [TEXT]  show or set what the model is told first
  /clear          forget what was said
  /help           this
  /quit           leave; Ctrl-D does too

End a line with \\ to go on in the next, or put several between two lines of \"\"\".
Ctrl-C stops an answer. The arrow keys bring back what you wrote."""


def run(arguments: Sequence[str]) -> int:
    given = parser().parse_args(arguments)
    settings = open_settings(given.config)
    conversation = Conversation(
        open_registry(settings), spec_to_use(given.model, settings), system=given.system
    )
    if given.tools is not None:
        conversation.offer(given.tools)
    with asyncio.Runner() as runner:
        try:
            if sys.stdin.isatty():
                with history():
                    _talk(conversation, runner)
            else:
                _talk(conversation, runner)
        finally:
            runner.run(conversation.aclose())
    return 0


def parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="majordomo chat",
        description="Talk with a model. /help in the conversation lists what else it can do.",
    )
    add_model(parser)
    parser.add_argument("--system", metavar="TEXT", default="", help="what the model is told first")
    parser.add_argument(
        "--tools", type=Path, metavar="FILE", help="a Python file whose functions it may call"
    )
    add_config(parser)
    return parser


def _talk(conversation: Conversation, runner: asyncio.Runner) -> None:
    paint = paint_for(sys.stdout)
    if sys.stdin.isatty():
        _say(paint(f"{conversation.spec} listens. /help says more; Ctrl-D leaves.", "dim"))
    talking = True
    while talking:
        try:
            talking = _turns(conversation, runner)
        except KeyboardInterrupt:  # between two turns: there is nothing to stop
            _say("")


def _turns(conversation: Conversation, runner: asyncio.Runner) -> bool:
    """Take turns until one leaves; only an untimely Ctrl-C ends this otherwise."""
    for text in lines("> " if sys.stdin.isatty() else ""):
        try:
            if text.startswith("/"):
                if not _command(conversation, text):
                    return False
            else:
                runner.run(conversation.answer(text))
        except Failure as failure:
            from .advice import told  # noqa: PLC0415 -- only when something is wrong

            sys.stderr.write(told(failure))
        except KeyboardInterrupt:
            conversation.stopped()
            _say(paint_for(sys.stdout)("(stopped)", "yellow"))
    return False


def _command(conversation: Conversation, text: str) -> bool:
    """Do what a line beginning with a slash says; False ends the conversation."""
    name, _, rest = text[1:].partition(" ")
    rest = rest.strip()
    match name:
        case "quit" | "exit" | "bye":
            return False
        case "model":
            _say(f"  {conversation.use(rest) if rest else conversation.spec}")
        case "tools":
            names = conversation.offer(Path(rest).expanduser()) if rest else conversation.tools
            _say("  " + (", ".join(names) or "none; /tools FILE offers the functions of a file"))
        case "system":
            conversation.system = rest or conversation.system
            _say(f"  {conversation.system or 'nothing'}")
        case "clear":
            conversation.clear()
            _say("  forgotten")
        case "help":
            _say(_HELP)
        case _:
            raise InvalidRequest(f"there is no /{name} here; /help lists what there is")
    return True


def _say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
