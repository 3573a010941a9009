"""Survive an outage: several targets in a row are one model."""

import os

from majordomo.contract import Overloaded
from majordomo.engine.registry import Registry
from majordomo.testing import DialectServer


def main() -> None:
    busy = Overloaded("too many requests", status=503, retry_after=60.0)
    with (
        DialectServer.in_thread("anthropic", lambda _: busy) as down,
        DialectServer.in_thread("ollama", ["Hello from the second in line."]) as up,
    ):
        registry = Registry(
            providers={
                "cloud": down.url.replace("http://", "anthropic+http://key@"),
                "spare": up.url.replace("http://", "ollama+http://"),
            },
            aliases={
                "careful": "cloud/large-model, fallback",
                "fallback": os.environ.get("MAJORDOMO_MODEL", "spare/small-model"),
            },
        )
        response = registry.parse("careful").sync.generate("Hello!", max_tokens=60)
        print(response.text)
        for attempt in response.attempts:
            print(f"  {attempt.target}: {attempt.outcome} {attempt.reason}")
        for health in registry.health("careful"):
            print(f"  {health.target} is {health.state}")


if __name__ == "__main__":
    main()
