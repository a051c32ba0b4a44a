"""A pool of processes that outlives what they run: one that crashes or hangs is replaced."""

from __future__ import annotations

import multiprocessing
import resource
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from multiprocessing.connection import Connection, wait
from typing import Any

#: Of one task, in seconds.
LIMIT = 60.0
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
        self.started = 0.0
        self.done = 0

    def start(self, task: Any) -> None:
        self.task, self.started = task, time.monotonic()
        self.connection.send(task)

    def result(self) -> Any:
        """What the task gave; waits for it, up to the limit of a task.

        Raises:
            Lost: if there is no result.
        """
        left = max(self.started + self.limit - time.monotonic(), 0.0)
        if not self.connection.poll(left):
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
            oldest = min(w.started for w in busy)
            ready = wait([w.connection for w in busy], max(oldest + limit - time.monotonic(), 0.0))
            now = time.monotonic()
            for worker in [w for w in busy if w.connection in ready or w.started + limit <= now]:
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
