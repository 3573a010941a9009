"""JSON that ended with the connection: cut short is not the same as badly written."""

from majordomo.contract import Json, Malformed, Truncated

from .json import read


def read_last(body: bytes, where: str) -> Json:
    """Parse the last bytes there were; if they merely stop too soon, say `Truncated`."""
    try:
        return read(body, where)
    except Malformed as error:
        if "truncated" in error.problem:  # msgspec's word for it
            raise Truncated(f"the reply was cut inside {where}") from error
        raise
