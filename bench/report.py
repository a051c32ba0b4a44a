"""Run every benchmark by its one command; write one JSON file, and one page from it.

`python bench/report.py [--npbench DIR] [--array-api-tests DIR]` writes `build/bench.json` and
`docs/performance.md` with its plots. `--only NAME ...` runs those and keeps the other rows of the
file, `--page-only` runs nothing.
"""

from __future__ import annotations

import argparse
import datetime
import importlib.metadata
import json
import os
import platform
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import page

ROOT = Path(__file__).resolve().parent.parent

#: Kernels whose slices and masks have lengths that are known only at run time.
LENGTHS = [
    "cholesky", "lu", "ludcmp", "trisolv", "durbin", "symm", "trmm", "syrk", "syr2k", "covariance",
    "correlation", "gramschmidt", "spmv", "azimint_naive", "mandelbrot2",
]  # fmt: skip
#: The arguments of each benchmark, in the order of a run; DIR stands for a checkout.
BENCHMARKS: dict[str, list[str]] = {
    "import_time": [],
    "overhead": [],
    "lowering_time": [],
    "cold_start": [],
    "artifacts": [],
    "serving": [],
    "engines": [],
    "arguments": [],
    "libraries": [],
    "elements": [],
    "fusion": [],
    "selections": [],
    "expressions": [],
    "gradients": [],
    "batching": [],
    "jax_both_ways": [],
    "strict_fp": [],
    "xla_options": [],
    "npbench": ["--npbench", "DIR", "--json"],
    "npbench_lengths": ["--npbench", "DIR", "--peers", "numba,jax", "--json", *LENGTHS],
    "npbench_gradients": ["--npbench", "DIR", "--json"],
    "array_api": ["--array-api-tests", "DIR"],
}

#: The programs of benchmarks that are named otherwise.
PROGRAMS = {"npbench_lengths": "npbench"}

#: Seconds after which a benchmark is stopped; its rows so far count.
LIMIT = 1800

PACKAGES = ("numpy", "jaxlib", "jax", "numba", "pythran", "onnxruntime")


def machine() -> dict[str, Any]:
    """The machine and the versions on which the figures depend."""
    return {
        "processor": _processor(),
        "cores": len(os.sched_getaffinity(0)),
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
        **{name: version for name in PACKAGES if (version := _version(name))},
    }


def _processor() -> str:
    info = Path("/proc/cpuinfo")
    lines = info.read_text().splitlines() if info.exists() else []
    models = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    return models[0] if models else platform.processor() or "unknown"


def _version(package: str) -> str | None:
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return None


def run(name: str, checkout: Path | None) -> dict[str, Any]:
    """The rows that a benchmark printed, and its exit status."""
    arguments = [str(checkout) if each == "DIR" else each for each in BENCHMARKS[name]]
    program = f"bench/{PROGRAMS.get(name, name)}.py"
    start = time.monotonic()
    with tempfile.TemporaryFile("w+") as errors:
        child = subprocess.Popen(
            [sys.executable, program, *arguments], cwd=ROOT, text=True,
            stdout=subprocess.PIPE, stderr=errors, start_new_session=True,
        )  # fmt: skip
        try:
            out, _ = child.communicate(timeout=LIMIT)
        except subprocess.TimeoutExpired:
            os.killpg(child.pid, signal.SIGKILL)
            out, _ = child.communicate()
        errors.seek(0)
        said = errors.read().splitlines()
    seconds = time.monotonic() - start
    rows = [json.loads(line) for line in out.splitlines() if line.startswith("{")]
    status = "complete" if child.returncode == 0 else f"ended with {child.returncode}"
    print(f"{name:18} {status}, {len(rows)} rows, {seconds:.0f} s", flush=True)
    if child.returncode and not rows:
        print("\n".join(said[-5:]), file=sys.stderr)
    return {
        "command": " ".join(["python", program, *BENCHMARKS[name]]),
        "date": datetime.date.today().isoformat(),
        "seconds": round(seconds),
        "status": status,
        "rows": rows,
    }


def measure(options: argparse.Namespace, data: dict[str, Any]) -> None:
    """Run the chosen benchmarks, and write the file after each."""
    checkouts = {
        "npbench": options.npbench,
        "npbench_lengths": options.npbench,
        "npbench_gradients": options.npbench,
        "array_api": options.array_api_tests,
    }
    for name in options.only or BENCHMARKS:
        if name in checkouts and checkouts[name] is None:
            print(f"{name:18} left out: it needs a checkout", flush=True)
            continue
        checkout = checkouts.get(name)
        data["machine"] = machine()
        data["benchmarks"][name] = run(name, checkout.resolve() if checkout else None)
        options.json.parent.mkdir(parents=True, exist_ok=True)
        options.json.write_text(json.dumps(data, indent=1) + "\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--npbench", type=Path, help="a checkout of NPBench")
    parser.add_argument("--array-api-tests", type=Path, help="a checkout of array-api-tests")
    parser.add_argument("--only", nargs="+", choices=BENCHMARKS, metavar="NAME")
    parser.add_argument("--page-only", action="store_true", help="run nothing")
    parser.add_argument("--json", type=Path, default=ROOT / "build" / "bench.json")
    parser.add_argument("--page", type=Path, default=ROOT / "docs" / "performance.md")
    options = parser.parse_args()
    data: dict[str, Any] = {"machine": {}, "benchmarks": {}}
    if options.json.exists():
        data = json.loads(options.json.read_text())
    if not options.page_only:
        measure(options, data)
    page.write(options.page, data)


if __name__ == "__main__":
    main()
