"""The process llama.cpp runs in: settings come in on standard input, its end is the order to go.

Reading until the end of input is what ties this process to its parent: however the parent
ends, the pipe closes.
"""

import os
import signal
import sys
from importlib import import_module

import msgspec

from .settings import Address, ServerSettings


def main() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches us too; the parent decides
    settings = msgspec.json.decode(sys.stdin.buffer.readline(), type=ServerSettings)
    llama = import_module("xllamacpp")
    server = llama.Server(_parameters(llama.CommonParams(), settings))
    address = Address(url=server.listening_address, key=settings.key)
    sys.stdout.buffer.write(msgspec.json.encode(address) + b"\n")
    sys.stdout.buffer.flush()
    sys.stdin.buffer.read()
    os._exit(0)  # a reply under way would hold up an orderly end for as long as it takes


def _parameters(parameters: object, settings: ServerSettings) -> object:
    values: dict[str, object] = {
        "model.path": settings.path,
        "model_alias": {settings.alias},
        "hostnames": ["127.0.0.1"],
        "port": settings.port,
        "api_keys": [settings.key] if settings.key else [],
        "n_ctx": settings.context,
        "n_predict": settings.answer or -1,
        "n_parallel": settings.slots,
        "kv_unified": True,  # slots share the context instead of getting a fixed part each
        "cpuparams.n_threads": settings.threads,
        "cpuparams_batch.n_threads": settings.threads,
        "sse_ping_interval": settings.ping,
        "ui": False,
        "verbosity": 1,  # errors
    }
    for name, value in values.items():
        holder, _, field = name.rpartition(".")
        setattr(getattr(parameters, holder) if holder else parameters, field, value)
    return parameters


if __name__ == "__main__":
    main()
