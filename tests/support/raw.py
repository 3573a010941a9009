"""HTTP by hand over a socket: what a client may send that no HTTP library would."""

import socket
from collections.abc import Generator
from contextlib import contextmanager
from urllib.parse import urlsplit

from httptools import HttpResponseParser
from msgspec import Struct


class Answer(Struct):
    status: int = 0
    headers: dict[str, str] = {}
    body: bytes = b""
    whole: bool = False


class Client:
    """One connection; what comes back is read reply by reply."""

    def __init__(self, connection: socket.socket) -> None:
        self.socket = connection
        self.answers: list[Answer] = []
        self.ended = False
        self._parser = HttpResponseParser(self)

    def send(self, data: bytes) -> None:
        self.socket.sendall(data)

    def read(self, count: int = 1) -> list[Answer]:
        """Wait for so many whole replies in all, or for the end."""
        while not self.ended and sum(answer.whole for answer in self.answers) < count:
            self._more()
        return self.answers

    def read_all(self) -> list[Answer]:
        """Say that nothing more will be sent, and take what comes until the other side ends it."""
        self.read()
        self.socket.shutdown(socket.SHUT_WR)
        while not self.ended:
            self._more()
        return self.answers

    def _more(self) -> None:
        data = self.socket.recv(65536)
        if data:
            self._parser.feed_data(data)
        else:
            self.ended = True

    def on_message_begin(self) -> None:
        self.answers.append(Answer())

    def on_header(self, name: bytes, value: bytes) -> None:
        self.answers[-1].headers = {**self.answers[-1].headers, name.decode(): value.decode()}

    def on_headers_complete(self) -> None:
        self.answers[-1].status = self._parser.get_status_code()

    def on_body(self, body: bytes) -> None:
        self.answers[-1].body += body

    def on_message_complete(self) -> None:
        self.answers[-1].whole = True


@contextmanager
def client(url: str, *, timeout: float = 20.0) -> Generator[Client]:
    address = urlsplit(url)
    with socket.create_connection(
        (address.hostname or "", address.port or 0), timeout=timeout
    ) as connection:
        yield Client(connection)
