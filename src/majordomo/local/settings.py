"""What a local server is told when it starts, and what it answers."""

from msgspec import Struct


class ServerSettings(Struct, frozen=True, kw_only=True):
    path: str  # of the .gguf
    alias: str = "local"  # what it calls itself in replies
    context: int = 8192  # tokens, all slots together; 0: as many as the model was made for
    answer: int = 0  # tokens, where a request sets no limit; 0: until the context is full
    slots: int = 2  # requests at once
    threads: int = 1  # more only help on cores that nobody else uses
    port: int = 0  # 0: any free one
    key: str = ""
    ping: int = 30  # seconds of silence before a stream says it is alive


class Address(Struct, frozen=True, kw_only=True):
    url: str  # without /v1
    key: str = ""
