"""A pool of processes that outlives what they run: one that crashes or hangs is replaced."""

from __future__ import annotations

import multiprocessing
import os
import resource
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Any

#: Of one task, in seconds that its process computes.
LIMIT = 60.0
#: How many times as long a task may take on a busy machine; one that waits takes so long.
PATIENCE = 5
#: How often it is looked at, in seconds.
EVERY = 1.0
#: Each process is replaced after so many tasks: compiled functions stay in memory.
TASKS = 150
#: Of one process, in bytes.
MEMORY = 8 << 30


class Lost(Exception):
    """The process of a task died, or took too long."""


def _serve(connection: Connection, run: Callable[[Any], Any], folder: str) -> None:
    tempfile.tempdir = folder
    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
    while True:
        try:
            task = connection.recv()
        except (EOFError, KeyboardInterrupt):
            return
        connection.send(run(task))


class Worker:
    """One process, and what it does."""

    def __init__(self, run: Callable[[Any], Any], limit: float = LIMIT) -> None:
        self.limit = limit
        context = multiprocessing.get_context("spawn")
        self.connection, other = context.Pipe()
        # Of its temporary files: a process that is killed does not remove them.
        self.folder = tempfile.TemporaryDirectory(prefix="ingot-fuzz-")
        self.process = context.Process(target=_serve, args=(other, run, self.folder.name))
        self.process.start()
        other.close()
        self.task: Any = None
        self.started = self.computed = 0.0
        self.done = 0

    def start(self, task: Any) -> None:
        self.task, self.started, self.computed = task, time.monotonic(), self._seconds()
        self.connection.send(task)

    def _seconds(self) -> float:
        """For how long the process has computed; 0 once it has ended."""
        try:
            fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            return 0.0
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def is_late(self) -> bool:
        """Whether the task has had the time that it may take."""
        waited = time.monotonic() - self.started
        if waited < self.limit:
            return False
        return waited >= PATIENCE * self.limit or self._seconds() - self.computed >= self.limit

    def result(self) -> Any:
        """What the task gave; waits for it, up to the limit of a task.

        Raises:
            Lost: if there is no result.
        """
        while not self.connection.poll(EVERY):
            if self.is_late():
                self.stop()
                raise Lost(f"no result after {self.limit:.0f} s")
        try:
            self.done += 1
            return self.connection.recv()
        except EOFError:
            self.process.join()
            self.folder.cleanup()
            raise Lost(f"the process died: exit code {self.process.exitcode}") from None

    def stop(self) -> None:
        self.connection.close()
        self.process.kill()
        self.process.join()
        self.folder.cleanup()


def results(
    run: Callable[[Any], Any], tasks: Iterable[Any], jobs: int, limit: float = LIMIT
) -> Iterator[tuple[Any, Any]]:
    """Each task with what it gave, or with the Lost that says why not; in any order."""
    waiting = iter(tasks)
    busy: list[Worker] = []
    idle: list[Worker] = []
    try:
        while True:
            while len(busy) < jobs and (task := next(waiting, None)) is not None:
                worker = idle.pop() if idle else Worker(run, limit)
                worker.start(task)
                busy.append(worker)
            if not busy:
                return
            ready = wait([w.connection for w in busy], EVERY)
            for worker in [w for w in busy if w.connection in ready or w.is_late()]:
                busy.remove(worker)
                try:
                    result = worker.result()
                except Lost as lost:
                    yield worker.task, lost
                    continue
                if worker.done < TASKS:
                    idle.append(worker)
                else:
                    worker.stop()
                yield worker.task, result
    finally:
        for worker in busy + idle:
            worker.stop()
