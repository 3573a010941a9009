"""Calling a function that may be synchronous: then on a thread of its own."""

import asyncio
import inspect
import threading
from collections.abc import Callable
from contextlib import suppress
from contextvars import copy_context
from functools import partial


async def invoke(function: Callable[..., object], *args: object, **kwargs: object) -> object:
    """Call it and await what it gives, if that is to be awaited."""
    if is_async(function):
        result = function(*args, **kwargs)
    else:
        result = await _in_thread(partial(function, *args, **kwargs))
    return await result if inspect.isawaitable(result) else result


def is_async(function: Callable[..., object]) -> bool:
    while isinstance(function, partial):
        function = function.func
    call: object = getattr(function, "__call__", None)  # noqa: B004 -- which one, not whether
    return inspect.iscoroutinefunction(function) or inspect.iscoroutinefunction(call)


async def _in_thread(work: Callable[[], object]) -> object:
    """Run it on a daemon thread: one that hangs must hold up neither the loop nor the exit.

    The pool of `asyncio.to_thread` is waited for when the loop ends, and it is small.
    """
    loop = asyncio.get_running_loop()
    done: asyncio.Future[_Outcome] = loop.create_future()
    context = copy_context()

    def run() -> None:
        outcome = context.run(_Outcome, work)
        with suppress(RuntimeError):  # the loop has ended; nobody waits
            loop.call_soon_threadsafe(settle, outcome)

    def settle(outcome: _Outcome) -> None:
        if not done.done():
            done.set_result(outcome)

    threading.Thread(target=run, name="majordomo-tool", daemon=True).start()
    return (await done).result()


class _Outcome:
    """A result or an error; a future refuses to carry `StopIteration`."""

    def __init__(self, work: Callable[[], object]) -> None:
        self._error: BaseException | None = None
        self._value: object = None
        try:
            self._value = work()
        except StopIteration as error:
            self._error = RuntimeError(f"StopIteration: {error}")
        except BaseException as error:  # noqa: BLE001 -- it is raised where it is awaited
            self._error = error

    def result(self) -> object:
        if self._error is not None:
            raise self._error
        return self._value
