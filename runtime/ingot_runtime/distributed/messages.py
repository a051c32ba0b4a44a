"""What processes and their coordinator send each other: lines of JSON over TCP."""

from __future__ import annotations

import json
import socket
from typing import Any

#: How often a process and its coordinator tell each other within a heartbeat that they are alive.
BEATS = 4


def keep_alive(connection: socket.socket) -> None:
    """Make the kernel close the connection if the machine at its other end is gone for 8 s."""
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    for name, value in (("TCP_KEEPIDLE", 2), ("TCP_KEEPINTVL", 2), ("TCP_KEEPCNT", 3)):
        # Not every system has them.
        if hasattr(socket, name):
            connection.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), value)


def line(message: dict[str, Any]) -> bytes:
    return json.dumps(message).encode() + b"\n"
