"""Traces in one SQLite file: written by a thread of its own, in batches, bounded in rows."""

import logging
import sqlite3
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Event, Thread

import msgspec

from .record import Trace

_SCHEMA = """
CREATE TABLE IF NOT EXISTS traces (
    id TEXT PRIMARY KEY, at REAL NOT NULL, status INTEGER NOT NULL, trace BLOB NOT NULL
);
CREATE INDEX IF NOT EXISTS traces_at ON traces (at);
"""
_TRIM = "DELETE FROM traces WHERE rowid <= (SELECT MAX(rowid) FROM traces) - ?"
_BATCH = 500
_PAUSE = 0.2  # seconds: how long a trace may wait to be written
_WAITING = 20_000  # a disk that cannot follow loses traces, not the gateway's memory

log = logging.getLogger("majordomo.trace")
_decode = msgspec.json.Decoder(Trace).decode
_encode = msgspec.json.Encoder().encode


class SqliteStore:
    """`save` only puts into a queue: the request path never waits for the disk."""

    def __init__(self, path: str | Path, *, rows: int = 100_000) -> None:
        self._path = Path(path).expanduser()
        self._path.parent.mkdir(parents=True, exist_ok=True)
        self._rows = rows
        self._queue: SimpleQueue[Trace | Event | None] = SimpleQueue()
        self._hurry = Event()  # somebody waits for what is in the queue
        database = _open(self._path)
        database.executescript(_SCHEMA)
        database.close()
        self._writer = Thread(target=self._write, name="majordomo-traces", daemon=True)
        self._writer.start()

    def save(self, trace: Trace) -> None:
        if self._queue.qsize() < _WAITING:
            self._queue.put(trace)

    def flush(self) -> None:
        """Wait until everything saved so far is in the file."""
        if self._writer.is_alive():
            done = Event()
            self._queue.put(done)
            self._hurry.set()
            done.wait()

    def close(self) -> None:
        self._queue.put(None)
        self._hurry.set()
        self._writer.join()

    def latest(self, count: int, *, failed: bool = False) -> list[Trace]:
        where = "WHERE status >= 400 " if failed else ""
        return self._select(f"{where}ORDER BY at DESC LIMIT ?", count)

    def find(self, id: str) -> Trace | None:
        found = self._select("WHERE id = ?", id)
        return found[0] if found else None

    def _select(self, clause: str, argument: int | str) -> list[Trace]:
        database = _open(self._path)
        try:
            # The clause is one of the three constants above; values are bound.
            rows = database.execute(f"SELECT trace FROM traces {clause}", (argument,))  # noqa: S608
            return [_decode(row[0]) for row in rows]
        finally:
            database.close()

    def _write(self) -> None:
        database = _open(self._path)
        batch: list[Trace | Event | None] = []
        while None not in batch:
            batch = self._next_batch()
            try:
                self._insert(database, [item for item in batch if isinstance(item, Trace)])
            except sqlite3.Error as error:  # a full disk must not end the traces of a freed one
                log.warning("%d traces were lost: %s", len(batch), error)
            for item in batch:
                if isinstance(item, Event):
                    self._hurry.clear()
                    item.set()
        database.close()

    def _insert(self, database: sqlite3.Connection, traces: list[Trace]) -> None:
        rows = [(trace.id, trace.at, trace.status, _encode(trace)) for trace in traces]
        with database:
            database.executemany("INSERT OR REPLACE INTO traces VALUES (?, ?, ?, ?)", rows)
            database.execute(_TRIM, (self._rows,))

    def _next_batch(self) -> list[Trace | Event | None]:
        batch = [self._queue.get()]
        if self._queue.qsize() < _BATCH:
            # Not one by one: waking this thread for each would cost the loop more than the rest.
            self._hurry.wait(_PAUSE)
        while len(batch) < _BATCH and isinstance(batch[-1], Trace):
            try:
                batch.append(self._queue.get_nowait())
            except Empty:
                break
        return batch


def _open(path: Path) -> sqlite3.Connection:
    database = sqlite3.connect(path, timeout=10, check_same_thread=False)
    database.execute("PRAGMA journal_mode=WAL")
    database.execute("PRAGMA synchronous=NORMAL")
    return database
