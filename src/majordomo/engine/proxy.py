"""Which proxy leads to a host: what the caller says, or else the usual environment variables."""

from collections.abc import Mapping
from urllib.request import getproxies, proxy_bypass


def proxy_for(scheme: str, host: str, proxies: Mapping[str, str] | None = None) -> str | None:
    """Give its address, or None to go there directly."""
    known = getproxies() if proxies is None else proxies
    proxy = known.get(scheme) or known.get("all")
    if not proxy or not proxy.startswith("http") or proxy_bypass(host):
        return None
    return proxy
