"""What only a call can tell: names, certificates, keys, models. Each address is looked at once."""

import asyncio
import os
import socket
import ssl
from collections.abc import Mapping
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

from majordomo.catalog.provider import Provider
from majordomo.contract import Failure, ModelNotFound
from majordomo.engine.http import default_transport
from majordomo.engine.registry import Registry
from majordomo.engine.target import Target, auth_headers
from majordomo.route import Patience

from .advice import advice
from .finding import Finding
from .listing import list_models

_SECONDS = 10.0  # to look a name up, to connect, to agree on TLS
_PATIENCE = Patience(retries=0, retry_after=0.0, first_token=None, silence=60.0, total=90.0)


class Network:
    """Runs the checks of one `doctor`; they go side by side."""

    def __init__(self, registry: Registry, environ: Mapping[str, str], *, offline: bool) -> None:
        self._registry = registry
        self._environ = environ
        self._offline = offline
        self._transport = default_transport()
        self._addresses: dict[str, asyncio.Task[list[Finding]]] = {}

    async def check_target(self, target: Target) -> list[Finding]:
        """Walk from the key to a tiny answer, as far as it goes."""
        findings = await self._way(target.provider)
        if self._offline or _stuck(findings):
            return findings
        try:
            chain = self._registry.parse(target.name, patience=_PATIENCE)
            reply = await chain.generate("Reply with the one word OK.", max_tokens=16)
        except Failure as failure:
            return [*findings, _failed(target.name, _cause(failure))]
        said = " ".join(reply.text.split())[:40]
        return [*findings, Finding(check="call", where=target.name, said=f"said {said!r}")]

    async def check_provider(self, provider: Provider) -> list[Finding]:
        """Where no model is named, ask for the list of them: that needs the key too."""
        findings = await self._way(provider)
        if self._offline or _stuck(findings):
            return findings
        try:
            names = await list_models(provider, self._transport, self._environ)
        except ModelNotFound:
            fix = f"name a model to be asked: `majordomo doctor {provider.name}/MODEL`"
            said = "it lists no models, so nothing was asked of it"
            aside = Finding(check="call", where=provider.name, level="aside", said=said, fix=fix)
            return [*findings, aside]
        except Failure as failure:
            return [*findings, _failed(provider.name, failure)]
        said = f"lists {len(names)} models"
        return [*findings, Finding(check="call", where=provider.name, said=said)]

    async def aclose(self) -> None:
        await self._transport.aclose()
        await self._registry.aclose()

    async def _way(self, provider: Provider) -> list[Finding]:
        findings = [self._key(provider)]
        address = urlsplit(provider.base_url)
        if self._offline or _stuck(findings) or address.scheme not in ("http", "https"):
            return findings
        if getproxies().get(address.scheme) and not proxy_bypass(address.hostname or ""):
            return findings  # the proxy looks names up, and speaks TLS with whom it likes
        task = self._addresses.get(address.netloc)
        if task is None:
            task = asyncio.create_task(_reach(address.hostname or "", address.port, address.scheme))
            self._addresses[address.netloc] = task
        return findings + await task

    def _key(self, provider: Provider) -> Finding:
        try:
            headers = auth_headers(provider, self._environ)
        except Failure as failure:
            failure.target = f"{provider.name}/any"
            return Finding(
                check="key",
                where=provider.name,
                level="wrong",
                said=failure.message,
                fix=f"export it, {advice(failure)}",
            )
        return Finding(check="key", where=provider.name, said="is set" if headers else "needs none")


async def _reach(host: str, port: int | None, scheme: str) -> list[Finding]:
    """Look the name up and connect; with TLS, see whether the certificate is believed."""
    number = port or (443 if scheme == "https" else 80)
    where = f"{host}:{number}"
    loop = asyncio.get_running_loop()
    try:
        async with asyncio.timeout(_SECONDS):
            await loop.getaddrinfo(host, number, type=socket.SOCK_STREAM)
    except (OSError, TimeoutError):
        fix = "check the host's spelling in the DSN, and that this machine can look names up"
        return [
            Finding(check="dns", where=host, level="wrong", said="the host has no address", fix=fix)
        ]
    dns = Finding(check="dns", where=host)
    try:
        await _connected(host, number, None)
    except (OSError, TimeoutError) as error:
        fix = "start the server, or mend host and port in the DSN"
        return [dns, Finding(check="call", where=where, level="wrong", said=_why(error), fix=fix)]
    return [dns, await _handshake(host, number)] if scheme == "https" else [dns]


async def _handshake(host: str, port: int) -> Finding:
    """See whether the server speaks TLS, and whether its certificate is believed."""
    where = f"{host}:{port}"
    try:
        await _connected(host, port, ssl.create_default_context())
    except ssl.SSLCertVerificationError as error:
        fix = "trust its authority with SSL_CERT_FILE=ca.pem, or have the certificate mended"
        said = f"its certificate is not believed: {error.verify_message}"
        return Finding(check="tls", where=where, level="wrong", said=said, fix=fix)
    except (OSError, TimeoutError):
        fix = "if the server speaks plain HTTP, write +http after the scheme of its DSN"
        return Finding(check="tls", where=where, level="wrong", said="TLS failed", fix=fix)
    return Finding(check="tls", where=where)


async def _connected(host: str, port: int, context: ssl.SSLContext | None) -> None:
    async with asyncio.timeout(_SECONDS):
        _, writer = await asyncio.open_connection(host, port, ssl=context)
    writer.close()


def _why(error: OSError | TimeoutError) -> str:
    if isinstance(error, TimeoutError) or error.errno is None:
        return "no connection in time"
    return f"cannot connect: {os.strerror(error.errno)}"


def _cause(failure: Failure) -> Failure:
    """Give the failure of the one target there was."""
    last: Failure | None = getattr(failure, "last", None)
    return failure if last is None else last


def _failed(where: str, failure: Failure) -> Finding:
    status = f" ({failure.status})" if failure.status else ""
    said = f"{failure.message}{status}"
    return Finding(check="call", where=where, level="wrong", said=said, fix=advice(failure))


def _stuck(findings: list[Finding]) -> bool:
    return any(finding.level == "wrong" for finding in findings)
