"""What clients may hold of the server: connections, time and memory."""

from __future__ import annotations

import asyncio
from typing import Any

from uvicorn.protocols.http.auto import AutoHTTPProtocol

#: The most bytes of a request line with its headers.
LARGEST_HEAD = 64 << 10


class RequestTooLarge(Exception):
    """A request is larger than the server accepts."""

    def __init__(self, limit: int) -> None:
        super().__init__(f"the request is larger than {limit} bytes")


class RequestTooSlow(Exception):
    """A request has not arrived in time."""

    def __init__(self, seconds: float) -> None:
        super().__init__(f"the request has not arrived within {seconds:g} seconds")


class TooManyBytes(Exception):
    """The requests that are being received or answered hold all the memory they may."""

    def __init__(self) -> None:
        super().__init__("the server has too many large requests; try again later")


class InFlight:
    """The bytes of all requests that are being received or answered.

    Half of the limit is for all; of the rest, a request gets no more than its equal share, so that
    large requests are refused before small ones.
    """

    def __init__(self, limit: int) -> None:
        self._limit, self._total = limit, 0
        self._held: dict[object, int] = {}

    def take(self, request: object, count: int) -> None:
        """Count further bytes of a request.

        Raises:
            TooManyBytes: there is no room for them.
        """
        held, total = self._held.get(request, 0) + count, self._total + count
        requests = len(self._held) + (request not in self._held)
        if total > self._limit or (total > self._limit / 2 and held > self._limit / 2 / requests):
            raise TooManyBytes
        self._held[request], self._total = held, total

    def release(self, request: object) -> None:
        """A request has been answered."""
        self._total -= self._held.pop(request, 0)


def protocol(most: int, seconds: float) -> type[asyncio.Protocol]:
    """A protocol for uvicorn that limits the connections of a server.

    Args:
        most: how many connections may be open. For one more, the one that has waited longest
            without a request is closed; if all have one, the new one is answered by 503.
        seconds: how long the head of a request may take to arrive, and how long a client may leave
            an answer unread.
    """
    return type("LimitedProtocol", (_Limited,), {"open": set(), "most": most, "seconds": seconds})


class _Limited(AutoHTTPProtocol):  # type: ignore[misc,valid-type]
    open: set[_Limited]
    most: int
    seconds: float

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self._head, self._unsent = 0, 0
        self._stall: asyncio.TimerHandle | None = None
        self._heard = self.loop.time()
        self._late: asyncio.TimerHandle | None = self.loop.call_later(self.seconds, self._expire)
        self.open.add(self)
        if len(self.open) > self.most:
            self._make_room()

    def connection_lost(self, exc: Exception | None) -> None:
        self.open.discard(self)
        for timer in (self._late, self._stall):
            if timer is not None:
                timer.cancel()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        self._heard = self.loop.time()
        if self._waits() and self._late is None:
            self._late = self.loop.call_later(self.seconds, self._expire)
        super().data_received(data)
        if not self._waits():
            self._head = 0
            self._forget_late()
            return
        self._head += len(data)
        if self._head > LARGEST_HEAD and not self.transport.is_closing():
            self._refuse(b"431 Request Header Fields Too Large")

    def pause_writing(self) -> None:
        super().pause_writing()
        self._watch_unsent()

    def resume_writing(self) -> None:
        super().resume_writing()
        if self._stall is not None:
            self._stall.cancel()

    def _waits(self) -> bool:
        """Whether no request is being received or answered."""
        return self.cycle is None or self.cycle.response_complete

    def _forget_late(self) -> None:
        if self._late is not None:
            self._late.cancel()
            self._late = None

    def _expire(self) -> None:
        self._late = None
        self._refuse(b"408 Request Timeout")

    def _watch_unsent(self) -> None:
        self._unsent = self.transport.get_write_buffer_size()
        self._stall = self.loop.call_later(self.seconds, self._check_unsent)

    def _check_unsent(self) -> None:
        if self.transport.get_write_buffer_size() >= self._unsent:
            self.transport.abort()
            return
        self._watch_unsent()

    def _make_room(self) -> None:
        waiting = [each for each in self.open if each is not self and each._waits()]
        if not waiting:
            self._refuse(b"503 Service Unavailable")
            return
        oldest = min(waiting, key=lambda each: each._heard)
        # What is gone no longer counts, although the loop reports it lost only later.
        self.open.discard(oldest)
        oldest.transport.abort()

    def _refuse(self, status: bytes) -> None:
        self.open.discard(self)
        self._forget_late()
        self.transport.write(
            b"HTTP/1.1 %b\r\nconnection: close\r\ncontent-length: 0\r\n\r\n" % status
        )
        self.transport.close()
