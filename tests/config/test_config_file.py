"""`majordomo.toml` is read whole, and what is wrong with it is said by line, without secrets."""

from pathlib import Path

import pytest

from majordomo.config.file import find, load, parse, problems, read
from majordomo.contract import InvalidRequest

GOOD = """
default = "fast"

[providers]
up = "openai+http://${UP_KEY}@127.0.0.1:9000/v1?tools=emulated"

[aliases]
fast = "up/small,openai/gpt-5-mini"

[routes]
"claude-*" = "fast"

[gateway]
port = 9999
keys = [{ name = "ci", sha256 = "00", allow = ["up/*"] }]

[gateway.limits]
concurrency = 3
"""


def test_a_good_file_is_read_whole() -> None:
    settings = parse(GOOD, {"UP_KEY": "sk-1"})
    assert settings.providers["up"].startswith("openai+http://sk-1@")
    assert settings.aliases == {"fast": "up/small,openai/gpt-5-mini"}
    assert settings.routes == {"claude-*": "fast"}
    assert (settings.gateway.port, settings.gateway.limits.concurrency) == (9999, 3)
    assert settings.gateway.keys[0].allow == ("up/*",)


WRONG: dict[str, tuple[str, str]] = {
    "not toml": ("a = = 1", r"majordomo\.toml: .*line 1"),
    "an unknown setting": ("\n[gateway]\nprot = 1\n", r":3: there is no setting 'prot'"),
    "a near miss": ("[gateway]\nprot = 1\n", r"in \[gateway\]; did you mean 'port'\?"),
    "a near miss deeper down": (
        "[gateway.limits]\nconcurency = 1\n",
        r":2: there is no setting 'concurency' in \[gateway\.limits\]; did you mean 'concurrency'",
    ),
    "an unknown table": ("[providerz]\nx = 'y'\n", r"did you mean 'providers'\?"),
    "the wrong type": (
        "[gateway]\nhost = 'h'\nport = 'no'\n",
        r":3: gateway\.port: Expected `int`, got `str`",
    ),
    "a missing variable": ("default = '${NOPE}'", r":1: default: the environment has no NOPE"),
    "a word that stands in a comment before": (
        "# port is what it is\n[gateway]\nport = 'no'\n",
        r":3: gateway\.port: Expected `int`, got `str`",
    ),
    "the second of several keys": (
        "[[gateway.keys]]\nname = 'a'\nsha256 = '0'\n[[gateway.keys]]\nnaem = 'b'\n",
        r":5: there is no setting 'naem' in \[gateway\.keys\[1\]\]; did you mean 'name'\?",
    ),
    "nothing near": ("[cooldown]\nzzz = 1\n", r":2: .*'zzz' in \[cooldown\] \(known: threshold,"),
    "patience misspelt": ("[patience]\nretrys = 1\n", r":2: .*did you mean 'retries'\?"),
    "a DSN that is no DSN": (
        "[providers]\ngood = 'ollama+http://h'\nbad = 'opnai://h'\n",
        r":3: providers\.bad: has an unknown scheme; did you mean 'openai'\?",
    ),
    "a name no provider can have": (
        "[providers]\n'a/b' = 'ollama+http://h'\n",
        r":2: providers\.a/b: 'a/b' cannot be an alias",
    ),
    "an alias of nothing": (
        "[aliases]\nfast = 'a/b'\nbest = 'fats,a/c'\n",
        r":3: aliases\.best: unknown alias 'fats'; did you mean 'fast'\?",
    ),
    "an alias of itself": ("[aliases]\na = 'b'\nb = 'a'\n", r":2: aliases\.a: alias 'b' stands"),
    "a route to nowhere": (
        "[routes]\n'ok-*' = 'home/*'\n'claude-*' = 'nobody'\n",
        r':3: routes\."claude-\*": unknown alias \'nobody\'',
    ),
    "a default of nothing": ("default = 'x'", r":1: default: unknown alias 'x'"),
    "a number for a spec": ("[aliases]\nx = 5\n", r":1: aliases: Expected `str`, got `int`"),
}


@pytest.mark.parametrize(("text", "said"), WRONG.values(), ids=WRONG.keys())
def test_a_bad_file_is_explained(text: str, said: str) -> None:
    with pytest.raises(InvalidRequest, match=said):
        parse(text, {})


def test_a_secret_is_never_quoted() -> None:
    with pytest.raises(InvalidRequest) as caught:
        parse("[gateway]\nkeys = '${SECRET}'", {"SECRET": "sk-very-secret"})
    assert "sk-very-secret" not in str(caught.value)


def test_the_working_directory_comes_before_the_home(tmp_path: Path) -> None:
    here, home = tmp_path / "here", tmp_path / "home"
    own = home / ".config" / "majordomo"
    own.mkdir(parents=True)
    here.mkdir()
    assert find(here, home) is None
    (own / "majordomo.toml").write_text("default = 'at/home'")
    assert find(here, home) == own / "majordomo.toml"
    (here / "majordomo.toml").write_text("default = 'right/here'")
    found = find(here, home)
    assert found is not None
    assert load(found, {}).default == "right/here"


def test_a_file_that_is_not_there_is_said_so(tmp_path: Path) -> None:
    with pytest.raises(InvalidRequest, match=r"nowhere\.toml: No such file"):
        load(tmp_path / "nowhere.toml", {})


def test_the_users_folder_may_be_elsewhere(tmp_path: Path) -> None:
    own = tmp_path / "elsewhere" / "majordomo"
    own.mkdir(parents=True)
    (own / "majordomo.toml").write_text("")
    assert find(tmp_path, tmp_path, {"XDG_CONFIG_HOME": str(own.parent)}) == own / "majordomo.toml"


def test_a_file_that_is_no_text_is_said_so(tmp_path: Path) -> None:
    (tmp_path / "majordomo.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(InvalidRequest, match="is not UTF-8 text"):
        load(tmp_path / "majordomo.toml", {})


def test_every_problem_is_found_not_only_the_first() -> None:
    text = "default = 'x'\n[providers]\nbad = 'nothing'\n[aliases]\na = ''\n"
    assert [str(each).partition(": ")[0] for each in problems(read(text, {}), text)] == [
        "majordomo.toml:3",
        "majordomo.toml:5",
        "majordomo.toml:1",
    ]
