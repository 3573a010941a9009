"""uvicorn's HTTP protocol with an end to how long the head of a request may be."""

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

HEAD_BYTES = 256 * 1024  # far above any real client's; more of it is an attack on memory


class BoundedProtocol(HttpToolsProtocol):
    """A head that comes without end is refused and its connection closed."""

    _head = 0  # bytes of earlier reads that were still head
    _in_head = True

    def data_received(self, data: bytes) -> None:
        if self._in_head:
            if self._head > HEAD_BYTES:
                self.send_400_response("The head of the request is too long.")
                return
            self._head += len(data)
        super().data_received(data)

    def on_message_begin(self) -> None:
        self._in_head = True
        self._head = 0
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        self._in_head = False
        self._head = 0
        super().on_headers_complete()

    def _unsupported_upgrade_warning(self) -> None:
        """Say nothing of it: Codex tries at every start, and the door answers it 426."""
