"""The page about `majordomo.toml`, from the structs that read it."""

from collections.abc import Iterator

from msgspec import Struct

from majordomo.cli.init import template
from majordomo.config.file import BUILT_IN, Settings
from majordomo.config.gateway import Key

from .field import code, rows, table

# What the source says by its name alone, said again for people who have not read the source.
PLAIN = {
    "gateway.host": "address to listen on; anything but loopback needs keys",
    "gateway.port": "port to listen on; 0: any free one",
    "gateway.unix_socket": "path of a socket file to listen on instead",
    "gateway.workers": "processes",
    "gateway.tls_certificate": "path of a PEM file: serve HTTPS",
    "gateway.tls_key": "path of its key",
    "gateway.keys": "clients' keys, as `[[gateway.keys]]`",
    "gateway.limits.body_bytes": "of one request",
    "gateway.limits.stored_bytes": "of all stored responses together",
    "gateway.keys.name": "whose key it is; it stands in traces",
    "gateway.keys.sha256": "of the key, in hexadecimal: `majordomo key NAME`",
    "patience.backoff_cap": "seconds a backoff is at most",
    "gateway.trace_rows": "the most traces that are kept",
}


def page() -> str:
    return "\n".join(_lines()) + "\n"


def _lines() -> Iterator[str]:
    yield "# majordomo.toml"
    yield ""
    yield "<!-- Made by `make reference` from the structs that read it; a test compares. -->"
    yield ""
    yield "Found by `--config`, else `$MAJORDOMO_CONFIG`, else in the working directory, else in"
    yield "`$XDG_CONFIG_HOME/majordomo` (`~/.config/majordomo`). `majordomo init` writes this one:"
    yield ""
    yield "```toml"
    yield template().rstrip("\n")
    yield "```"
    yield ""
    yield "`${NAME}` in any string is replaced by the environment's `NAME`; a name that is not set"
    yield "is an error. Errors name the file, the line and what was probably meant, never a value."
    yield ""
    built = ", ".join(f"`{name}` (`{spec}`)" for name, spec in BUILT_IN.items())
    yield f"Aliases that need no writing down: {built}."
    yield ""
    yield "A running gateway looks at its file every second, and at once on SIGHUP. A good change"
    yield "counts from the next request on; a bad one is logged and the old settings go on."
    yield "Address, workers, TLS and traces are read at the start only."
    yield from _section("", Settings)
    yield from _section("gateway.keys", Key, "[[gateway.keys]]")


def _section(path: str, kind: type[Struct], title: str = "") -> Iterator[str]:
    found = list(rows(kind))
    yield ""
    yield f"## `{title or f'[{path}]'}`" if path else "## At the top"
    yield ""
    yield from table(
        ("setting", "type", "default", "what it is"),
        [
            (
                code(row.name),
                code(row.kind),
                code(row.default if row.table is None else ""),
                f"see `[{_joined(path, row.name)}]`"
                if row.table is not None
                else PLAIN.get(_joined(path, row.name)) or row.words,
            )
            for row in found
        ],
    )
    for row in found:
        if row.table is not None:
            yield from _section(_joined(path, row.name), row.table)


def _joined(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name
