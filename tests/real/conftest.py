"""One real model server for all tests here, and one gateway in front of it."""

from collections.abc import Generator

import pytest

from majordomo.local import Address
from support.npm import Unavailable
from support.real_model import dsn, llama_server, weights
from support.served import majordomo_serve


@pytest.fixture(scope="session")
def llama() -> Generator[Address]:
    try:
        weights()
    except Unavailable as reason:
        pytest.skip(str(reason))
    with llama_server() as address:
        yield address


@pytest.fixture(scope="session")
def real_gateway(llama: Address) -> Generator[str]:
    with majordomo_serve({"LLM_REAL": dsn(llama)}) as url:
        yield url
