"""Fixtures of the testing package's own tests."""

from pathlib import Path

import pytest

from support.certificate import Certificate, make_certificate


@pytest.fixture(scope="session")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Certificate:
    folder: Path = tmp_path_factory.mktemp("certificate")
    return make_certificate(folder)
