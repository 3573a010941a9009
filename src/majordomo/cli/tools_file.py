"""The functions of a Python file, as tools a model may call in a conversation."""

import inspect
import runpy
from pathlib import Path

from majordomo.agent import ToolFunction
from majordomo.agent.toolbox import Toolbox, ToolLike
from majordomo.contract import InvalidRequest, Tool


def tools_in(path: Path) -> dict[str, ToolLike]:
    """Give what the file offers: tools made with `@tool`, or else its own public functions."""
    try:
        names = runpy.run_path(str(path), run_name=path.stem)
    except Exception as error:
        raise InvalidRequest(f"{path}: {type(error).__name__}: {error}") from error
    made: dict[str, ToolLike] = {}
    plain: dict[str, ToolLike] = {}
    for name, value in names.items():
        if isinstance(value, ToolFunction | Tool):
            made[name] = value
        elif inspect.isfunction(value) and value.__module__ == path.stem and name[0] != "_":
            plain[name] = value
    found = made or plain
    if not found:
        raise InvalidRequest(f"{path}: defines no function a model could call")
    toolbox_of(found, path)  # what cannot be offered is said now
    return found


def toolbox_of(tools: dict[str, ToolLike], path: Path | None = None) -> Toolbox:
    try:
        return Toolbox(*tools.values())
    except (TypeError, ValueError) as error:
        raise InvalidRequest(f"{path}: {error}" if path is not None else str(error)) from error
