"""Who may ask, and for what. Keys are known by their hash only and compared in constant time."""

from fnmatch import fnmatchcase
from hashlib import sha256
from hmac import compare_digest
from urllib.parse import parse_qs

from majordomo.config.gateway import Key
from majordomo.contract import Unauthorized

from .exchange import Exchange

_HEADERS = (b"x-api-key", b"x-goog-api-key", b"api-key")


def keys_from(exchange: Exchange) -> list[str]:
    """Read the client's keys from wherever the dialects put them; some clients send two."""
    given = [key for name in _HEADERS if (key := exchange.header(name))]
    bearer = exchange.header(b"authorization")
    if bearer[:7].lower() == "bearer ":
        given.append(bearer[7:].strip())
    if "key=" in exchange.query:
        given += parse_qs(exchange.query).get("key", [])
    return given


def check(keys: tuple[Key, ...], given: list[str]) -> Key | None:
    """Give the key that opens, or raise. Without any keys the door is open (loopback only)."""
    if not keys:
        return None
    digests = [sha256(one.encode()).hexdigest() for one in given]
    found: Key | None = None
    for key in keys:  # all of them, always: the time taken tells nothing
        for digest in digests:
            if compare_digest(digest, key.sha256.lower()):
                found = key
    if found is None:
        said = "the API key is not known here" if given else "an API key is required"
        raise Unauthorized(said, status=401, code="invalid_api_key")
    return found


def may(key: Key | None, spec: str) -> bool:
    """Say whether a key allows every target and alias of a spec, not only the spec as a whole."""
    if key is None:
        return True
    names = [name.strip() for name in spec.split(",")]
    return all(any(fnmatchcase(name, pattern) for pattern in key.allow) for name in names)


def allow(key: Key | None, spec: str) -> None:
    if not may(key, spec):
        raise Unauthorized(f"this key may not use {spec!r}", status=403, code="permission_denied")


def hashed(key: str) -> str:
    """Give what to write into the configuration for a key."""
    return sha256(key.encode()).hexdigest()
