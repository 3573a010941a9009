"""Running the application: uvicorn with what is fastest here, loopback unless keys are set.

SIGTERM drains: no new connections, running requests finish.
"""

import errno
import os
import socket
import sys
from ipaddress import ip_address
from pathlib import Path

from majordomo.config.gateway import Gateway
from majordomo.contract import InvalidRequest

FACTORY = "majordomo.gateway.create:app"
BACKLOG = 4096


def run(settings: Gateway) -> None:
    """Serve until told to stop. Each worker builds its own application from the same settings."""
    check_bind(settings)
    try:
        import uvicorn  # noqa: PLC0415 -- an extra: the library does without
        from uvicorn.supervisors import Multiprocess  # noqa: PLC0415
    except ImportError as error:
        raise InvalidRequest(
            "the gateway needs uvicorn: pip install 'pymajordomo[serve]'"
        ) from error
    listener = listen(settings)
    config = uvicorn.Config(
        FACTORY,
        factory=True,
        http="majordomo.gateway.protocol:BoundedProtocol",
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
    sys.stderr.write(_greeting(settings, listener))
    try:
        if settings.workers > 1:
            Multiprocess(config, sockets=[listener]).run()
        else:
            uvicorn.Server(config).run(sockets=[listener])
    except KeyboardInterrupt:
        pass  # asked for; uvicorn has drained by now
    finally:
        listener.close()
        if settings.unix_socket:
            Path(settings.unix_socket).unlink(missing_ok=True)


def check_bind(settings: Gateway) -> None:
    """Refuse to be reachable from elsewhere without keys: that would give ours away."""
    if settings.keys or settings.unix_socket or is_loopback(settings.host):
        return
    raise InvalidRequest(
        f"refusing to listen on {settings.host} without keys: anyone who reaches it could use "
        "your providers. Make a key with `majordomo key NAME`, or listen on 127.0.0.1"
    )


def is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def listen(settings: Gateway) -> socket.socket:
    """Open the socket first: a port that is taken is then said before anything is started."""
    try:
        if settings.unix_socket:
            Path(settings.unix_socket).unlink(missing_ok=True)
            listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
            listener.bind(settings.unix_socket)
            listener.listen(BACKLOG)
        else:
            family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
            listener = socket.create_server(
                (settings.host, settings.port), family=family, backlog=BACKLOG
            )
    except OSError as error:
        where = settings.unix_socket or f"{settings.host}:{settings.port}"
        if error.errno == errno.EADDRINUSE:
            raise InvalidRequest(
                f"{where} is taken by another program: choose another with --port, or stop it"
            ) from error
        raise InvalidRequest(
            f"cannot listen on {where}: {os.strerror(error.errno or 0)}"
        ) from error
    listener.setblocking(False)  # noqa: FBT003 -- the standard library's signature
    return listener


def _greeting(settings: Gateway, listener: socket.socket) -> str:
    if settings.unix_socket:
        return f"majordomo listens on {settings.unix_socket}\n"
    scheme = "https" if settings.tls_certificate else "http"
    host = f"[{settings.host}]" if ":" in settings.host else settings.host
    url = f"{scheme}://{host}:{listener.getsockname()[1]}"
    return (
        f"majordomo listens on {url}\n"
        f"  OpenAI SDKs, Codex      base_url = {url}/v1\n"
        f"  Anthropic SDK           base_url = {url}\n"
        f"  Claude Code             ANTHROPIC_BASE_URL={url}\n"
        f"  Gemini                  base_url = {url}\n"
        f"  Ollama clients          OLLAMA_HOST={url}\n"
    )
