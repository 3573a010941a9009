"""Who may ask, and for what. Keys are known by their hash only and compared in constant time."""

from fnmatch import fnmatchcase
from hashlib import sha256
from hmac import compare_digest

from majordomo.config.gateway import Key
from majordomo.contract import Unauthorized


def key_from(headers: dict[str, str], query: str) -> str:
    """Read the client's key from wherever its dialect puts it (WIRE §2.1)."""
    bearer = headers.get("authorization", "")
    if headers.get("x-api-key"):
        return headers["x-api-key"]
    if bearer[:7].lower() == "bearer ":
        return bearer[7:].strip()
    if headers.get("x-goog-api-key"):
        return headers["x-goog-api-key"]
    if headers.get("api-key"):
        return headers["api-key"]
    for pair in query.split("&"):
        name, _, value = pair.partition("=")
        if name == "key":
            return value
    return ""


def check(keys: tuple[Key, ...], given: str) -> Key | None:
    """Give the key that opens, or raise. Without any keys the door is open (loopback only)."""
    if not keys:
        return None
    digest = sha256(given.encode()).hexdigest()
    found: Key | None = None
    for key in keys:  # all of them, always: the time taken tells nothing
        if compare_digest(digest, key.sha256.lower()):
            found = key
    if found is None:
        said = "the API key is not known here" if given else "an API key is required"
        raise Unauthorized(said, status=401, code="invalid_api_key")
    return found


def allow(key: Key | None, spec: str) -> None:
    if key is not None and not any(fnmatchcase(spec, pattern) for pattern in key.allow):
        raise Unauthorized(f"this key may not use {spec!r}", status=403, code="permission_denied")


def hashed(key: str) -> str:
    """Give what to write into the configuration for a key."""
    return sha256(key.encode()).hexdigest()
