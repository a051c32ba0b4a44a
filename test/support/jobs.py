"""Jobs of several processes."""

import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

#: The seconds after which a process of a test is killed.
LIMIT = 90

#: What Python prints stays apart from what C++ prints: gloo's threads print lines whose pieces mix.
APART = """
import os, sys
sys.stdout = os.fdopen(os.dup(1), "w", buffering=1)
os.dup2(2, 1)
"""

#: `total(x)`: the sum over all devices of a job of a vector of each, as a program of XLA's.
TOTAL = '''
import numpy as np
from ingot_runtime import buffers, clients, distributed

TEXT = """
module @total {
  func.func public @main(%x: tensor<2xf64>) -> tensor<2xf64> {
    %t = "stablehlo.all_reduce"(%x) <{replica_groups = dense<GROUP> : tensor<1xSIZExi64>}> ({
      ^bb0(%l: tensor<f64>, %r: tensor<f64>):
        %u = stablehlo.add %l, %r : tensor<f64>
        stablehlo.return %u : tensor<f64>
    }) : (tensor<2xf64>) -> tensor<2xf64>
    return %t : tensor<2xf64>
  }
}
"""

class Total:
    def __init__(self):
        xla = clients.jaxlib()
        devices = clients.client().devices()
        size = len(devices)
        options = xla.CompileOptions()
        ids = np.array([device.id for device in devices]).reshape(size, 1)
        options.num_replicas = options.executable_build_options.num_replicas = size
        options.device_assignment = xla.DeviceAssignment.create(ids)
        options.executable_build_options.device_assignment = options.device_assignment
        text = TEXT.replace("GROUP", str([list(range(size))])).replace("SIZE", str(size))
        together = xla.DeviceList(tuple(devices))
        self.program = clients.client().compile_and_load(text.encode(), together, options)

        class Tiled(xla._xla.GSPMDSharding):
            memory_kind = None
            def _to_xla_hlo_sharding(self, axes):
                return self._hlo_sharding

        tiled = Tiled(together, xla.HloSharding.iota_tile((size,)))
        whole = buffers._Type((2 * size,), np.dtype(float))
        self.device = clients.client().local_devices()[0]
        self.argument = lambda part: xla._xla.ArrayImpl(whole, tiled, [part], True, True)
        self.handler = buffers.divided_handler((2 * size,), np.dtype(float), tiled)

    def __call__(self, x):
        left = lambda: clients.leave_client("cpu")
        return distributed.run(self.run, np.array(x, float), abandoned=left, is_shared=True)

    def run(self, x):
        given = self.argument(buffers.to_device(x, self.device))
        found, = self.program.execute_sharded([given]).consume_with_handlers([self.handler])
        found._arrays[0].block_until_ready()
        return np.asarray(memoryview(found._arrays[0])).tolist()

total = Total()
'''


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return listener.getsockname()[1]


class Job:
    """Processes that run one script, by the variables that `ingot launch` sets.

    Attributes:
        address: where the coordinator is.
        processes: by rank, the latest process that was started.
    """

    def __init__(self, script: str, size: int, *arguments: object) -> None:
        self._script, self.size, self._arguments = APART + script, size, [*map(str, arguments)]
        self.address = f"127.0.0.1:{free_port()}"
        self.processes: dict[int, subprocess.Popen] = {}
        self._started: list[subprocess.Popen] = []

    def __enter__(self) -> "Job":
        for rank in range(self.size):
            self.start(rank)
        return self

    def __exit__(self, *_) -> None:
        for process in self._started:
            process.kill()
            process.communicate()
        for pid in coordinators(self.address):
            os.kill(pid, signal.SIGKILL)

    def start(self, rank: int, **environment: str) -> None:
        """Start the process of a rank."""
        place = {
            "INGOT_COORDINATOR": self.address, "INGOT_RANK": str(rank),
            "INGOT_PROCESSES": str(self.size), "INGOT_CPU_DEVICES": "1", "PYTHONUNBUFFERED": "1",
        }  # fmt: skip
        process = subprocess.Popen(
            [sys.executable, "-c", self._script, *self._arguments], text=True,
            env={**os.environ, **place, **environment}, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )  # fmt: skip
        self.processes[rank] = process
        self._started.append(process)

    def until(self, rank: int, line: str) -> None:
        """Wait until a process has printed this line."""
        process = self.processes[rank]
        for found in process.stdout:
            if found.strip() == line:
                return
        raise AssertionError(f"process {rank} never printed {line}: {process.stderr.read()}")

    def output(self, rank: int, code: int = 0, within: float = LIMIT) -> list[str]:
        """The lines that a process prints until it ends with this exit status."""
        process = self.processes[rank]
        out, err = process.communicate(timeout=within)
        assert process.returncode == code, (rank, process.returncode, out, err)
        return out.splitlines()


def coordinators(address: str) -> list[int]:
    """The processes that are the coordinator at this address."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            words = path.read_bytes().split(b"\0")
        except OSError:
            continue
        if b"ingot_runtime.distributed" in words and address.encode() in words:
            found.append(int(path.parent.name))
    return found


def wait_for(condition, seconds: float = 30.0):
    """What the condition gives once it is true."""
    end = time.monotonic() + seconds
    while not (found := condition()):
        assert time.monotonic() < end, "it has not come true"
        time.sleep(0.05)
    return found
