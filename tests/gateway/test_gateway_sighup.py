"""SIGHUP to a real `majordomo serve`: a good file is taken over, a bad one is survived."""

import json
import re
import signal
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest

from majordomo.testing import DialectServer


def asked(url: str) -> str:
    body = json.dumps({"model": "any", "messages": [{"role": "user", "content": "hi"}]})
    request = urllib.request.Request(  # noqa: S310 -- our own gateway
        f"{url}/v1/chat/completions", body.encode(), {"content-type": "application/json"}
    )
    with urllib.request.urlopen(request, timeout=20) as reply:  # noqa: S310 -- our own gateway
        answer: str = json.load(reply)["choices"][0]["message"]["content"]
        return answer


def until(url: str, wanted: str) -> None:
    end = time.monotonic() + 20
    while asked(url) != wanted:
        assert time.monotonic() < end, "the new configuration never counted"
        time.sleep(0.05)


@pytest.mark.parametrize("workers", ["1", "2"])
def test_a_bad_file_is_survived_and_a_good_one_taken_over(workers: str, tmp_path: Path) -> None:
    path = tmp_path / "majordomo.toml"
    with (
        DialectServer.in_thread("openai_chat", lambda _: "one") as one,
        DialectServer.in_thread("openai_chat", lambda _: "two") as two,
    ):
        good = "default = 'up/m'\n[providers]\nup = 'openai+{url}/v1'\n"
        path.write_text(good.format(url=one.url))
        command = ["serve", "--port", "0", "--workers", workers, "--config", str(path)]
        with subprocess.Popen(
            [sys.executable, "-m", "majordomo", *command], stderr=subprocess.PIPE, text=True
        ) as gateway:
            assert gateway.stderr is not None
            found = re.search(r"http://\S+", gateway.stderr.readline())
            assert found is not None
            try:
                until(found.group(), "one")
                path.write_text("[gateway]\nprot = 1\n")
                gateway.send_signal(signal.SIGHUP)
                log = iter(gateway.stderr.readline, "")
                assert any("not reloaded" in line and "'port'" in line for line in log)
                assert asked(found.group()) == "one"
                path.write_text(good.format(url=two.url))
                gateway.send_signal(signal.SIGHUP)
                until(found.group(), "two")
            finally:
                gateway.terminate()
                rest = gateway.stderr.read()
        assert "Traceback" not in rest
        assert gateway.returncode == 0
