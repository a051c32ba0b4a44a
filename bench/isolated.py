"""Runs each case of a benchmark in a separate process with a time limit.

With the option `--row CASE`, the script of the benchmark prints one JSON object a line for that
case: `{"step": ...}` before each step that may not end, and finally the row. A case that compiles
for minutes or crashes does not stop the others.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

#: Makes idle threads sleep: spinning threads would disturb the next measurement.
ENVIRONMENT = {
    "OMP_WAIT_POLICY": "passive", "OPENBLAS_THREAD_TIMEOUT": "4", "JAX_PLATFORMS": "cpu",
    "INGOT_PLATFORM": "cpu",
}  # fmt: skip


def announce(step: str) -> None:
    """Print the next step of a case."""
    print(json.dumps({"step": step}), flush=True)


def add_options(parser: argparse.ArgumentParser, peers: list[str]) -> None:
    parser.add_argument("--npbench", type=Path, required=True, help="a checkout of NPBench")
    parser.add_argument("--preset", default="S")
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--limit", type=float, default=60, help="seconds of a process")
    parser.add_argument(
        "--peers", type=lambda names: list(filter(None, names.split(","))), default=peers,
        help="what to compare with, separated by commas",
    )  # fmt: skip
    parser.add_argument("--row", metavar="KERNEL", help="this kernel, in this process")
    parser.add_argument("--json", action="store_true", help="one JSON object a line")
    parser.add_argument("kernels", nargs="*", help="all, if none is named")


def rows(script: str, options: argparse.Namespace, cases: list[str]) -> Iterator[dict[str, Any]]:
    """Yield the row of each case when it is finished."""
    same = ["--npbench", str(options.npbench), "--preset", options.preset]
    same += ["--repeat", str(options.repeat)]
    for case in cases:
        yield row(script, case, same, options.peers, options.limit)


def row(script: str, case: str, options: list[str], peers: list[str] | None, limit: float) -> dict:
    """The row of a case of a script, which takes no `--peers` if `peers` is None.

    A peer at which the process ends is left out of the next process; at any other step, that end
    is the status of the row.
    """
    lost: dict[str, Any] = {}
    about = {"benchmark": Path(script).stem, "kernel": case}
    while True:
        left = [peer for peer in peers or () if peer not in lost]
        named = [] if peers is None else ["--peers", ",".join(left)]
        end, last = _run([script, "--row", case, *named, *options], limit)
        if "step" not in last:
            return last | ({"peers": lost | last.get("peers", {})} if lost else {})
        if last["step"] not in left:
            return {**about, **end, "detail": f"{last['step']}: {end['detail']}"}
        lost[last["step"]] = end


def _run(arguments: list[str], limit: float) -> tuple[dict[str, str], dict[str, Any]]:
    """How the process ended if it gave no row, and the last object that it printed."""
    child = subprocess.Popen(
        [sys.executable, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        env={**ENVIRONMENT, **os.environ, "INGOT_CACHE_DIR": ""}, start_new_session=True,
    )  # fmt: skip
    try:
        out, said = child.communicate(timeout=limit)
        end = {"status": "crashed", "detail": (said.splitlines() or ["by a signal"])[-1][:200]}
    except subprocess.TimeoutExpired:
        # Also ends the compilers that the process has started.
        os.killpg(child.pid, signal.SIGKILL)
        out, _ = child.communicate()
        end = {"status": "timeout", "detail": f"more than {limit:.0f} s"}
    lines = [line for line in out.splitlines() if line.startswith("{") and line.endswith("}")]
    return end, json.loads(lines[-1]) if lines else {"step": "start"}
