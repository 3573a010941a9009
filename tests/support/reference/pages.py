"""Every page of the documentation that is made from the source; run this to make them again."""

from collections.abc import Callable
from pathlib import Path

from support.reference import api, cli, config, dsn, errors, providers

DOCS = Path(__file__).parents[3] / "docs"

PAGES: dict[str, Callable[[], str]] = {
    "reference/api.md": api.page,
    "reference/cli.md": cli.page,
    "reference/config.md": config.page,
    "reference/dsn.md": dsn.page,
    "reference/errors.md": errors.page,
    "recipes/providers.md": providers.page,
}


def made(name: str) -> str:
    """Make one page; trailing blanks are nothing to keep."""
    lines = (line.rstrip() for line in PAGES[name]().splitlines())
    return "\n".join(lines).rstrip("\n") + "\n"


if __name__ == "__main__":
    for name in PAGES:
        (DOCS / name).write_text(made(name), encoding="utf-8")
