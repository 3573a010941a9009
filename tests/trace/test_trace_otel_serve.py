"""`majordomo serve` exports spans where the environment says, or says what is missing."""

import os
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from urllib.request import Request, urlopen

from majordomo.dialects.json import write
from majordomo.testing import DialectServer
from support.served import majordomo_serve


class Collector(BaseHTTPRequestHandler):
    """Keeps what is posted to it."""

    got: list[tuple[str, bytes]]

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["content-length"]))
        self.got.append((self.path, body))
        self.send_response(200)
        self.send_header("content-length", "0")
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


def test_a_served_gateway_exports_where_the_environment_says(tmp_path: Path) -> None:
    handler = type("Keeping", (Collector,), {"got": list[tuple[str, bytes]]()})
    collector = HTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=collector.serve_forever, daemon=True).start()
    config = tmp_path / "majordomo.toml"
    config.write_text("[gateway]\ntraces_otel = true\n")
    with DialectServer.in_thread("ollama", ["Hello!"]) as upstream:
        environ = {
            "LLM_UP": f"ollama+http://{upstream.url.removeprefix('http://')}",
            "OTEL_EXPORTER_OTLP_ENDPOINT": f"http://127.0.0.1:{collector.server_port}",
        }
        with majordomo_serve(environ, "--config", str(config)) as url:
            assert _post(url) == 200
    collector.shutdown()
    collector.server_close()
    ((path, body),) = handler.got
    assert path == "/v1/traces"
    for expected in (b"gen_ai.request.model", b"up/m", b"server.address", b"127.0.0.1"):
        assert expected in body
    assert b"majordomo" in body  # the service's name


def test_an_exporter_that_is_not_there_is_said_at_the_start(tmp_path: Path) -> None:
    config = tmp_path / "majordomo.toml"
    config.write_text("[gateway]\ntraces_otel = true\n")
    done = _serve(config, OTEL_TRACES_EXPORTER="carrier_pigeon")
    assert done.returncode != 0
    assert "pip install opentelemetry-exporter-carrier-pigeon" in done.stderr
    assert "Traceback" not in done.stderr


def test_the_extra_that_is_missing_is_named(tmp_path: Path) -> None:
    (tmp_path / "opentelemetry.py").write_text("raise ImportError\n")
    config = tmp_path / "majordomo.toml"
    config.write_text("[gateway]\ntraces_otel = true\n")
    done = _serve(config, PYTHONPATH=str(tmp_path))
    assert done.returncode != 0
    assert "pip install 'pymajordomo[otel]'" in done.stderr
    assert "Traceback" not in done.stderr


def _serve(config: Path, **environ: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-m", "majordomo", "serve", "--port", "0", "--config", str(config)],
        env={**os.environ, **environ},
        capture_output=True,
        text=True,
        check=False,
        timeout=30,
    )


def _post(url: str) -> int:
    body = write({"model": "up/m", "messages": [{"role": "user", "content": "Hi"}]})
    asked = Request(url + "/v1/chat/completions", data=body)  # noqa: S310 -- our own gateway
    with urlopen(asked) as reply:  # noqa: S310 -- our own gateway
        return int(reply.status)
