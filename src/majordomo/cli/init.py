"""`majordomo init`: a commented configuration to begin with. It never overwrites anything."""

import argparse
import os
import sys
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path

from majordomo.config.file import NAME, own_folder
from majordomo.contract import InvalidRequest


def run(arguments: Sequence[str]) -> int:
    given = parser().parse_args(arguments)
    path: Path = given.path or Path(NAME)
    if given.user:
        path = own_folder(Path.home(), os.environ) / NAME
    write_new(path, template())
    sys.stdout.write(f"wrote {path}; everything in it is commented out until you want it\n")
    return 0


def parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="majordomo init",
        description="Write a commented majordomo.toml here. An existing file is left alone.",
    )
    parser.add_argument("path", nargs="?", type=Path, help=f"where to write it ({NAME})")
    parser.add_argument("--user", action="store_true", help="into your own configuration folder")
    return parser


def template() -> str:
    return files("majordomo.config").joinpath("example.toml").read_text(encoding="utf-8")


def write_new(path: Path, text: str) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError as error:
        raise InvalidRequest(f"{path} is there already, and is left as it is") from error
    except OSError as error:
        raise InvalidRequest(f"{path}: {error.strerror or error}") from error
