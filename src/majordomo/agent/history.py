"""A history as JSON: to keep it, to send it, to go on from it another day."""

from collections.abc import Sequence

import msgspec

from majordomo.contract import Malformed, Message


def dump_history(messages: Sequence[Message]) -> str:
    return msgspec.json.encode(tuple(messages)).decode()


def load_history(text: str | bytes) -> tuple[Message, ...]:
    """Raises `Malformed` for what is no history."""
    try:
        return _decoder.decode(text)
    except msgspec.DecodeError as error:
        raise Malformed("history", f"cannot be read: {error}") from error
    except RecursionError as error:
        raise Malformed("history", "is nested too deeply") from error


_decoder = msgspec.json.Decoder(tuple[Message, ...])
