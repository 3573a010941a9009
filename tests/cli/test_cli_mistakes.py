"""Each of the eight mistakes is told with what, where and what to do; `doctor` finds each."""

import io
import sys
from importlib import util
from importlib.machinery import ModuleSpec
from pathlib import Path

import msgspec
import pytest

from majordomo.cli.finding import Finding
from majordomo.testing import DialectServer
from support.command import called
from support.mistakes import MISTAKES, Mistake, Planted, planted


@pytest.fixture(autouse=True)
def no_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO(""))


def set_up(monkeypatch: pytest.MonkeyPatch, made: Planted) -> None:
    for name, value in made.environ.items():
        monkeypatch.setenv(name, value)
    if made.missing:
        really = util.find_spec
        monkeypatch.setitem(sys.modules, made.missing, None)
        monkeypatch.delitem(sys.modules, "majordomo.gateway.workers", raising=False)

        def find(name: str, package: str | None = None) -> ModuleSpec | None:
            return None if name == made.missing else really(name, package)

        monkeypatch.setattr("majordomo.cli.check_setup.find_spec", find)


@pytest.mark.parametrize("mistake", MISTAKES.values(), ids=MISTAKES.keys())
def test_the_message_says_what_where_and_what_to_do(
    mistake: Mistake,
    here: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    with planted(mistake, here) as made:
        set_up(monkeypatch, made)
        said = called(capsys, *made.arguments)
    for words in mistake.said:
        assert words in said.err
    assert said.code == mistake.code
    assert said.out == ""
    assert "Traceback" not in said.err
    for secret in ("sk-wrong", "sk-secret"):
        assert secret not in said.err


@pytest.mark.parametrize("mistake", MISTAKES.values(), ids=MISTAKES.keys())
def test_doctor_finds_it(
    mistake: Mistake,
    here: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    with planted(mistake, here) as made:
        set_up(monkeypatch, made)
        specs = [made.arguments[made.arguments.index("-m") + 1]] if "-m" in made.arguments else []
        said = called(capsys, "doctor", "--json", *specs)
        shown = called(capsys, "doctor", *specs)
    findings = msgspec.json.decode(said.out, type=list[Finding])
    wrong = [each for each in findings if each.level == "wrong"]
    assert said.code == 1
    assert [each.check for each in wrong if mistake.found in each.said] == [mistake.check]
    assert any(mistake.fix in each.fix for each in wrong)
    assert "✗" in shown.out
    for secret in ("sk-wrong", "sk-secret"):
        assert secret not in said.out + said.err + shown.out


def test_doctor_finds_nothing_where_nothing_is_wrong(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with DialectServer.in_thread("anthropic", lambda _: "OK") as server:
        (here / "majordomo.toml").write_text(
            f"default = 'up/m'\n[providers]\nup = 'anthropic+{server.url}'\n[gateway]\nport = 0\n"
        )
        said = called(capsys, "doctor")
    assert said.code == 0
    assert "up/m: said 'OK'" in said.out
    assert said.out.endswith("nothing wrong\n")


def test_doctor_looks_at_what_is_right_of_a_file_that_is_partly_wrong(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (here / "majordomo.toml").write_text(
        "default = 'nobody'\n[providers]\nup = 'ollama+http://127.0.0.1:9'\nbad = 'x'\n"
        "[aliases]\na = 'up/m'\n[gateway]\nport = 0\n"
    )
    said = called(capsys, "doctor", "--json")
    wrong = [each.said for each in msgspec.json.decode(said.out, type=list[Finding]) if each.fix]
    assert [words.partition(":")[0] for words in wrong[:2]] == ["line 4", "line 1"]
    assert any("cannot connect" in words for words in wrong)
