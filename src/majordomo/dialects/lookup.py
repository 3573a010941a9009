"""A dialect by its name, loaded when it is first asked for."""

from functools import cache
from importlib import import_module

from majordomo.contract import DialectName

from .dialect import Dialect


@cache
def dialect(name: DialectName) -> Dialect:
    """Importing all five to speak one would cost every program the other four."""
    found: Dialect = import_module(f"majordomo.dialects.{name}").DIALECT
    return found
