"""The gateway beside another program: on a free port, for as long as that program runs."""

import threading
import time
from collections.abc import Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from msgspec.structs import replace

from majordomo.config.file import Settings
from majordomo.contract import InvalidRequest, Overloaded
from majordomo.gateway.app import App
from majordomo.gateway.create import service
from majordomo.gateway.server import listen

if TYPE_CHECKING:
    import uvicorn

_PATIENCE = 30.0  # seconds to start


@contextmanager
def gateway(settings: Settings) -> Generator[str]:
    """Give the URL of a gateway over these settings; it is on the loopback address only."""
    try:
        import uvicorn  # noqa: PLC0415 -- an extra: the library does without
    except ImportError as error:
        raise InvalidRequest(
            "the gateway needs uvicorn: pip install 'pymajordomo[serve]'"
        ) from error
    here = replace(settings.gateway, host="127.0.0.1", port=0, unix_socket="", keys=())
    listener = listen(here)
    config = uvicorn.Config(
        App(service(replace(settings, gateway=here))),
        ws="none",
        lifespan="on",
        access_log=False,
        log_level="error",
        server_header=False,
    )
    server = uvicorn.Server(config)
    thread = threading.Thread(
        target=server.run, kwargs={"sockets": [listener]}, name="majordomo-gateway", daemon=True
    )
    thread.start()
    try:
        _wait(server, thread)
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join(timeout=10)
        listener.close()


def _wait(server: "uvicorn.Server", thread: threading.Thread) -> None:
    end = time.monotonic() + _PATIENCE
    while not server.started:
        if not thread.is_alive() or time.monotonic() > end:
            raise Overloaded("the gateway did not start")
        time.sleep(0.01)
