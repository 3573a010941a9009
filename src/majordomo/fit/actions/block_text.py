"""A call as the contract teaches the model to write it."""

from majordomo.contract import Json
from majordomo.dialects.json import read, write_text


def block(name: str, arguments: str, *, nonce: str, id: str = "") -> str:
    """Write the action block of one call; the history's keep their ids."""
    value: dict[str, Json] = {"tool": name}
    if id:
        value["id"] = id
    value["parameters"] = _arguments(arguments)
    text = write_text(value)
    fence = "```"
    while fence in text:
        fence += "`"
    info = f"json action {nonce}".rstrip()
    return f"{fence}{info}\n{text}\n{fence}"


def _arguments(arguments: str) -> Json:
    try:
        return read(arguments) if arguments.strip() else {}
    except ValueError:
        return arguments  # it was invalid then and is shown as it was
