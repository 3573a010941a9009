"""Streams arrive cut anywhere: whole, byte by byte, and where Hypothesis chooses."""

from collections.abc import Callable, Sequence
from typing import TypeVar

from hypothesis import strategies as st

from majordomo.contract import Step, pump

Out = TypeVar("Out")


def pieces(wire: bytes, cuts: Sequence[int]) -> list[bytes]:
    ends = [*sorted(cuts), len(wire)]
    return [wire[a:b] for a, b in zip([0, *ends], ends, strict=False)]


def draw_pieces(data: st.DataObject, wire: bytes) -> list[bytes]:
    return pieces(wire, sorted(data.draw(st.sets(st.integers(0, len(wire)), max_size=40))))


def read_whole(step: Callable[[], Step[bytes, Out]], wire: bytes) -> list[Out]:
    return list(pump(step(), [wire]))


def read_bytewise(step: Callable[[], Step[bytes, Out]], wire: bytes) -> list[Out]:
    return list(pump(step(), [wire[i : i + 1] for i in range(len(wire))]))
