"""The shortest form of the benchmark: only gross regressions against the floor of the same run.

No absolute time is looked at. The ratios allow three times what they are on a quiet machine.
"""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

BENCH = Path(__file__).parent.parent.parent / "bench"
LIMITS = {"small chat→chat": 36.0, "stream anthropic→chat": 20.0}  # times nginx's CPU


@pytest.mark.skipif(
    sys.platform != "linux" or shutil.which("nginx") is None,
    reason="needs nginx, and Linux to read another process's CPU clock",
)
def test_the_gateway_is_within_a_small_factor_of_nginx() -> None:
    done = subprocess.run(
        [sys.executable, str(BENCH / "shortest.py")], capture_output=True, check=True, timeout=300
    )
    ratios = json.loads(done.stdout)
    assert ratios.keys() == LIMITS.keys()
    over = {name: ratio for name, ratio in ratios.items() if ratio > LIMITS[name]}
    assert not over
