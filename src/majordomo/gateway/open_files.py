"""How many connections a process may hold: a stream is two of them, and the usual limit is low."""

from contextlib import suppress

ENOUGH = 65_536


def allow_many() -> None:
    """Raise this process's own limit as far as the system lets it, and children's with it."""
    try:
        import resource  # noqa: PLC0415 -- Windows has none, and no such limit
    except ImportError:
        return
    now, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = ENOUGH if most == resource.RLIM_INFINITY else min(ENOUGH, most)
    if now == resource.RLIM_INFINITY or now >= wanted:
        return
    with suppress(ValueError, OSError):  # macOS allows less than it says
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, most))
