"""What happened, as values; stores behind one seam."""

from .record import Trace
from .store import Store

__all__ = ["Store", "Trace"]
