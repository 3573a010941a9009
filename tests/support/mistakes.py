"""The eight mistakes everybody makes, planted: how, what is said, and what `doctor` finds."""

import socket
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path

from msgspec import Struct

from majordomo.contract import ModelNotFound, Unauthorized
from majordomo.testing import DialectServer


class Planted(Struct, frozen=True, kw_only=True):
    """A mistake in place: what to run, and with which environment."""

    arguments: tuple[str, ...]
    environ: dict[str, str] = {}
    missing: str = ""  # a module that cannot be imported
    port: int = 0  # that another program has


class Mistake(Struct, frozen=True, kw_only=True):
    plant: Callable[[Path], "Generator[Planted]"]
    said: tuple[str, ...]  # what, where and what to do: all of it is in the message
    code: int
    check: str  # of the finding
    found: str  # what `doctor` says about it
    fix: str


def _no_key(_: Path) -> Generator[Planted]:
    yield Planted(arguments=("ask", "-m", "openai/gpt-5-mini", "Hi"))


def _wrong_key(_: Path) -> Generator[Planted]:
    refusal = Unauthorized("Incorrect API key provided.", status=401, code="invalid_api_key")
    with DialectServer.in_thread("openai_chat", lambda _: refusal) as server:
        url = server.url.removeprefix("http://")
        environ = {"LLM_UP": f"openai+http://sk-wrong@{url}/v1"}
        yield Planted(arguments=("ask", "-m", "up/m", "Hi"), environ=environ)


def _no_model(_: Path) -> Generator[Planted]:
    missing = ModelNotFound("The model `gtp-5` does not exist.", status=404, code="model_not_found")
    with DialectServer.in_thread("openai_chat", lambda _: missing) as server:
        environ = {"LLM_UP": f"openai+{server.url}/v1"}
        yield Planted(arguments=("ask", "-m", "up/gtp-5", "Hi"), environ=environ)


def _unknown_alias(here: Path) -> Generator[Planted]:
    text = 'default = "fats"\n\n[aliases]\nfast = "openai/gpt-5-mini"\n'
    (here / "majordomo.toml").write_text(text)
    yield Planted(arguments=("ask", "Hi"))


def _server_down(_: Path) -> Generator[Planted]:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    environ = {"LLM_UP": f"openai+http://127.0.0.1:{port}/v1"}
    yield Planted(arguments=("ask", "-m", "up/m", "Hi"), environ=environ)


def _bad_dsn(_: Path) -> Generator[Planted]:
    environ = {"LLM_UP": "opnai://sk-secret@example.org/v1"}
    yield Planted(arguments=("ask", "-m", "up/m", "Hi"), environ=environ)


def _port_taken(here: Path) -> Generator[Planted]:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        (here / "majordomo.toml").write_text(f"[gateway]\nport = {port}\n")
        yield Planted(arguments=("serve",), port=port)


def _missing_extra(_: Path) -> Generator[Planted]:
    yield Planted(arguments=("serve", "--port", "0"), missing="uvicorn")


MISTAKES: dict[str, Mistake] = {
    "no key": Mistake(
        plant=_no_key,
        said=("openai/gpt-5-mini", "no API key", "set OPENAI_API_KEY", "LLM_OPENAI"),
        code=3,
        check="key",
        found="no API key: set OPENAI_API_KEY",
        fix="LLM_OPENAI: scheme://KEY@host",
    ),
    "wrong key": Mistake(
        plant=_wrong_key,
        said=("up/m", "Incorrect API key provided. (401)", "before the @ in LLM_UP"),
        code=3,
        check="call",
        found="Incorrect API key provided. (401)",
        fix="check the key of up",
    ),
    "model not found": Mistake(
        plant=_no_model,
        said=("up/gtp-5", "does not exist. (404)", "`majordomo models up` lists"),
        code=4,
        check="call",
        found="The model `gtp-5` does not exist.",
        fix="`majordomo models up` lists the ids it has",
    ),
    "unknown alias": Mistake(
        plant=_unknown_alias,
        said=("majordomo.toml:1", "unknown alias 'fats'; did you mean 'fast'?"),
        code=2,
        check="config",
        found="unknown alias 'fats'; did you mean 'fast'?",
        fix="name a target as provider/model-id",
    ),
    "server down": Mistake(
        plant=_server_down,
        said=("up/m", "cannot connect", "127.0.0.1", "`majordomo doctor up/m`"),
        code=5,
        check="call",
        found="cannot connect: Connection refused",
        fix="start the server, or mend host and port in the DSN",
    ),
    "bad DSN": Mistake(
        plant=_bad_dsn,
        said=("LLM_UP", "unknown scheme; did you mean 'openai'?", "scheme://[key@]host"),
        code=2,
        check="environment",
        found="has an unknown scheme; did you mean 'openai'?",
        fix="write scheme://[key@]host",
    ),
    "port taken": Mistake(
        plant=_port_taken,
        said=(
            "127.0.0.1:",
            "is taken by another program",
            "choose another",
            "`majordomo serve --port N`",
        ),
        code=2,
        check="port",
        found="is taken by another program",
        fix="`majordomo serve --port N`",
    ),
    "missing extra": Mistake(
        plant=_missing_extra,
        said=("the gateway needs uvicorn", "pip install 'pymajordomo[serve]'"),
        code=2,
        check="extra",
        found="uvicorn is not installed; the gateway needs it",
        fix="pip install 'pymajordomo[serve]'",
    ),
}


@contextmanager
def planted(mistake: Mistake, here: Path) -> Generator[Planted]:
    """Make the mistake in a working directory, for as long as the block lasts."""
    yield from mistake.plant(here)
