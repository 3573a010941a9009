"""The model the examples talk to: yours, or a server on this machine that plays a script.

MAJORDOMO_MODEL="ollama/qwen3:4b" python examples/chat.py    # any spec you have a key for
python examples/chat.py                                      # no key, no network, no surprise
"""

import os
from collections.abc import Generator
from contextlib import contextmanager

import majordomo
from majordomo.engine.chain import Chain
from majordomo.testing import DialectServer, Turn


@contextmanager
def example_model(*script: Turn, options: str = "") -> Generator[Chain]:
    """Give the model of $MAJORDOMO_MODEL, or one that says these things in order."""
    spec = os.environ.get("MAJORDOMO_MODEL")
    if spec:
        yield majordomo.model(spec)
        return
    with DialectServer.in_thread("openai_chat", script) as server:
        address = server.url.replace("http://", "openai+http://")
        yield majordomo.model("example/scripted", providers={"example": f"{address}/v1{options}"})
