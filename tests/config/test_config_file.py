"""`majordomo.toml` is read whole, and what is wrong with it is said by line, without secrets."""

from pathlib import Path

import pytest

from majordomo.config.file import find, load, parse
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
    "a missing variable": ("default = '${NOPE}'", r":1: the environment has no NOPE"),
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
    (own / "majordomo.toml").write_text("default = 'home'")
    assert find(here, home) == own / "majordomo.toml"
    (here / "majordomo.toml").write_text("default = 'here'")
    found = find(here, home)
    assert found is not None
    assert load(found, {}).default == "here"


def test_a_file_that_is_not_there_is_said_so(tmp_path: Path) -> None:
    with pytest.raises(InvalidRequest, match=r"nowhere\.toml: No such file"):
        load(tmp_path / "nowhere.toml", {})
