"""`majordomo key`: make a client key; only its hash goes into the configuration."""

import argparse
import secrets
import sys
from collections.abc import Sequence

from majordomo.gateway.keys import hashed


def run(arguments: Sequence[str]) -> int:
    given = parser().parse_args(arguments)
    key = f"mjd-{secrets.token_urlsafe(24)}"
    sys.stdout.write(
        f"Give this to {given.name}; it is shown once:\n\n  {key}\n\n"
        f"Put this into majordomo.toml:\n\n"
        f'  [[gateway.keys]]\n  name = "{given.name}"\n  sha256 = "{hashed(key)}"\n'
    )
    return 0


def parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="majordomo key",
        description="Make a key for a client of the gateway; only its hash is kept, by you.",
    )
    parser.add_argument("name", help="whose key it is")
    return parser
