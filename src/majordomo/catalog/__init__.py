"""Providers and model families, as data."""

from .families import FAMILIES, Family, capabilities_for
from .provider import AuthStyle, Provider, Timeouts
from .providers import PROVIDERS, provider_named

__all__ = [
    "FAMILIES",
    "PROVIDERS",
    "AuthStyle",
    "Family",
    "Provider",
    "Timeouts",
    "capabilities_for",
    "provider_named",
]
