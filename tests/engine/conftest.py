"""Fixtures of the engine's tests."""

import pytest

from majordomo.engine import outside
from support.certificate import Certificate, make_certificate
from support.chains import pace
from support.transports import CLIENTS, Client

__all__ = ["pace"]


@pytest.fixture(scope="session")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Certificate:
    return make_certificate(tmp_path_factory.mktemp("certificate"))


@pytest.fixture(params=CLIENTS.keys())
def client(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Client:
    """Each implementation of the transport in turn, which is then everybody's default too."""
    chosen = CLIENTS[request.param]
    monkeypatch.setattr(outside, "default_transport", chosen)
    return chosen
