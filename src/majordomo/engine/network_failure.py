"""Which contract failure an error of the network means: none of aiohttp's gets past here."""

import ssl

from aiohttp import client_exceptions as client
from aiohttp.http_exceptions import ContentEncodingError, HttpProcessingError

from majordomo.catalog.provider import Timeouts
from majordomo.contract import Disconnected, Failure, ProtocolBroken, Timeout

from .patience import out_of_patience

# `ValueError` is what aiohttp raises for a header or URL it cannot put on the wire.
NETWORK_ERRORS = (client.ClientError, HttpProcessingError, OSError, ValueError)


def network_failure(error: Exception, timeouts: Timeouts) -> Failure:
    """Say it in the contract's terms; of the rows that match, the first is the most exact."""
    if isinstance(error, client.ConnectionTimeoutError):
        return Timeout(f"no connection within {timeouts.connect} s")
    if isinstance(error, TimeoutError):
        return out_of_patience(timeouts, heard=False)
    if isinstance(error.__cause__, ContentEncodingError):
        return ProtocolBroken(f"the body is not in its encoding: {_said(error.__cause__)}")
    for kinds, failure, words in _MEANINGS:
        if isinstance(error, kinds):
            return failure(f"{words}: {_said(error)}")
    return Disconnected(f"the connection failed: {_said(error)}")


def _said(error: BaseException) -> str:
    """Give its words on one line; some have none, and their name must do."""
    return " ".join(str(error).split()) or type(error).__name__


_MEANINGS: tuple[tuple[tuple[type[Exception], ...], type[Failure], str], ...] = (
    (
        (client.ClientConnectorCertificateError,),
        Disconnected,
        "the server's certificate is not trusted",
    ),
    ((client.ClientSSLError, ssl.SSLError), Disconnected, "TLS failed"),
    ((client.ClientConnectorDNSError,), Disconnected, "the host has no address"),
    ((client.ClientProxyConnectionError,), Disconnected, "the proxy cannot be reached"),
    ((client.ClientHttpProxyError,), Disconnected, "the proxy refused"),
    ((client.ClientConnectorError,), Disconnected, "cannot connect"),
    ((client.ServerFingerprintMismatch,), Disconnected, "the server is not the one expected"),
    ((client.ServerDisconnectedError,), Disconnected, "the server hung up"),
    ((client.ClientPayloadError,), Disconnected, "the reply was cut off"),
    (
        (client.InvalidURL, client.NonHttpUrlClientError, client.RedirectClientError),
        ProtocolBroken,
        "not a URL that can be called",
    ),
    ((client.ClientResponseError, HttpProcessingError), ProtocolBroken, "this is not HTTP"),
    ((client.ClientError, OSError), Disconnected, "the connection failed"),
    ((ValueError,), ProtocolBroken, "cannot be sent"),
)
