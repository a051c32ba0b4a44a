"""What the server can be told."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True)
class Batching:
    """How requests to a model are joined.

    Attributes:
        largest: the most items in one call; 1 turns joining off.
        delay: how many seconds a call that could be larger waits for more requests. While the model
            computes, requests gather anyway.
    """

    largest: int = 64
    delay: float = 0.0


@dataclass(frozen=True)
class Options:
    """Of `serve`.

    Attributes:
        models: an artifact, or a folder of NAME.ingot and NAME/VERSION.ingot.
        host: the address to listen at.
        http_port, grpc_port: 0 for one that is free, None for none.
        poll: every how many seconds the folder is looked at.
        largest_request: in bytes.
        token: what clients must send as `Authorization: Bearer TOKEN`; "" for nothing.
        certificate, key: PEM files, for TLS.
        drain: how many seconds the server still answers, not ready any more, after SIGTERM.
        grace: how many seconds requests may then take to end.
    """

    models: Path
    host: str = "127.0.0.1"
    http_port: int | None = 8080
    grpc_port: int | None = 8081
    batching: Batching = field(default=Batching())
    poll: float = 1.0
    largest_request: int = 64 << 20
    token: str = field(default="", repr=False)
    certificate: Path | None = None
    key: Path | None = None
    drain: float = 1.0
    grace: float = 30.0
