"""Programs of several processes: how these find each other, and what happens when one dies.

`init` meets the other processes at the coordinator and makes a client of XLA whose devices are
those of all processes. See `coordinator` for what the processes tell each other.
"""

from __future__ import annotations

import atexit
import os
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

from ingot_runtime import clients
from ingot_runtime.distributed import environments, member
from ingot_runtime.errors import IngotError
from ingot_runtime.interrupts import interruptible

#: The number of seconds that `init` waits by default.
PATIENCE = 300.0
#: The number of seconds after which a process that says nothing is taken for dead, by default.
HEARTBEAT = 60.0


class _Job:
    """The job that this process belongs to.

    Attributes:
        member: the connection to the coordinator.
    """

    def __init__(self, joined: member.Member, relay: member.Relay, host: str) -> None:
        self.member, self._relay, self._host = joined, relay, host

    def connect(self) -> None:
        """Make the client of XLA."""
        rank, size = self.member.rank, self.member.size
        service = clients.job_connection(f"127.0.0.1:{self._relay.port}", rank)
        clients.make_client_of(clients.Job(service, rank, size, self._host))

    def drop(self) -> None:
        """Close the connections of this process alone: after a fork, they are its parent's, too."""
        self.member.drop()
        self._relay.drop()


_job: _Job | None = None


def init(
    coordinator: str | None = None,
    rank: int | None = None,
    n: int | None = None,
    *,
    timeout: float = PATIENCE,
    heartbeat: float = HEARTBEAT,
) -> None:
    """Join the other processes of a job, so that meshes have the devices of all of them.

    Call it in each process, before anything is compiled or run. What is not given is taken from the
    environment, as `ingot launch`, Slurm, Open MPI and Kubernetes set it. After an error that says
    that a process has died, call it again in all processes to form a new job.

    Args:
        coordinator: "host:port", on the machine of the process of rank 0. If nobody listens there,
            that process starts the coordinator.
        rank: the number of this process, from 0.
        n: the number of processes.
        timeout: how many seconds to wait for the other processes.
        heartbeat: after how many seconds without a sign of life a process is taken for dead, which
            is an error in all others: it is stopped, or its machine is. One that has ended or was
            killed is noticed at once.

    Raises:
        IngotError: something is not known or wrong, the others did not come, a program has run
            before, or this process is in a job already.

    Example:
        >>> ingot.distributed.init("127.0.0.1:9876", rank=2, n=2)
        Traceback (most recent call last):
        ingot_runtime.errors.IngotError: the rank 2 is not one of 2 processes, which count from 0
    """
    global _job
    if not heartbeat > 0:
        raise IngotError(f"the heartbeat must be positive, not {heartbeat}")
    place = environments.place(environments.Place(coordinator, rank, n), os.environ)
    if _job is None and clients.exist():
        raise IngotError(
            "ingot.distributed.init is called after a program has run: call it at the start"
        )
    if _job is not None and not _job.member.has_failed:
        raise IngotError("ingot.distributed.init is called twice: this process is in a job already")
    if _job is not None:
        _leave(_job)
    joined = _joined(*place, deadline=time.monotonic() + timeout, heartbeat=heartbeat)
    try:
        # If another process has died, XLA waits for it, and the end of this process must not.
        interruptible(
            joined.connect, abandoned=lambda: None, comes_back=False, check=joined.member.check
        )
    except BaseException:
        joined.member.close()
        raise
    _job = joined


def _joined(address: str, rank: int, size: int, *, deadline: float, heartbeat: float) -> _Job:
    while True:
        starting = _Starting(address, is_ours=rank == 0)
        connection = member.connected(address, deadline, starting.before_retry)
        # By this address the others reach this process, if the coordinator does.
        host = connection.getsockname()[0]
        try:
            joined = member.Member(connection, address, rank, size, deadline, heartbeat)
            return _Job(joined, member.Relay(address, joined.number), host)
        except member.Gone:
            # That of a job before, as it ended.
            connection.close()
            if time.monotonic() + member.PAUSE > deadline:
                raise
            time.sleep(member.PAUSE)
        except BaseException:
            connection.close()
            raise


class _Starting:
    """Starts the coordinator in a process of its own if nobody listens at its address."""

    def __init__(self, address: str, is_ours: bool) -> None:
        self._address, self._is_ours = address, is_ours

    def before_retry(self) -> None:
        if not self._is_ours:
            return
        self._is_ours = False
        process = subprocess.Popen(
            [sys.executable, "-m", __name__, self._address],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
        )  # fmt: skip
        assert process.stdout is not None, "it is a pipe"
        with process.stdout as output:
            said = output.readline().strip()
        if said != "listening":
            raise IngotError(
                f"the coordinator can't listen at {self._address}: {said or 'it has died'}"
            )
        # It ends by itself, after this process if need be; so nobody waits for it.
        process.returncode = 0


def rank() -> int:
    """The number of this process in its job; 0 without `init`.

    Example:
        >>> ingot.distributed.rank()
        0
    """
    return 0 if _job is None else _job.member.rank


def size() -> int:
    """The number of processes of the job; 1 without `init`.

    Example:
        >>> ingot.distributed.size()
        1
    """
    return 1 if _job is None else _job.member.size


def barrier() -> None:
    """Wait until all processes of the job have called this; without `init`, return.

    Raises:
        IngotError: a process has ended or died, or the coordinator has.

    Example:
        >>> ingot.distributed.barrier()
    """
    gather(None)


def gather(value: Any) -> list[Any]:
    """Values of all processes by rank; all must call this.

    Args:
        value: what this process gives, in the types of JSON.

    Raises:
        IngotError: as for `barrier`.
    """
    return [value] if _job is None else _job.member.gather(value)


def run(
    function: Callable[..., Any],
    *arguments: Any,
    abandoned: Callable[[], None],
    comes_back: bool = False,
    is_shared: bool,
) -> Any:
    """Call a function that runs a program so that a signal, or the end of another process, can
    interrupt it; see `interruptible`.

    Args:
        function: the function. It must wait for the program's results.
        is_shared: whether the program runs on devices of other processes, too.

    Raises:
        IngotError: another process has died or ended, or the coordinator has died.
    """
    if _job is None or not is_shared:
        return interruptible(function, *arguments, abandoned=abandoned, comes_back=comes_back)
    joined = _job.member
    joined.check(ended=True)

    def give_up() -> None:
        joined.fail("it was interrupted in a program of several processes")
        abandoned()

    try:
        # It comes back when the connections of those that have died are closed.
        return interruptible(
            function, *arguments, abandoned=give_up, comes_back=True, check=joined.check
        )
    except clients.jaxlib().XlaRuntimeError:
        joined.explain()
        raise


def _leave(job: _Job) -> None:
    """Leave a job that has failed, and its client."""
    global _job
    _job = None
    job.member.close()
    # Its relay stays, since XLA's old client would end the process without it.
    clients.leave_clients()


@atexit.register
def _end() -> None:
    if _job is not None:
        _job.member.leave()


def _after_fork() -> None:
    """A child is not in the job. Its copies of connections would hide the end of its parent."""
    global _job
    if _job is not None:
        _job.drop()
        _job = None


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
