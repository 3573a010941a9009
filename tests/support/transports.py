"""Every implementation of the transport, for tests that all of them must pass."""

from typing import TypeAlias

from majordomo.engine.lean import LeanTransport
from majordomo.engine.transport import AiohttpTransport

Client: TypeAlias = type[AiohttpTransport] | type[LeanTransport]
CLIENTS: dict[str, Client] = {"aiohttp": AiohttpTransport, "lean": LeanTransport}
