"""Opening the door: what may be listened on, and how it is said when it may not.

SIGTERM drains: no new connections, running requests finish.
"""

import errno
import os
import socket
import ssl
import sys
from ipaddress import ip_address
from pathlib import Path

from majordomo.config.gateway import Gateway
from majordomo.contract import InvalidRequest

BACKLOG = 4096


def run(settings: Gateway) -> None:
    """Serve until told to stop. Each worker builds its own application from the same settings."""
    check_bind(settings)
    check_tls(settings)
    try:
        from .workers import serve  # noqa: PLC0415 -- uvicorn is an extra: the library does without
    except ImportError as error:
        raise InvalidRequest(
            "the gateway needs uvicorn: pip install 'pymajordomo[serve]'"
        ) from error
    listener = listen(settings)
    sys.stderr.write(_greeting(settings, listener))
    try:
        serve(settings, listener)
    except KeyboardInterrupt:
        pass  # asked for; all is drained by now
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


def check_tls(settings: Gateway) -> None:
    """Say what is wrong with a certificate before anything is started."""
    if bool(settings.tls_certificate) != bool(settings.tls_key):
        raise InvalidRequest("TLS needs both a certificate and its key")
    if not settings.tls_certificate:
        return
    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(
            settings.tls_certificate, settings.tls_key
        )
    except OSError as error:  # a certificate that cannot be read is one, too
        raise InvalidRequest(
            f"cannot serve TLS with {settings.tls_certificate} and {settings.tls_key}: {error}"
        ) from error


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
            _clear(Path(settings.unix_socket))
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
                f"{where} is taken by another program: choose another, or stop that one"
            ) from error
        raise InvalidRequest(
            f"cannot listen on {where}: {os.strerror(error.errno or 0)}"
        ) from error
    listener.setblocking(False)  # noqa: FBT003 -- the standard library's signature
    return listener


def _clear(path: Path) -> None:
    """Take away a socket that nobody listens to any more, and nothing else."""
    if not path.is_socket():
        return  # binding will say what is in the way
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
        try:
            probe.connect(str(path))
        except OSError:
            path.unlink(missing_ok=True)


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
