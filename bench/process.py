"""What a process of others costs: its CPU time to the nanosecond, its memory; and pinning."""

import os
import sys
import time
from pathlib import Path


def family(pid: int) -> list[int]:
    """Give a process and what it started: nginx and node do their work in children."""
    try:
        tasks = list(Path(f"/proc/{pid}/task").iterdir())
        children = [child for task in tasks for child in (task / "children").read_text().split()]
    except OSError:
        children = []
    return [pid, *(member for child in children for member in family(int(child)))]


def cpu_seconds(pid: int) -> float:
    return sum(_cpu(member) for member in family(pid))


def megabytes(pid: int) -> float:
    """Resident memory; what children share with each other is counted for each."""
    return sum(_resident(member) for member in family(pid)) / 1024


def pin(pid: int, core: int) -> None:
    """Keep a process on one core, where the system can do that and has more than one."""
    cores = sorted(os.sched_getaffinity(0)) if sys.platform == "linux" else []
    if len(cores) > 1:
        for member in family(pid):
            os.sched_setaffinity(member, {cores[core % len(cores)]})


def _cpu(pid: int) -> float:
    try:
        # `clock_getcpuclockid`, which Python does not have, is this arithmetic on Linux.
        return time.clock_gettime((~pid << 3) | 2)
    except OSError:
        return 0.0  # it is gone


def _resident(pid: int) -> int:
    try:
        status = Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return 0
    line = next((line for line in status.splitlines() if line.startswith("VmRSS:")), "")
    return int(line.split()[1]) if line else 0
