"""`majordomo chat`: what is said, remembered, and done about slashes, tools and interruptions."""

import asyncio
import io
import os
import signal
import sys
import threading
from pathlib import Path

import pytest

from majordomo.cli.chat_line import history_file, lines
from majordomo.cli.conversation import Conversation
from majordomo.contract import Response, Start, TextDelta, ToolCall
from majordomo.engine.registry import Registry
from majordomo.testing import DialectServer, Stall
from support.command import Said, called

TOOLS = '''
def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b

async def fail() -> None:
    """Always fail."""
    raise ValueError("no luck")

def _hidden() -> None: ...
'''


def talked(
    said: str,
    server: DialectServer,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> Said:
    monkeypatch.setattr(sys, "stdin", io.StringIO(said))
    monkeypatch.setenv("LLM_UP", f"openai+{server.url}/v1")
    return called(capsys, "chat", "-m", "up/m")


def test_a_conversation_is_remembered_until_it_is_cleared(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with DialectServer.in_thread("openai_chat", ["One.", "Two.", "Three."]) as server:
        said = talked("first\nsecond\n/clear\nthird\n", server, monkeypatch, capsys)
        heard = [len(seen.ask.request.messages) for seen in server.requests if seen.ask]
    assert said.out == "One.\nTwo.\n  forgotten\nThree.\n"
    assert heard == [1, 3, 1]


def test_slashes_are_for_the_program(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    typed = "/model\n/model up/n\n/system Be brief.\n/tools\n/help\n/nonsense\n/quit\nnever\n"
    with DialectServer.in_thread("openai_chat", []) as server:
        said = talked(typed, server, monkeypatch, capsys)
    assert said.code == 0
    assert said.out.startswith("  up/m\n  up/n\n  Be brief.\n  none; /tools FILE")
    assert "/clear" in said.out
    assert "there is no /nonsense here" in said.err


def test_a_model_that_is_not_there_does_not_end_the_conversation(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with DialectServer.in_thread("openai_chat", ["Still here."]) as server:
        said = talked("/model nobody\nhello\n", server, monkeypatch, capsys)
    assert "unknown alias 'nobody'" in said.err
    assert said.out == "Still here.\n"


def test_tools_of_a_file_are_run(
    here: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (here / "tools.py").write_text(TOOLS)
    calls = (
        ToolCall(id="a", name="add", arguments='{"a": 2, "b": 3}'),
        ToolCall(id="b", name="fail", arguments="{}"),
        ToolCall(id="c", name="add", arguments='{"a": "many"}'),
    )
    first = Response(parts=calls, finish_reason="tool_calls")
    with DialectServer.in_thread("openai_chat", [first, "Five."]) as server:
        said = talked("/tools tools.py\nadd them\n", server, monkeypatch, capsys)
        asked = server.requests[1].ask
    assert said.out == "  add, fail\nFive.\n"
    assert asked is not None
    results = [result for m in asked.request.messages for result in m.tool_results]
    assert results[0].text == "5"
    assert "no luck" in results[1].text
    assert results[2].is_error


BAD_TOOLS = {
    "no file": ("none.py", "FileNotFoundError"),
    "an error in it": ("broken.py", "SyntaxError"),
    "nothing in it": ("empty.py", "defines no function"),
}


@pytest.mark.parametrize(("name", "said"), BAD_TOOLS.values(), ids=BAD_TOOLS.keys())
def test_a_bad_file_of_tools_is_said(
    name: str, said: str, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (here / "broken.py").write_text("def (")
    (here / "empty.py").write_text("x = 1")
    heard = called(capsys, "chat", "-m", "openai/x", "--tools", name)
    assert heard.code == 2
    assert said in heard.err


def test_several_lines_make_one_thing_said(monkeypatch: pytest.MonkeyPatch) -> None:
    typed = 'one \\\ntwo\n\n"""\nthree\n\nfour\n"""\n'
    monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
    assert list(lines("")) == ["one \ntwo", "three\n\nfour"]


def test_an_interrupted_answer_keeps_what_was_said(capsys: pytest.CaptureFixture[str]) -> None:
    script = [[Start(), TextDelta(text="Once upon"), Stall()], "The end."]
    with DialectServer.in_thread("openai_chat", script) as server:
        conversation = Conversation(Registry(providers={"up": f"openai+{server.url}/v1"}), "up/m")
        with asyncio.Runner() as runner:
            threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
            with pytest.raises(KeyboardInterrupt):
                runner.run(conversation.answer("a story"))
            conversation.stopped()
            assert [m.text for m in conversation.messages] == ["a story", "Once upon"]
            runner.run(conversation.answer("go on"))
            assert conversation.messages[-1].text == "The end."
            runner.run(conversation.aclose())
    assert "Once upon" in capsys.readouterr().out


def test_an_untimely_interruption_ends_nothing(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    turns = iter([KeyboardInterrupt(), KeyboardInterrupt(), None])

    def taken(*_: object) -> bool:
        problem = next(turns)
        if problem is not None:
            raise problem
        return False

    monkeypatch.setattr("majordomo.cli.chat._turns", taken)
    monkeypatch.setattr(sys, "stdin", io.StringIO(""))
    assert called(capsys, "chat", "-m", "openai/x").code == 0
    assert next(turns, "all were taken") == "all were taken"


def test_the_history_is_kept_where_the_system_keeps_state(tmp_path: Path) -> None:
    kept = history_file({"XDG_STATE_HOME": str(tmp_path)})
    assert kept == tmp_path / "majordomo" / "history"


def test_a_file_may_say_itself_which_functions_are_tools(
    here: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    text = "from majordomo.agent import tool\n@tool\ndef one() -> int: return 1\ndef two(): ...\n"
    (here / "made.py").write_text(text)
    (here / "more.py").write_text("def three() -> int: return 3\n")
    (here / "odd.py").write_text("import socket\ndef four(s: socket.socket): ...\n")
    with DialectServer.in_thread("openai_chat", []) as server:
        typed = "/tools made.py\n/tools made.py\n/tools more.py\n/tools odd.py\n"
        said = talked(typed, server, monkeypatch, capsys)
    assert said.out == "  one\n  one\n  one, three\n"
    assert "odd.py: parameter 's'" in said.err
