"""`majordomo chat` in a real terminal: prompt, colours, interruption, history, the end."""

import sys
from contextlib import AbstractContextManager
from pathlib import Path

from majordomo.contract import Start, TextDelta, ThinkingDelta
from majordomo.testing import DialectServer, Stall
from support.terminal import Terminal
from support.terminal import terminal as terminal_with


def terminal(*arguments: str, environ: dict[str, str]) -> AbstractContextManager[Terminal]:
    return terminal_with([sys.executable, "-m", "majordomo", *arguments], environ)


def test_ctrl_c_stops_the_answer_and_not_the_program(tmp_path: Path) -> None:
    script = [
        [Start(), ThinkingDelta(text="hm"), TextDelta(text="**Once** upon"), Stall()],
        "The end.",
    ]
    with DialectServer.in_thread("openai_chat", script) as server:
        environ = {"LLM_UP": f"openai+{server.url}/v1", "XDG_STATE_HOME": str(tmp_path)}
        with terminal("chat", "-m", "up/m", environ=environ) as screen:
            screen.until("up/m listens")
            screen.until("> ")
            screen.type("a story\\\nabout a fox\n")
            screen.until("… ")
            screen.until("\033[2mhm\033[0m")
            screen.until("\033[1mO\033[0m")
            screen.until(" upon")
            screen.type("\x03")
            screen.until("(stopped)")
            screen.until("> ")
            screen.type("half a li")
            screen.until("half a li")
            screen.type("\x03")
            screen.until("\n")
            screen.until("> ")
            screen.type("go on\n")
            screen.until("The end.")
            screen.type("\x1b[A")
            screen.until("go on")
            screen.type("\x03")
            screen.until("> ")
            screen.type("\x04")
            assert screen.ended() == 0
        asked = server.requests[1].ask
    assert asked is not None
    said = [message.text for message in asked.request.messages]
    assert said == ["a story\nabout a fox", "**Once** upon", "go on"]
    assert "go on" in (tmp_path / "majordomo" / "history").read_text()


def test_ctrl_c_ends_a_single_question_with_130(tmp_path: Path) -> None:
    script = [[Start(), TextDelta(text="Once upon"), Stall()]]
    with DialectServer.in_thread("openai_chat", script) as server:
        environ = {"LLM_UP": f"openai+{server.url}/v1", "HOME": str(tmp_path)}
        with terminal("ask", "-m", "up/m", "a story", environ=environ) as screen:
            screen.until("Once upon")
            screen.type("\x03")
            assert screen.ended() == 130
            assert "Traceback" not in screen.seen
