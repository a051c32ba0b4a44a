"""The coordinator of a job: where its processes meet, and learn which of them have died.

It is part of `ingot launch`, or a small process of its own beside the process of rank 0
(`python -m ingot_runtime.distributed HOST:PORT`), so that no end of a process of the
job ends it. It also runs XLA's service, by which clients of XLA find each other.

All goes over one port. A connection begins with a line of JSON, {"rank": 0, "size": 2,
"heartbeat": 60} of a process that joins a job, or {"tunnel": 1} of its relay to XLA's service. What
follows to and from a process are lines of JSON, too:

    {"missing": [1]}                     to it, while processes are missing
    {"error": "..."}                     to it, if it can't join
    {"job": 1}                           to it, when all are there
    {"gather": 3, "value": ...}          from it
    {"gathered": 3, "values": [...]}     to it, when all have sent a value of this number
    {"ended": true}                      from it, before it ends
    {"failed": "..."}                    from it, when it gives up
    {"left": 1, "why": "has died"}       to it, when another one has ended, failed or died
    {"alive": true}                      from it and to it, several times within its heartbeat
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ingot_runtime import clients
from ingot_runtime.distributed.messages import BEATS, keep_alive, line

#: The seconds for which a connection may say nothing at first.
GREETING = 10.0
#: The seconds without any process after which a coordinator in a process of its own ends.
LINGER = 2.0
#: The longest line.
LARGEST = 64 << 20


@dataclass
class _Job:
    """Processes that belong together.

    Attributes:
        number: its number.
        size: the number of processes.
        members: by rank, the connections of those that are there.
        gathered: by number, the values of what is being gathered, by rank.
        has_begun: whether all processes have come, so that XLA's service runs.
    """

    number: int
    size: int
    members: dict[int, asyncio.StreamWriter] = field(default_factory=dict)
    gathered: dict[int, dict[int, Any]] = field(default_factory=dict)
    has_begun: bool = False

    def tell(self, message: dict[str, Any]) -> None:
        for writer in self.members.values():
            writer.write(line(message))

    def missing(self) -> list[int]:
        return [rank for rank in range(self.size) if rank not in self.members]


class Coordinator:
    """A server that processes of jobs connect to. The jobs follow each other: processes that join
    after one has begun are those of the next one."""

    def __init__(self) -> None:
        self._numbers = itertools.count(1)
        self._joining: _Job | None = None
        self._running: dict[int, _Job] = {}
        self._sockets = tempfile.TemporaryDirectory(prefix="ingot-")
        self._tasks: set[asyncio.Task] = set()
        #: When the last process has left, or the coordinator began.
        self._last_seen = time.monotonic()

    async def start(self, host: str, port: int) -> int:
        """Listen, and return the port.

        Args:
            host: a name or address of this machine.
            port: the port; 0 chooses a free one.

        Raises:
            OSError: it is not possible to listen there.
        """
        self._server = await asyncio.start_server(self._connected, host, port, limit=LARGEST)
        return self._server.sockets[0].getsockname()[1]

    async def close(self) -> None:
        """Close all connections; the processes of jobs see that."""
        self._server.close()
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._running.clear()
        self._sockets.cleanup()

    async def linger(self) -> None:
        """Wait until no process has been there for a while."""
        while self._joining or self._running or time.monotonic() - self._last_seen < LINGER:
            await asyncio.sleep(LINGER / 10)

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None, "asyncio calls this in a task"
        self._tasks.add(task)
        # What does not keep to the protocol, is cut off or is sent after the other end has gone.
        errors = (OSError, ValueError, KeyError, TypeError, TimeoutError, asyncio.CancelledError)
        with contextlib.suppress(*errors):
            keep_alive(writer.get_extra_info("socket"))
            async with asyncio.timeout(GREETING):
                greeting = json.loads(await reader.readline())
            if "tunnel" in greeting:
                await self._tunnel(self._running[greeting["tunnel"]], reader, writer)
            else:
                await self._join(greeting, reader, writer)
        writer.close()
        self._tasks.discard(task)

    # Processes of jobs.

    async def _join(
        self,
        greeting: dict[str, Any],
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
    ) -> None:
        rank, size = int(greeting["rank"]), int(greeting["size"])
        heartbeat = float(greeting["heartbeat"])
        job = self._joining
        if job is None:
            job = self._joining = _Job(next(self._numbers), size)
        if job.size != size:
            refused = f"process {rank} is one of {size} processes, the others are {job.size}"
            writer.write(line({"error": refused}))
            return
        if rank in job.members:
            writer.write(line({"error": f"two processes have the rank {rank}"}))
            return
        job.members[rank] = writer
        why = "has died"
        beats = asyncio.create_task(_beat(writer, heartbeat))
        try:
            self._begin_if_complete(job)
            while text := await asyncio.wait_for(reader.readline(), heartbeat):
                why = self._received(job, rank, json.loads(text)) or why
        except TimeoutError:
            why = f"has not answered for {heartbeat:g} s"
            # It may be stopped, and learns this when it goes on.
            writer.write(line({"left": rank, "why": why}))
        finally:
            beats.cancel()
            self._leave(job, rank, why)

    def _begin_if_complete(self, job: _Job) -> None:
        if job.missing():
            job.tell({"missing": job.missing()})
            return
        clients.start_job_service(f"unix:{self._path(job)}", job.size)
        job.has_begun = True
        self._joining, self._running[job.number] = None, job
        job.tell({"job": job.number})

    def _received(self, job: _Job, rank: int, message: dict[str, Any]) -> str | None:
        """Answer a message; return why the process will leave if it says so."""
        if "alive" in message:
            return None
        if "ended" in message:
            return "has ended"
        if "failed" in message:
            why = f"has given up, since {message['failed']}"
            job.tell({"left": rank, "why": why})
            return why
        values = job.gathered.setdefault(message["gather"], {})
        values[rank] = message["value"]
        if len(values) == job.size:
            del job.gathered[message["gather"]]
            job.tell({"gathered": message["gather"], "values": [values[r] for r in sorted(values)]})
        return None

    def _leave(self, job: _Job, rank: int, why: str) -> None:
        del job.members[rank]
        self._last_seen = time.monotonic()
        if job.has_begun:
            job.tell({"left": rank, "why": why})
        if job.members:
            return
        if job is self._joining:
            self._joining = None
        self._running.pop(job.number, None)
        # A process that has left stays connected to XLA's service while it lives: without the
        # service, its old client would end it.

    # Tunnels to XLA's service.

    def _path(self, job: _Job) -> Path:
        return Path(self._sockets.name) / str(job.number)

    async def _tunnel(
        self, job: _Job, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        inner_reader, inner_writer = await asyncio.open_unix_connection(str(self._path(job)))
        await asyncio.gather(_pump(reader, inner_writer), _pump(inner_reader, writer))


async def _beat(writer: asyncio.StreamWriter, heartbeat: float) -> None:
    while True:
        await asyncio.sleep(heartbeat / BEATS)
        writer.write(line({"alive": True}))


async def _pump(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    try:
        while data := await reader.read(1 << 16):
            writer.write(data)
            await writer.drain()
    finally:
        writer.close()
