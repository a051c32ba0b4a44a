"""A process's connection to the coordinator of its job, and the relay to XLA's service."""

from __future__ import annotations

import contextlib
import json
import socket
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

from ingot_runtime.distributed.environments import split_address
from ingot_runtime.distributed.messages import BEATS, keep_alive, line
from ingot_runtime.errors import IngotError

#: The seconds between two attempts to connect to a coordinator that may not have begun yet.
PAUSE = 0.1
#: The seconds after an error of XLA's in which the coordinator tells which process has died.
TELLING = 5.0


class Gone(IngotError):
    """The coordinator has ended before it said anything."""


def connected(
    address: str, deadline: float, before_retry: Callable[[], None] = lambda: None
) -> socket.socket:
    """A connection to the coordinator, once it listens.

    Args:
        address: its "host:port".
        deadline: when to stop trying, as `time.monotonic` counts.
        before_retry: called after each attempt that fails.

    Raises:
        IngotError: nobody listened there before the deadline.
    """
    start = time.monotonic()
    while True:
        try:
            left = max(deadline - time.monotonic(), PAUSE)
            made = socket.create_connection(split_address(address), left)
            keep_alive(made)
            return made
        except OSError as error:
            reason = error.strerror or str(error)
        before_retry()
        if time.monotonic() + PAUSE > deadline:
            waited = time.monotonic() - start
            raise IngotError(
                f"no coordinator answers at {address} within {waited:.0f} s ({reason}); is the "
                "process of rank 0 running, and can this machine reach it?"
            )
        time.sleep(PAUSE)


class Member:
    """A process of a job.

    Args:
        connection: a connection to the coordinator.
        address: the coordinator's "host:port".
        rank: the number of this process.
        size: the number of processes.
        deadline: when all processes must be there, as `time.monotonic` counts.
        heartbeat: the seconds without a message after which this process and the coordinator take
            each other for dead.

    Attributes:
        number: the number of the job at the coordinator.
        left: why other processes are gone, by rank.

    Raises:
        IngotError: the coordinator refuses, or processes are missing at the deadline; `Gone` if
            the coordinator has ended.
    """

    def __init__(
        self,
        connection: socket.socket,
        address: str,
        rank: int,
        size: int,
        deadline: float,
        heartbeat: float,
    ) -> None:
        self._connection, self._address = connection, address
        self._heartbeat = heartbeat
        self._sending, self._is_closed = threading.Lock(), threading.Event()
        self.rank, self.size = rank, size
        self.left: dict[int, str] = {}
        #: Why the job can't go on, or "".
        self._failed = ""
        self._changed = threading.Condition()
        self._rounds = 0
        self._gathered: dict[int, list[Any]] = {}
        self._messages = self._received()
        self.number = self._joined(deadline)
        connection.settimeout(heartbeat)
        threading.Thread(target=self._watch, name="ingot-job", daemon=True).start()

    def _joined(self, deadline: float) -> int:
        missing: list[int] = []
        start = time.monotonic()
        self._send({"rank": self.rank, "size": self.size, "heartbeat": self._heartbeat})
        threading.Thread(target=self._beat, name="ingot-beat", daemon=True).start()
        try:
            while True:
                # A deadline that has passed is noticed by the next attempt to receive.
                self._connection.settimeout(max(deadline - time.monotonic(), 0.01))
                message = next(self._messages)
                if "error" in message:
                    raise IngotError(f"the coordinator at {self._address}: {message['error']}")
                if "job" in message:
                    return message["job"]
                if "alive" not in message:
                    missing = message["missing"]
        except TimeoutError:
            numbers = ", ".join(map(str, missing))
            who = f"process {numbers}" if missing else f"what listens at {self._address}"
            waited = time.monotonic() - start
            raise IngotError(
                f"{who} did not join the job of {self.size} processes within {waited:.0f} s"
            ) from None
        except (StopIteration, OSError):
            raise Gone(f"the coordinator at {self._address} has ended") from None
        except (ValueError, KeyError, TypeError):
            raise IngotError(f"what listens at {self._address} is no coordinator") from None

    def _send(self, message: dict[str, Any]) -> None:
        # If the coordinator is gone, `_watch` says so.
        with contextlib.suppress(OSError), self._sending:
            self._connection.sendall(line(message))

    def _beat(self) -> None:
        while not self._is_closed.wait(self._heartbeat / BEATS):
            self._send({"alive": True})

    def _received(self) -> Iterator[dict[str, Any]]:
        """The coordinator's messages, until it ends."""
        rest = b""
        while data := self._connection.recv(1 << 16):
            *whole, rest = (rest + data).split(b"\n")
            yield from map(json.loads, whole)

    def _watch(self) -> None:
        why = "has died"
        try:
            for message in self._messages:
                self._note(message)
        except TimeoutError:
            why = f"has not answered for {self._heartbeat:g} s"
        except (OSError, ValueError):
            pass
        with self._changed:
            self._failed = self._failed or f"the coordinator of the job {why}"
            self._changed.notify_all()

    def _note(self, message: dict[str, Any]) -> None:
        with self._changed:
            if "left" in message:
                self.left.setdefault(message["left"], message["why"])
            if "gathered" in message:
                self._gathered[message["gathered"]] = message["values"]
            self._changed.notify_all()

    # What has gone wrong.

    def check(self, ended: bool = False) -> None:
        """Raise if the job can't go on.

        Args:
            ended: whether processes that have ended of their own accord count, too.

        Raises:
            IngotError: a process has died, failed, or ended, or the coordinator has.
        """
        if not (self._failed or self.left):
            return
        for rank, why in list(self.left.items()):
            if ended or why != "has ended":
                self.fail(f"process {rank} of {self.size} {why}")
        if self._failed:
            raise self.failure()

    def fail(self, why: str) -> None:
        """Give up: tell the others why, since this process can't run their programs any more."""
        if not self._failed:
            self._failed = why
            self._send({"failed": why})

    @property
    def has_failed(self) -> bool:
        return bool(self._failed)

    def failure(self) -> IngotError:
        return IngotError(
            f"{self._failed}; start the job again, or call ingot.distributed.init in all of its "
            "processes, to go on from the latest checkpoint"
        )

    def explain(self) -> None:
        """Raise the reason for an error of XLA's, if the coordinator tells one.

        Raises:
            IngotError: as for `check`.
        """
        with self._changed:
            self._changed.wait_for(lambda: self._failed or self.left, TELLING)
        self.check(ended=True)

    # What all processes do together.

    def gather(self, value: Any) -> list[Any]:
        """Wait until all processes have called this.

        Args:
            value: what this process gives: numbers, strings, lists and dicts of such.

        Returns:
            The values of all processes by rank.

        Raises:
            IngotError: as for `check`.
        """
        self.check(ended=True)
        self._rounds += 1
        self._send({"gather": self._rounds, "value": value})
        with self._changed:
            while self._rounds not in self._gathered:
                self.check(ended=True)
                self._changed.wait()
            return self._gathered.pop(self._rounds)

    def leave(self) -> None:
        """End of this process's own accord."""
        self._send({"ended": True})
        self.close()

    def close(self) -> None:
        """Close the connection, which ends the threads that use it."""
        self._is_closed.set()
        with contextlib.suppress(OSError):
            self._connection.shutdown(socket.SHUT_RDWR)
        self.drop()

    def drop(self) -> None:
        self._connection.close()


class Relay:
    """A local port at which XLA's client finds the service of its job.

    Once the coordinator is gone, XLA's client would end the process. So it is connected to this
    relay, which stays silent then, and the error is ours to raise.

    Attributes:
        port: the port, on the loopback interface.
    """

    def __init__(self, address: str, number: int) -> None:
        self._address, self._number = address, number
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        self._ends: list[socket.socket] = [self._listener]
        threading.Thread(target=self._accept, name="ingot-relay", daemon=True).start()

    def _accept(self) -> None:
        while True:
            try:
                inner, _ = self._listener.accept()
                outer = socket.create_connection(split_address(self._address))
                outer.sendall(line({"tunnel": self._number}))
            except OSError:
                return
            self._ends += inner, outer
            for source, sink in ((inner, outer), (outer, inner)):
                threading.Thread(
                    target=_pump, args=(source, sink), name="ingot-relay", daemon=True
                ).start()

    def drop(self) -> None:
        for end in self._ends:
            end.close()


def _pump(source: socket.socket, sink: socket.socket) -> None:
    with contextlib.suppress(OSError):
        while data := source.recv(1 << 16):
            sink.sendall(data)
