"""A real model without a key: llama.cpp in a process of its own, started when it is first asked.

    model = majordomo.model("local/smollm2")          # or local/<path of any .gguf>

Needs the extra (`pip install 'pymajordomo[local]'`) and weights (`majordomo local pull`).
"""

from .download import pull
from .server import LocalServer
from .settings import Address, ServerSettings
from .weights import SMOLLM2, WEIGHTS, Weights, find_weights

__all__ = [
    "SMOLLM2",
    "WEIGHTS",
    "Address",
    "LocalServer",
    "ServerSettings",
    "Weights",
    "find_weights",
    "pull",
]
