"""The servers of this process, one a model: started by the first request that names it."""

import asyncio
import secrets
import threading
from urllib.parse import unquote

from majordomo.contract import Overloaded

from .server import LocalServer
from .settings import Address, ServerSettings
from .weights import find_weights, longest_answer

SCHEME = "local://"  # local://<model, percent-encoded>/<path>
_MOST = 4  # each holds a model in memory, and a gateway's clients choose the names

# The one thing of ours that is shared by the whole process, because memory and cores are:
# two registries that name the same model must not load it twice.
_servers: dict[str, LocalServer] = {}
_lock = threading.Lock()


async def open_local(url: str) -> Address:
    """Start the model an address of ours names, if need be; give the address that works."""
    model, _, path = url.removeprefix(SCHEME).partition("/")
    server = server_of(unquote(model))
    address = server.address
    if address is None:
        address = await asyncio.to_thread(server.start)
    return Address(url=f"{address.url}/{path}", key=address.key)


def server_of(model: str) -> LocalServer:
    """Give the one server for this model; it may not be running yet."""
    path = str(find_weights(model))
    with _lock:
        server = _servers.get(path)
        if server is None:
            if sum(each.address is not None for each in _servers.values()) >= _MOST:
                raise Overloaded(f"{_MOST} local models are running already: that is the most")
            key = secrets.token_urlsafe(24)  # loopback is open to every user of the machine
            settings = ServerSettings(path=path, alias=model, key=key, answer=longest_answer(model))
            server = _servers[path] = LocalServer(settings)
    return server
