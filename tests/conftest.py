"""What every test may use."""

import pytest
from hypothesis import HealthCheck, settings

# Timings on a busy machine are no finding; examples are.
settings.register_profile(
    "majordomo", deadline=None, suppress_health_check=[HealthCheck.too_slow], print_blob=True
)
settings.load_profile("majordomo")


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"
