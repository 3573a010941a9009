"""Newline-delimited JSON, without I/O."""

from majordomo.contract import Malformed

MAX_LINE_BYTES = 64 * 1024 * 1024  # a guard on memory, far above any real line


class LineDecoder:
    """Feed it bytes cut anywhere; it gives each line that is not blank once it is whole."""

    __slots__ = ("_pieces", "_size")

    def __init__(self) -> None:
        self._pieces: list[bytes] = []
        self._size = 0

    def feed(self, chunk: bytes) -> list[bytes]:
        if b"\n" not in chunk:
            self._size += len(chunk)
            if self._size > MAX_LINE_BYTES:
                raise Malformed("line", f"is longer than {MAX_LINE_BYTES} bytes")
            self._pieces.append(chunk)
            return []
        head, *lines, rest = chunk.split(b"\n")
        head = b"".join((*self._pieces, head))
        self._pieces = [rest]
        self._size = len(rest)
        return [line for line in (head, *lines) if line.strip()]

    def close(self) -> list[bytes]:
        """Give a last line that was never ended."""
        rest = b"".join(self._pieces)
        self._pieces = []
        return [rest] if rest.strip() else []


def encode_line(line: bytes) -> bytes:
    return line + b"\n"
