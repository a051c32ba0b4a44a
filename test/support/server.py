"""`ingot serve` in a process of its own."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path


class Server:
    """A context: the server of a folder, with its ports and its log.

    Args:
        folder: of models.
        options: of `ingot serve`.
        work: a folder for its cache and log.
    """

    def __init__(self, folder: Path, work: Path, *options: str, **environment: str) -> None:
        self._log = work / "server.log"
        command = [
            sys.executable, "-m", "ingot", "serve", str(folder), "--json",
            "--poll-seconds", "0.1", "--drain-seconds", "0.3", *options,
        ]  # fmt: skip
        if "--http-port" not in options:
            command += ["--http-port", "0", "--grpc-port", "0"]
        environment = {**os.environ, "INGOT_CACHE_DIR": str(work / "cache"), **environment}
        place = work / "ports.json"
        with place.open("w") as output, self._log.open("w") as log:
            self.process = subprocess.Popen(command, env=environment, stdout=output, stderr=log)
        while not place.read_text().endswith("}\n"):
            if self.process.poll() is not None:
                raise RuntimeError(f"the server did not start: {self._log.read_text()}")
            time.sleep(0.02)
        ports = json.loads(place.read_text())
        self.http_port, self.grpc_port = ports.get("http"), ports.get("grpc")
        self.http = f"127.0.0.1:{self.http_port}"
        self.grpc = f"127.0.0.1:{self.grpc_port}"

    def log(self) -> list[dict]:
        return [json.loads(line) for line in self._log.read_text().splitlines()]

    def resident(self) -> float:
        """The memory that it holds, in MiB."""
        pages = int(Path(f"/proc/{self.process.pid}/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE") / 2**20

    def stop(self, number: int = signal.SIGTERM) -> int:
        self.process.send_signal(number)
        return self.process.wait(60)

    def __enter__(self) -> Server:
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.stop()
