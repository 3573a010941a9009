"""Traces are written off the request path, in order, bounded, and read back whole."""

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from majordomo.contract import Attempt, Note, Usage
from majordomo.trace import Trace
from majordomo.trace.sqlite import SqliteStore


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    store = SqliteStore(tmp_path / "deep" / "traces.db", rows=10)
    yield store
    store.close()


def trace(number: int, status: int = 200) -> Trace:
    return Trace(id=f"req_{number}", at=float(number), status=status, asked="up/m")


def test_a_trace_comes_back_as_it_went_in(store: SqliteStore) -> None:
    whole = Trace(
        id="req_1",
        at=1.5,
        door="anthropic",
        served="up/m",
        usage=Usage(input=3, output=4),
        attempts=(Attempt(target="up/m", started=0.0, outcome="served"),),
        notes=(Note(kind="dropped", what="seed", why="the dialect has no word for it"),),
        request={"messages": [{"role": "user"}]},
    )
    store.save(whole)
    store.flush()
    assert store.find("req_1") == whole
    assert store.find("req_2") is None


def test_the_latest_come_first_and_failures_alone_when_asked(store: SqliteStore) -> None:
    for number in range(5):
        store.save(trace(number, status=503 if number == 2 else 200))
    store.flush()
    assert [found.id for found in store.latest(2)] == ["req_4", "req_3"]
    assert [found.id for found in store.latest(9, failed=True)] == ["req_2"]


def test_the_file_keeps_only_so_many_rows(store: SqliteStore) -> None:
    for number in range(25):
        store.save(trace(number))
    store.flush()
    assert [found.id for found in store.latest(99)] == [f"req_{n}" for n in range(24, 14, -1)]


def test_another_process_may_read_while_it_is_written(tmp_path: Path) -> None:
    writer = SqliteStore(tmp_path / "traces.db")
    reader = SqliteStore(tmp_path / "traces.db")
    writer.save(trace(7))
    writer.flush()
    assert reader.find("req_7") == trace(7)
    writer.close()
    reader.close()


def test_a_disk_that_refuses_loses_traces_and_says_so(
    store: SqliteStore, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def full(*_: object) -> None:
        raise sqlite3.OperationalError("database or disk is full")

    with monkeypatch.context() as patch:
        patch.setattr(SqliteStore, "_insert", full)
        store.save(trace(1))
        store.flush()
    assert "traces were lost: database or disk is full" in caplog.text
    store.save(trace(2))
    store.flush()
    assert [found.id for found in store.latest(9)] == ["req_2"]


def test_a_disk_that_cannot_follow_costs_no_memory(
    store: SqliteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("majordomo.trace.sqlite._WAITING", 0)
    store.save(trace(1))
    store.flush()
    assert store.latest(9) == []
