"""Images already fitted, by what they are and what they had to become; bounded in bytes."""

from collections import OrderedDict
from contextlib import suppress
from hashlib import blake2b
from typing import NamedTuple


class Encoded(NamedTuple):
    data: bytes
    mime: str
    why: str  # what was done to it, for the note


class ImageCache:
    """Hand one to every `fit` that should share it. Safe to share between threads.

    Single dictionary operations are atomic; a lost race costs one image fitted twice.
    """

    __slots__ = ("_entries", "_max_bytes")

    def __init__(self, max_bytes: int = 64 * 1024 * 1024) -> None:
        self._entries: OrderedDict[bytes, Encoded] = OrderedDict()
        self._max_bytes = max_bytes

    @staticmethod
    def key(data: bytes, recipe: str) -> bytes:
        digest = blake2b(data, digest_size=20, person=b"majordomo-image")
        digest.update(recipe.encode())
        return digest.digest()

    def get(self, key: bytes) -> Encoded | None:
        found = self._entries.get(key)
        if found is not None:
            with suppress(KeyError):  # evicted by another thread since the line above
                self._entries.move_to_end(key)
        return found

    def put(self, key: bytes, encoded: Encoded) -> None:
        if len(encoded.data) > self._max_bytes:
            return
        self._entries[key] = encoded
        while self.size > self._max_bytes:
            try:
                self._entries.popitem(last=False)
            except KeyError:
                return

    @property
    def size(self) -> int:
        return sum(len(encoded.data) for encoded in tuple(self._entries.values()))

    def __len__(self) -> int:
        return len(self._entries)
