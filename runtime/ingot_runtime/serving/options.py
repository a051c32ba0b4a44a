"""The options of the server."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True)
class Batching:
    """How requests to a model are joined.

    Attributes:
        largest: the most items in one call; 1 turns joining off.
        delay: the seconds that a call that is not full waits for more requests. Requests that
            arrive while the model computes are joined in any case.
    """

    largest: int = 64
    delay: float = 0.0


@dataclass(frozen=True)
class Options:
    """The options of `serve`.

    Attributes:
        models: an artifact, or a folder with NAME.ingot and NAME/VERSION.ingot files.
        host: the address to listen on.
        http_port: the port for HTTP; 0 chooses a free one, None turns HTTP off.
        grpc_port: the same for gRPC.
        native: whether to run the machine code of artifacts, see `load`.
        mesh: the number of devices along each axis of a mesh that shares the items of calls; none
            for the first device.
        batching: how requests are joined.
        poll: the seconds between checks of the folder for changes.
        largest_request: the size of the largest request in bytes.
        in_flight: the most bytes of all requests that are being received or answered.
        connections: the most open HTTP connections, and the most gRPC calls at once.
        receive: the seconds in which a request must arrive, and in which a client that does not
            read its answer must take a part of it.
        token: the token that clients must send as `Authorization: Bearer TOKEN`; "" for none.
        certificate: a PEM file, for TLS.
        key: a PEM file, for TLS.
        drain: the seconds after SIGTERM in which the server still answers, but is not ready.
        grace: the seconds that running requests may take after that.

    Raises:
        ValueError: the options contradict each other.
    """

    models: Path
    host: str = "127.0.0.1"
    http_port: int | None = 8080
    grpc_port: int | None = 8081
    native: bool = False
    mesh: Mapping[str, int] = field(default_factory=dict)
    batching: Batching = field(default=Batching())
    poll: float = 1.0
    largest_request: int = 64 << 20
    in_flight: int = 512 << 20
    connections: int = 1000
    receive: float = 30.0
    token: str = field(default="", repr=False)
    certificate: Path | None = None
    key: Path | None = None
    drain: float = 1.0
    grace: float = 30.0

    def __post_init__(self) -> None:
        if (self.certificate is None) != (self.key is None):
            raise ValueError("TLS needs both a certificate and its key")
        if self.in_flight < 2 * self.largest_request:
            raise ValueError("all requests together must be allowed twice the largest one")
        if self.http_port is None and self.grpc_port is None:
            raise ValueError("there is no port to listen at")
