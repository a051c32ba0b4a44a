"""Verification of programs that others wrote, in a process that is there for this alone.

jaxlib's reader of portable artifacts believes the sizes and counts that the bytes say. Bytes that
were made for it can keep it busy forever, take all memory or end the process, and only a process of
its own can be stopped then.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import subprocess
from collections.abc import Mapping

from ingot_runtime import children, verification

#: What reading and verifying one program may take: seconds of CPU time, and bytes of memory.
SECONDS, MEMORY = 60, 8 << 30

#: The SHA-256 of each program that this process wrote itself, and so can read itself.
_own: set[str] = set()


def note_own(module: bytes) -> None:
    """Note that this process wrote a program."""
    _own.add(hashlib.sha256(module).hexdigest())


class Verifier:
    """Verifies programs in a child process, which is started for the first that others wrote, and
    ends with the context."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Verifier:
        return self

    def __exit__(self, *_: object) -> None:
        if self._process is None:
            return
        # It may have ended, and does not end by itself where an exception interrupts its work.
        self._process.kill()
        with contextlib.suppress(BrokenPipeError):
            self._process.communicate()

    def verify(self, module: bytes, mesh: Mapping[str, int], is_witness: bool) -> None:
        """As `verification.verify`.

        Raises:
            ValueError: the program is not StableHLO, says what programs of artifacts can't, or
                takes more than `SECONDS` or `MEMORY` to read.
            jaxlib.mlir.ir.MLIRError: the same, of a program that this process wrote itself.
        """
        if hashlib.sha256(module).hexdigest() in _own:
            verification.verify(module, mesh, is_witness)
            return
        if self._process is None:
            self._process = _started()
        assert self._process.stdin is not None and self._process.stdout is not None
        with contextlib.suppress(BrokenPipeError):
            children.send(self._process.stdin, json.dumps([dict(mesh), is_witness]).encode())
            children.send(self._process.stdin, module)
        answer = children.receive(self._process.stdout)
        if answer is None:
            raise ValueError("it can't be read within bounds of time and memory")
        if answer:
            raise ValueError(answer.decode(errors="replace"))


def _started() -> subprocess.Popen[bytes]:
    # What jaxlib writes when it ends is of no use.
    return children.started(
        "from ingot_runtime.reading import serve; serve()", stderr=subprocess.DEVNULL
    )


def serve() -> None:
    """The main loop of the child: answer each program with what is wrong with it, or nothing."""
    import resource

    requests, answers = children.pipes()
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
    while about := children.receive(requests):
        module = children.receive(requests)
        if module is None:
            return
        used = resource.getrusage(resource.RUSAGE_SELF)
        most = int(used.ru_utime + used.ru_stime) + SECONDS
        resource.setrlimit(resource.RLIMIT_CPU, (most, resource.RLIM_INFINITY))
        children.send(answers, _fault_of(module, *json.loads(about)).encode())


def _fault_of(module: bytes, mesh: dict[str, int], is_witness: bool) -> str:
    try:
        verification.verify(module, mesh, is_witness)
    except Exception as error:
        # jaxlib's parser and verifier raise different classes.
        return str(error) or type(error).__name__
    return ""
