"""The server as a process: from the environment alone, drained, over sockets and TLS."""

import http.client
import signal
import socket
import time
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from majordomo.contract import Finish, JsonObject, Start, TextDelta, Usage
from majordomo.dialects.dialect import Ask
from majordomo.dialects.json import object_at, read, write
from majordomo.testing import Delay, DialectServer, Item
from majordomo.trace.sqlite import SqliteStore
from support.certificate import make_certificate
from support.gateway_doors import DOORS
from support.serve import Served, serve


def up(server: DialectServer) -> str:
    return f"openai+http://key@{server.url.removeprefix('http://')}/v1"


def post(
    connection: http.client.HTTPConnection, path: str, body: JsonObject
) -> tuple[int, JsonObject]:
    connection.request("POST", path, write(body), {"content-type": "application/json"})
    reply = connection.getresponse()
    return reply.status, object_at(read(reply.read()), "reply")


def connect(served: Served) -> http.client.HTTPConnection:
    address = urlsplit(served.url)
    return http.client.HTTPConnection(address.hostname or "", address.port, timeout=20)


def chat(served: Served) -> int:
    connection = connect(served)
    try:
        return post(connection, "/v1/chat/completions", {**DOORS["openai_chat"][1], **MODEL})[0]
    finally:
        connection.close()


MODEL: JsonObject = {"model": "up/any-id"}


def test_the_environment_alone_is_enough_at_every_door(tmp_path: Path) -> None:
    with (
        DialectServer.in_thread("openai_chat", lambda _: "Hello!") as server,
        serve(tmp_path, "--port", "0", "--log", LLM_UP=up(server)) as served,
    ):
        connection = connect(served)
        for path, body in DOORS.values():
            address = path.replace("models/up:", "models/up/any-id:")
            status, reply = post(connection, address, {**body, **MODEL})
            assert status == 200, reply
            assert "Hello!" in str(reply)
        connection.close()
        served.stop()
    assert {seen.ask.model for seen in server.requests if seen.ask} == {"any-id"}
    lines = [object_at(read(line), "line") for line in served.said if line.startswith("{")]
    assert [line["door"] for line in lines] == [*DOORS]
    for line in lines:
        assert (line["status"], line["outcome"], line["served"]) == (200, "served", "up/any-id")
        assert line["attempts"]
        assert line["id"]


def slow(_: Ask) -> list[Item]:
    words: list[Item] = [Start(model="m"), TextDelta(text="one ")]
    finish = Finish(reason="stop", usage=Usage(input=1, output=2))
    return [*words, Delay(1.0), TextDelta(text="two"), finish]


def test_a_stream_under_way_ends_well_while_the_server_stops(tmp_path: Path) -> None:
    with (
        DialectServer.in_thread("openai_chat", slow) as server,
        serve(tmp_path, "--port", "0", LLM_UP=up(server)) as served,
    ):
        connection = connect(served)
        body = write({**DOORS["openai_chat"][1], **MODEL, "stream": True})
        connection.request("POST", "/v1/chat/completions", body)
        reply = connection.getresponse()
        assert any(b"one" in reply.readline() for _ in range(9))
        served.process.send_signal(signal.SIGTERM)
        _until(lambda: _refused(served.url))
        rest = reply.read()
        connection.close()
        served.stop()
    assert b"two" in rest
    assert rest.endswith(b"data: [DONE]\n\n")
    assert served.process.returncode == 0


def _refused(url: str) -> bool:
    address = urlsplit(url)
    try:
        socket.create_connection((address.hostname or "", address.port or 0), timeout=5).close()
    except ConnectionRefusedError:
        return True
    return False


def _until(holds: Callable[[], bool]) -> None:
    for _ in range(500):
        if holds():
            return
        time.sleep(0.01)
    raise AssertionError("it never came to that")


def test_several_workers_serve_and_stop_together(tmp_path: Path) -> None:
    with (
        DialectServer.in_thread("openai_chat", lambda _: "Hello!") as server,
        serve(tmp_path, "--port", "0", "--workers", "2", "--log", LLM_UP=up(server)) as served,
    ):
        assert [chat(served) for _ in range(8)] == [200] * 8
        served.stop()
    assert len([line for line in served.said if line.startswith("{")]) == 8


class UnixConnection(http.client.HTTPConnection):
    def __init__(self, path: str) -> None:
        super().__init__("localhost", timeout=20)
        self._path = path

    def connect(self) -> None:
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.sock.connect(self._path)


def test_it_listens_on_a_socket_file(tmp_path: Path) -> None:
    path = tmp_path / "gateway.sock"
    with (
        DialectServer.in_thread("openai_chat", lambda _: "Hello!") as server,
        serve(tmp_path, "--unix-socket", str(path), LLM_UP=up(server)) as served,
    ):
        connection = UnixConnection(str(path))
        _until(path.exists)
        body = {**DOORS["anthropic"][1], **MODEL}
        assert post(connection, "/v1/messages", body)[0] == 200
        connection.close()
        with serve(tmp_path, "--unix-socket", str(path)) as second:
            assert second.process.wait(timeout=20) != 0
        assert "is taken by another program" in "".join(second.said)
        served.stop()
    assert not path.exists()


def test_a_file_in_the_way_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "letters.txt"
    path.write_text("dear to me")
    with serve(tmp_path, "--unix-socket", str(path)) as served:
        assert served.process.wait(timeout=20) != 0
    assert path.read_text() == "dear to me"


def test_it_speaks_tls(tmp_path: Path) -> None:
    certificate = make_certificate(tmp_path)
    files = ("--tls-certificate", str(certificate.path), "--tls-key", str(tmp_path / "key.pem"))
    with (
        DialectServer.in_thread("openai_chat", lambda _: "Hello!") as server,
        serve(tmp_path, "--port", "0", *files, LLM_UP=up(server)) as served,
    ):
        assert served.url.startswith("https://")
        address = urlsplit(served.url)
        connection = http.client.HTTPSConnection(
            address.hostname or "", address.port, context=certificate.client, timeout=20
        )
        body = {**DOORS["openai_chat"][1], **MODEL}
        assert post(connection, "/v1/chat/completions", body)[0] == 200
        connection.close()


REFUSED: dict[str, tuple[tuple[str, ...], str]] = {
    "to the world without keys": (("--host", "0.0.0.0"), "without keys"),  # noqa: S104 -- refused
    "a certificate without its key": (("--tls-certificate", "x.pem"), "both a certificate"),
    "a certificate that is not there": (
        ("--tls-certificate", "x.pem", "--tls-key", "y.pem"),
        "cannot serve TLS",
    ),
    "a configuration that is not there": (("--config", "no.toml"), "no.toml"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_cannot_be_served_is_said_in_one_line(case: str, tmp_path: Path) -> None:
    arguments, said = REFUSED[case]
    with serve(tmp_path, "--port", "0", *arguments) as served:
        assert served.process.wait(timeout=20) != 0
    (line,) = [line for line in served.said if line.strip()]
    assert said in line


def test_a_port_that_is_taken_is_said_so(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        with serve(tmp_path, "--port", port) as served:
            assert served.process.wait(timeout=20) != 0
    assert f"127.0.0.1:{port} is taken by another program" in "".join(served.said)


def test_traces_are_kept_and_can_be_read(tmp_path: Path) -> None:
    traces = tmp_path / "traces.db"
    with (
        DialectServer.in_thread("openai_chat", lambda _: "Hello!") as server,
        serve(tmp_path, "--port", "0", "--traces", str(traces), LLM_UP=up(server)) as served,
    ):
        assert chat(served) == 200
        served.stop()
    store = SqliteStore(traces)
    (trace,) = store.latest(10)
    store.close()
    assert (trace.door, trace.asked, trace.served) == ("openai_chat", "up/any-id", "up/any-id")
    assert trace.usage == Usage(input=1, output=1)
    assert trace.attempts[0].outcome == "served"
    assert trace.request is None
    assert trace.response is None


def test_a_head_without_end_is_refused(tmp_path: Path) -> None:
    with serve(tmp_path, "--port", "0") as served:
        address = urlsplit(served.url)
        with socket.create_connection((address.hostname or "", address.port or 0)) as client:
            client.sendall(b"GET / HTTP/1.1\r\nhost: x\r\nx-long: ")
            got = b""
            try:
                for _ in range(100):
                    client.sendall(b"x" * 16384)
                got = client.recv(65536)
            except (BrokenPipeError, ConnectionResetError):
                pass  # it would not listen any longer
            assert not got or b"400" in got
        connection = connect(served)
        connection.request("GET", "/healthz")
        assert connection.getresponse().status == 200
        connection.close()


def test_a_websocket_is_answered_so_that_the_client_posts_instead(tmp_path: Path) -> None:
    upgrade = {"connection": "Upgrade", "upgrade": "websocket", "sec-websocket-version": "13"}
    with serve(tmp_path, "--port", "0") as served:
        connection = connect(served)
        connection.request("GET", "/v1/responses", headers=upgrade)
        reply = connection.getresponse()
        assert (reply.status, reply.read()) == (426, b"use POST /v1/responses")
        connection.request("HEAD", "/api/hello")  # on the same connection
        reply = connection.getresponse()
        assert (reply.status, reply.read()) == (200, b"")
        connection.close()
        served.stop()
    assert not any("WARNING" in line for line in served.said)
