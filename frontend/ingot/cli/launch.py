"""`ingot launch`."""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import signal
import sys
from pathlib import Path
from typing import Any, BinaryIO

import click

#: The seconds that processes have to end after SIGTERM, before they are killed.
GRACE = 5.0
#: More bytes without an end of line are printed as they are.
LONGEST_LINE = 1 << 16
#: What the library gloo prints to standard output whenever processes connect: a line for each
#: device, whose pieces mix where the threads of several devices print at once.
_NOISE = re.compile(
    rb"(?=.*(?:Rank|peer ranks))(?:\[Gloo\] Rank | is connected to | peer ranks\. "
    rb"|Expected number of connected peer ranks is : |\d+)+\n"
)


# What follows the script is for the script.
@click.command("launch", context_settings={"allow_interspersed_args": False})
@click.option("-n", "count", type=click.IntRange(1), required=True, metavar="N",
              help="The number of processes.")  # fmt: skip
@click.option("--devices", type=click.IntRange(1), metavar="N",
              help="The CPU devices of each process; sets INGOT_CPU_DEVICES.")  # fmt: skip
@click.argument("script", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
def command(count: int, devices: int | None, script: Path, arguments: tuple[str, ...]) -> int:
    """Run a Python script in N processes of this machine.

    The processes find each other by ingot.distributed.init(), which the script calls first. What
    they print gets the rank of the process in front. If one fails, the others are ended, and the
    exit code is 1. Ctrl-C interrupts all of them; a second one kills them.

    \b
    ingot launch -n 2 train.py --epochs 3
    ingot launch -n 2 --devices 4 train.py
    """
    return asyncio.run(_Launch(count, devices).run([str(script), *arguments]))


class _Launch:
    def __init__(self, count: int, devices: int | None) -> None:
        self._count, self._devices = count, devices
        self._running: dict[int, asyncio.subprocess.Process] = {}
        self._interrupts = 0
        self._is_ending = False

    async def run(self, arguments: list[str]) -> int:
        """Run all processes.

        Args:
            arguments: the command line of Python.

        Returns:
            The exit code of the command.
        """
        from ingot.cli import FAILED, INTERRUPTED
        from ingot_runtime.distributed.coordinator import Coordinator

        coordinator = Coordinator()
        port = await coordinator.start("127.0.0.1", 0)
        loop = asyncio.get_running_loop()
        loop.add_signal_handler(signal.SIGINT, self._interrupt)
        for number in (signal.SIGTERM, signal.SIGHUP):
            loop.add_signal_handler(number, self._send, signal.SIGTERM)
        waits = [
            asyncio.create_task(self._run(rank, arguments, self._environment(rank, port)))
            for rank in range(self._count)
        ]
        try:
            codes = await self._until_one_fails(waits)
        finally:
            await self._end(waits)
            await coordinator.close()
        if self._interrupts:
            return INTERRUPTED
        return FAILED if any(codes) else 0

    def _environment(self, rank: int, port: int) -> dict[str, str]:
        from ingot_runtime.distributed import environments

        made = {
            **os.environ,
            environments.COORDINATOR: f"127.0.0.1:{port}",
            environments.RANK: str(rank),
            environments.PROCESSES: str(self._count),
            # What is printed comes at once.
            "PYTHONUNBUFFERED": "1",
        }
        if self._devices is not None:
            made["INGOT_CPU_DEVICES"] = str(self._devices)
        return made

    async def _run(self, rank: int, arguments: list[str], environment: dict[str, str]) -> int:
        """Run one process, and return its exit status."""
        process = await asyncio.create_subprocess_exec(
            sys.executable, *arguments, env=environment, stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
            # Ctrl-C of a terminal is for the launcher, which sends it on.
            process_group=0,
        )  # fmt: skip
        self._running[rank] = process
        prefix = f"[{rank}] ".encode()
        copies = asyncio.gather(
            _copy(process.stdout, sys.stdout.buffer, prefix),
            _copy(process.stderr, sys.stderr.buffer, prefix),
        )
        code = await process.wait()
        del self._running[rank]
        # Children of the process may keep its pipes open.
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(copies, GRACE)
        if code and not self._is_ending:
            error = click.style("error:", fg="red", bold=True)
            click.echo(f"{error} {_ended(rank, code)}", err=True)
        return code

    async def _until_one_fails(self, waits: list[asyncio.Task[int]]) -> list[int]:
        """The exit statuses of the processes that have ended when one has failed, or of all."""
        left = set(waits)
        codes: list[int] = []
        while left and not any(codes):
            done, left = await asyncio.wait(left, return_when=asyncio.FIRST_COMPLETED)
            codes += [task.result() for task in done]
        return codes

    async def _end(self, waits: list[asyncio.Task[int]]) -> None:
        """End the processes that are left."""
        self._send(signal.SIGTERM)
        _, left = await asyncio.wait(waits, timeout=GRACE)
        if left:
            self._send(signal.SIGKILL)
            await asyncio.wait(left)

    def _interrupt(self) -> None:
        self._interrupts += 1
        self._send(signal.SIGINT if self._interrupts == 1 else signal.SIGKILL)

    def _send(self, number: signal.Signals) -> None:
        self._is_ending = True
        for process in self._running.values():
            with contextlib.suppress(ProcessLookupError):
                process.send_signal(number)


def _ended(rank: int, code: int) -> str:
    if code > 0:
        return f"process {rank} has ended with exit status {code}"
    return f"process {rank} was ended by {signal.Signals(-code).name}"


async def _copy(source: Any, sink: BinaryIO, prefix: bytes) -> None:
    """Copy lines, each with a prefix; the last one gets an end."""
    rest = b""
    while data := await source.read(LONGEST_LINE):
        *lines, rest = (rest + data).splitlines(keepends=True)
        if rest.endswith(b"\n") or len(rest) >= LONGEST_LINE:
            lines, rest = [*lines, rest], b""
        _write(lines, sink, prefix)
    _write([rest] if rest else [], sink, prefix)


def _write(lines: list[bytes], sink: BinaryIO, prefix: bytes) -> None:
    for line in lines:
        if not _NOISE.fullmatch(line):
            sink.write(prefix + line.rstrip(b"\r\n") + b"\n")
    sink.flush()
