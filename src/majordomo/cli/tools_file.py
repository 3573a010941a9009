"""The functions of a Python file, as tools a model may call in a conversation."""

import asyncio
import inspect
import runpy
from collections.abc import Callable
from pathlib import Path

import msgspec
from msgspec import Struct

from majordomo.contract import InvalidRequest, Malformed, Text, Tool, ToolCall, ToolResult
from majordomo.dialects.json import object_at, read
from majordomo.fit.typed import Parameters, parameters_of


class Function(Struct, frozen=True, kw_only=True):
    tool: Tool
    parameters: Parameters
    call: Callable[..., object]


def functions_in(path: Path) -> dict[str, Function]:
    """Read every public function the file itself defines; its types and words describe it."""
    try:
        names = runpy.run_path(str(path), run_name=path.stem)
    except Exception as error:
        raise InvalidRequest(f"{path}: {type(error).__name__}: {error}") from error
    found: dict[str, Function] = {}
    for name, value in names.items():
        if inspect.isfunction(value) and value.__module__ == path.stem and name[0] != "_":
            found[name] = _function(name, value, path)
    if not found:
        raise InvalidRequest(f"{path}: defines no function a model could call")
    return found


async def result_of(call: ToolCall, functions: dict[str, Function]) -> ToolResult:
    """Run one call; whatever goes wrong in it is told to the model."""
    try:
        function = functions[call.name]
        arguments, keywords = function.parameters.read(
            object_at(read(call.arguments or "{}", "arguments"), "arguments")
        )
        if inspect.iscoroutinefunction(function.call):
            value: object = await function.call(*arguments, **keywords)
        else:
            value = await asyncio.to_thread(function.call, *arguments, **keywords)
        said = (
            value if isinstance(value, str) else msgspec.json.encode(value, enc_hook=str).decode()
        )
    except Malformed as error:
        return _result(call, f"bad arguments: {error}", is_error=True)
    except Exception as error:  # noqa: BLE001 -- somebody else's function may raise anything
        return _result(call, f"{type(error).__name__}: {error}", is_error=True)
    return _result(call, said)


def _function(name: str, value: Callable[..., object], path: Path) -> Function:
    try:
        parameters, doc = parameters_of(value)
    except TypeError as error:
        raise InvalidRequest(f"{path}: {error}") from error
    tool = Tool(name=name, description=doc.summary, parameters=parameters.schema)
    return Function(tool=tool, parameters=parameters, call=value)


def _result(call: ToolCall, said: str, *, is_error: bool = False) -> ToolResult:
    return ToolResult(id=call.id, name=call.name, content=(Text(text=said),), is_error=is_error)
