"""uvicorn's server around our protocol: one process, or several that share the listening socket."""

import os
import signal
import socket

import uvicorn
from uvicorn.supervisors import Multiprocess

from majordomo.config.gateway import Gateway

from .create import CONFIG_VARIABLE

FACTORY = "majordomo.gateway.create:app"  # each worker builds its own from the same settings
PROTOCOL = "majordomo.gateway.http11:Connection"
BACKLOG = 4096


def serve(settings: Gateway, listener: socket.socket) -> None:
    """Serve until told to stop; SIGTERM drains."""
    config = uvicorn.Config(
        FACTORY,
        factory=True,
        http=PROTOCOL,
        proxy_headers=False,  # nobody here asks where a request came from
        workers=settings.workers,
        ssl_certfile=settings.tls_certificate or None,
        ssl_keyfile=settings.tls_key or None,
        ws="none",  # an upgrade is answered 426 by the door: Codex then falls back at once
        lifespan="on",
        access_log=False,
        log_level="warning",
        server_header=False,
        timeout_keep_alive=75,
        backlog=BACKLOG,
    )
    # uvicorn drains at SIGTERM and raises it again: that must not end us before our own cleaning.
    signal.signal(signal.SIGTERM, _heard)
    if settings.workers > 1:
        Workers(config, sockets=[listener]).run()
    else:
        uvicorn.Server(config).run(sockets=[listener])


class Workers(Multiprocess):
    def handle_hup(self) -> None:
        """Let each worker read the configuration again.

        Restarting them, as uvicorn would, ends all of them when it is bad.
        """
        if not os.environ.get(CONFIG_VARIABLE):
            super().handle_hup()
            return
        for process in self.processes:
            if process.pid is not None:
                os.kill(process.pid, signal.SIGHUP)


def _heard(*_: object) -> None:
    """All has been done about it by the time it comes here."""
