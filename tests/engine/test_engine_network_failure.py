"""No exception of aiohttp's gets past the transport, and each means what it says."""

import socket
import ssl

import pytest
from aiohttp import client_exceptions as client
from aiohttp.client_reqrep import ConnectionKey, RequestInfo
from aiohttp.http_exceptions import BadStatusLine, ContentEncodingError, LineTooLong
from multidict import CIMultiDict, CIMultiDictProxy
from yarl import URL

from majordomo.catalog import Timeouts
from majordomo.contract import Disconnected, Failure, ProtocolBroken, Timeout
from majordomo.engine.network_failure import NETWORK_ERRORS, network_failure

_URL = URL("http://upstream/")
_KEY = ConnectionKey("upstream", 80, True, True, None, None, None)  # noqa: FBT003 -- aiohttp's
_INFO = RequestInfo(_URL, "POST", CIMultiDictProxy(CIMultiDict[str]()), _URL)
_REFUSED = ConnectionRefusedError(111, "refused")

ERRORS: dict[Exception, type[Failure]] = {
    client.ClientError("x"): Disconnected,
    client.ClientConnectionError("x"): Disconnected,
    client.ClientConnectionResetError("x"): Disconnected,
    client.ClientOSError(104, "reset"): Disconnected,
    client.ClientConnectorError(_KEY, _REFUSED): Disconnected,
    client.ClientConnectorDNSError(_KEY, socket.gaierror(-2, "unknown")): Disconnected,
    client.ClientProxyConnectionError(_KEY, _REFUSED): Disconnected,
    client.UnixClientConnectorError("/socket", _KEY, _REFUSED): Disconnected,
    client.ClientSSLError(_KEY, _REFUSED): Disconnected,
    client.ClientConnectorSSLError(_KEY, _REFUSED): Disconnected,
    client.ClientConnectorCertificateError(_KEY, ssl.CertificateError("self-signed")): Disconnected,
    client.ServerFingerprintMismatch(b"a", b"b", "upstream", 80): Disconnected,
    client.ServerConnectionError("x"): Disconnected,
    client.ServerDisconnectedError(): Disconnected,
    client.ClientPayloadError("cut"): Disconnected,
    client.UploadAbortedError("x"): Disconnected,
    client.ServerTimeoutError("x"): Timeout,
    client.ConnectionTimeoutError("x"): Timeout,
    client.SocketTimeoutError("x"): Timeout,
    client.ClientResponseError(_INFO, ()): ProtocolBroken,
    client.ContentTypeError(_INFO, ()): ProtocolBroken,
    client.WSServerHandshakeError(_INFO, ()): ProtocolBroken,
    client.TooManyRedirects(_INFO, ()): ProtocolBroken,
    client.ClientHttpProxyError(_INFO, ()): Disconnected,
    client.InvalidURL("x"): ProtocolBroken,
    client.InvalidUrlClientError("x"): ProtocolBroken,
    client.InvalidUrlRedirectClientError("x"): ProtocolBroken,
    client.NonHttpUrlClientError("x"): ProtocolBroken,
    client.NonHttpUrlRedirectClientError("x"): ProtocolBroken,
    client.RedirectClientError("x"): ProtocolBroken,
    BadStatusLine("x"): ProtocolBroken,
    LineTooLong("x"): ProtocolBroken,
    ContentEncodingError("x"): ProtocolBroken,
    TimeoutError(): Timeout,
    BrokenPipeError(32, "broken pipe"): Disconnected,
    ssl.SSLError(1, "bad record"): Disconnected,
    ValueError("a line break in a header"): ProtocolBroken,
}


@pytest.mark.parametrize(
    ("error", "kind"), ERRORS.items(), ids=[type(error).__name__ for error in ERRORS]
)
def test_each_error_has_its_meaning(error: Exception, kind: type[Failure]) -> None:
    assert isinstance(error, NETWORK_ERRORS)
    failure = network_failure(error, Timeouts())
    assert type(failure) is kind
    assert failure.message
    assert "\n" not in failure.message


def test_the_table_knows_every_error_of_aiohttps_client() -> None:
    known = {type(error) for error in ERRORS}
    theirs = {getattr(client, name) for name in client.__all__}
    web_socket = {client.WSMessageTypeError}  # we open none
    assert theirs - known - web_socket == set()
