"""What stands between the load and the mock: ours, the floors, and what users pick instead.

Each is started as a process of its own on a port of its own; one that cannot be is skipped with a
word. Peers are installed on demand into environments under `.cache/bench`.
"""

import json
import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple
from urllib.error import HTTPError
from urllib.request import Request, urlopen

from peers import node_peer, python_peer

HERE = Path(__file__).parent
_MODELS = ("small", "hundred", "paced", "idle", "calls", "action")


class Skipped(Exception):
    """Why a contestant does not take part."""


class Started(NamedTuple):
    pid: int
    port: int
    seconds: float  # from its start to the first answered request


class Contestant(NamedTuple):
    name: str
    command: Callable[[Path, int, int], list[str]]  # (scratch folder, own port, mock's port)
    prefix: Mapping[str, str]  # upstream dialect -> what its models are called here
    headers: Callable[[int, str], dict[str, str]] = lambda _mock, _upstream: {}
    patience: float = 20.0
    environment: Mapping[str, str] = {}


def _majordomo(scratch: Path, port: int, mock: int) -> list[str]:
    toml = scratch / "majordomo.toml"
    toml.write_text(
        "[providers]\n"
        f'chat = "openai+http://k@127.0.0.1:{mock}/v1"\n'
        f'anthropic = "anthropic+http://k@127.0.0.1:{mock}"\n'
        f'written = "openai+http://k@127.0.0.1:{mock}/v1?tools=emulated"\n'
    )
    program = [sys.executable, "-m", "majordomo.cli.main", "serve", "--config", str(toml)]
    return [*program, "--port", str(port)]


def _nginx(scratch: Path, port: int, mock: int) -> list[str]:
    if shutil.which("nginx") is None:
        raise Skipped("nginx is not installed")
    conf = scratch / "nginx.conf"
    conf.write_text(
        f"daemon off; master_process off; pid {scratch}/nginx.pid; error_log stderr crit;\n"
        "events { worker_connections 4096; }\n"
        "http { access_log off; client_max_body_size 64m; client_body_buffer_size 1m;\n"
        f" client_body_temp_path {scratch}; proxy_temp_path {scratch};\n"
        f" fastcgi_temp_path {scratch}; uwsgi_temp_path {scratch}; scgi_temp_path {scratch};\n"
        f" upstream mock {{ server 127.0.0.1:{mock}; keepalive 64; keepalive_requests 1000000; }}\n"
        f" server {{ listen 127.0.0.1:{port}; keepalive_requests 1000000;\n"
        "  location / { proxy_pass http://mock; proxy_http_version 1.1;\n"
        '   proxy_set_header Connection ""; proxy_buffering off; } } }\n'
    )
    return ["nginx", "-p", str(scratch), "-c", str(conf)]


def _uvicorn(_scratch: Path, port: int, _mock: int) -> list[str]:
    program = [sys.executable, "-m", "uvicorn", "--app-dir", str(HERE), "floor:app"]
    return [*program, "--port", str(port), "--no-access-log", "--log-level", "warning"]


def _litellm(scratch: Path, port: int, mock: int) -> list[str]:
    place = python_peer("litellm", "litellm[proxy]")
    params = {"api_base": f"http://127.0.0.1:{mock}/v1", "api_key": "k"}
    models = [
        {"model_name": name, "litellm_params": {"model": f"openai/{name}", **params}}
        for name in _MODELS
    ]
    config = scratch / "litellm.yaml"
    config.write_text(json.dumps({"model_list": models}))  # JSON is YAML
    program = [str(place / "bin" / "litellm"), "--config", str(config), "--port", str(port)]
    return [*program, "--host", "127.0.0.1", "--num_workers", "1", "--telemetry", "False"]


def _portkey(_scratch: Path, port: int, _mock: int) -> list[str]:
    place = node_peer("portkey", "@portkey-ai/gateway")
    server = place / "node_modules/@portkey-ai/gateway/build/start-server.js"
    return ["node", str(server), f"--port={port}", "--headless"]


def _portkey_headers(mock: int, upstream: str) -> dict[str, str]:
    path = "/v1"
    provider = "anthropic" if upstream == "anthropic" else "openai"
    host = f"http://127.0.0.1:{mock}{path}"
    return {"x-portkey-provider": provider, "x-portkey-custom-host": host}


_PLAIN = {"chat": "", "anthropic": ""}
NGINX = Contestant("nginx", _nginx, _PLAIN)
UVICORN = Contestant("uvicorn, fixed answer", _uvicorn, _PLAIN)
MAJORDOMO = Contestant(
    "majordomo", _majordomo, {"chat": "chat/", "anthropic": "anthropic/", "written": "written/"}
)
LITELLM = Contestant(
    "LiteLLM",
    _litellm,
    {"chat": ""},
    patience=90.0,
    environment={
        "LITELLM_LOCAL_MODEL_COST_MAP": "True",
        "LITELLM_LOG": "ERROR",
        "LITELLM_DANGEROUSLY_PERMIT_WEAK_OR_UNSET_MASTER_KEY": "true",
    },
)
PORTKEY = Contestant(
    "Portkey",
    _portkey,
    _PLAIN,
    _portkey_headers,
    environment={"TRUSTED_CUSTOM_HOSTS": "127.0.0.1,localhost"},
)


@contextmanager
def running(contestant: Contestant, scratch: Path, mock: int) -> Generator[Started]:
    """Start it and wait for its first answer; end it with the block."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = int(free.getsockname()[1])
    command = contestant.command(scratch, port, mock)
    log = scratch / f"{contestant.name.split(',')[0]}.log"
    with log.open("wb") as out:
        began = time.perf_counter()
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=out,
            cwd=scratch,
            env=os.environ | dict(contestant.environment),
        )
        try:
            _answered(contestant, port, mock, process)
            yield Started(process.pid, port, time.perf_counter() - began)
        finally:
            process.terminate()
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def _answered(
    contestant: Contestant, port: int, mock: int, process: "subprocess.Popen[bytes]"
) -> None:
    body = {
        "model": f"{contestant.prefix['chat']}small",
        "messages": [{"role": "user", "content": "hi"}],
    }
    headers = {"content-type": "application/json", "authorization": "Bearer sk-bench"}
    asked = Request(
        f"http://127.0.0.1:{port}/v1/chat/completions",
        data=json.dumps(body).encode(),
        headers=headers | contestant.headers(mock, "chat"),
    )
    until = time.monotonic() + contestant.patience
    said = "no answer"
    while time.monotonic() < until and process.poll() is None:
        try:
            with urlopen(asked, timeout=10) as reply:  # noqa: S310 -- our own loopback
                reply.read()
                return
        except HTTPError as error:
            said = f"{error.code} {error.read()[:200]!r}"
            time.sleep(0.2)
        except OSError:
            time.sleep(0.01)
    raise Skipped(f"it did not start: {said}")
