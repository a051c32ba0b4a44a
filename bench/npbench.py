"""Run NPBench's unmodified NumPy sources with Ingot, NumPy and other compilers' ports.

Bring a checkout of NPBench: `python bench/npbench.py --npbench DIR [KERNEL ...]`. Scalars are
traced. For each kernel, in a process of its own that may take `--limit` seconds: whether every
output and every mutated array agrees, within 1e-9 (1e-4 for single precision) of the largest
element, or as closely as NumPy's own do if the arguments move by their last digit; the time of
the compiled call as a ratio of NumPy's (alternated, the median of the runs), the time of the first
call, which compiles, and what the run-time checks cost against `checks=False`.

Numba, JAX and Pythran take turns with them where they are installed and the checkout has ports:
from the same NumPy arrays to NumPy arrays, and only if the results are those of NumPy by NPBench's
own measure. Exits with 1 if a named kernel does not agree.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path
from typing import Any

import isolated
import numpy as np
from npbench_kernels import Kernel, agree, listed, load, medians, spread, timed, validated
from npbench_peers import PEERS

import ingot

#: Another port of the same peer is compiled if the ones before took less than so many seconds.
COMPILING = 5.0


def differing(
    kernel: Kernel, expected: list[Any], actual: list[Any], tolerance: float
) -> list[str]:
    """The names of the results that do not agree."""
    found = [] if agree(expected[0], actual[0], tolerance) else ["the result"]
    return found + [
        n for n, e, a in zip(kernel.names, expected[1:], actual[1:], strict=True)
        if isinstance(e, np.ndarray) and not agree(e, a, tolerance)
    ]  # fmt: skip


def wrong(kernel: Kernel, expected: list[Any], actual: list[Any]) -> list[str]:
    floats = [a for a in kernel.args if isinstance(a, np.ndarray) and a.dtype.kind in "fc"]
    is_single = any(a.dtype in (np.float32, np.complex64) for a in floats)
    tolerance = 1e-4 if is_single else 1e-9
    if not differing(kernel, expected, actual, tolerance):
        return []
    tolerance = max(tolerance, spread(kernel, expected))
    return differing(kernel, expected, actual, tolerance)


def peer(kernel: Kernel, name: str, expected: list[Any]) -> tuple[dict[str, Any], Any]:
    """What is known of a peer before it is timed, and its fastest port that agrees, or None."""
    isolated.announce(name)
    found: dict[str, Any] = {"status": "no port"}
    best, least = None, float("inf")
    start = time.perf_counter()
    try:
        for suffix, load_port in PEERS[name](kernel).items():
            if time.perf_counter() - start > COMPILING and best is not None:
                break
            port = load_port()
            _, result, changed = timed(port, kernel.args)
            if not validated(kernel, expected, [result, *changed]):
                found = found if best else {"status": "differs", "port": suffix}
                continue
            seconds = min(timed(port, kernel.args)[0] for _ in range(2))
            if seconds < least:
                best, least, found = port, seconds, {"status": "agrees", "port": suffix}
    except Exception as error:
        # A port that agrees stays, whatever becomes of the next.
        detail = f"{type(error).__name__}: {error}".splitlines()[0][:200]
        return (found, best) if best else ({"status": "failed", "detail": detail}, None)
    return found, best


def checks_cost(kernel: Kernel, compiled: Any, repeat: int) -> float:
    """What run-time checks add to a call, as a part of it."""
    if not compiled.lower(*kernel.args).checks:
        return 0.0
    unchecked = ingot.jit(kernel.function, checks=False)
    timed(unchecked, kernel.args)
    # Without NumPy's run before, which cools the caches.
    checked, without = medians([compiled, unchecked], kernel.args, 2 * repeat)
    return checked / without - 1


def run(name: str, checkout: Path, preset: str, repeat: int, peers: list[str]) -> dict[str, Any]:
    kernel = load(checkout, name, preset)
    compiled = ingot.jit(kernel.function)
    isolated.announce("numpy")
    _, *expected = timed(kernel.function, kernel.args)
    expected = [expected[0], *expected[1]]
    isolated.announce("ingot")
    row: dict[str, Any] = {"benchmark": "npbench", "kernel": name}
    try:
        first, result, changed = timed(compiled, kernel.args)
    except ingot.IngotError as error:
        return row | {"status": "refused", "detail": str(error).splitlines()[0]}
    except Exception as error:
        return row | {"status": "failed", "detail": f"{type(error).__name__}: {error}"}
    if names := wrong(kernel, expected, [result, *changed]):
        return row | {"status": "wrong", "detail": ", ".join(names)}
    others = {each: peer(kernel, each, expected) for each in peers}
    timed_peers = {each: port for each, (_, port) in others.items() if port is not None}
    isolated.announce("timing")
    ways = [kernel.function, compiled, *timed_peers.values()]
    plain, ours, *theirs = medians(ways, kernel.args, repeat)
    found = {each: about for each, (about, _) in others.items() if about["status"] != "no port"}
    for each, seconds in zip(timed_peers, theirs, strict=True):
        found[each] |= {"ms": seconds * 1e3, "ingot_times_faster": seconds / ours}
    return row | {
        "status": "agrees",
        "first_s": first,
        "numpy_ms": plain * 1e3,
        "ingot_ms": ours * 1e3,
        "speedup": plain / ours,
        "checks_cost": checks_cost(kernel, compiled, repeat),
        "peers": found,
    }


def text(row: dict[str, Any]) -> str:
    if row["status"] != "agrees":
        return f"{row['kernel']:20} {row['status']}  {row['detail']}"
    peers = "   ".join(
        f"{name} {about['ms']:.3f} ms" if "ms" in about else f"{name} {about['status']}"
        for name, about in row["peers"].items()
    )
    return (
        f"{row['kernel']:20} agrees   numpy {row['numpy_ms']:10.3f} ms   "
        f"ingot {row['ingot_ms']:10.3f} ms   {row['speedup']:8.2f}x   "
        f"checks {row['checks_cost']:+6.1%}   first call {row['first_s']:.2f} s   {peers}"
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    isolated.add_options(parser, list(PEERS))
    options = parser.parse_args()
    # This file's own folder would make its name hide the checkout's package.
    sys.path[0] = str(options.npbench)
    if options.row:
        row = run(options.row, options.npbench, options.preset, options.repeat, options.peers)
        print(json.dumps(row), flush=True)
        return 0
    bad = total = 0
    for row in isolated.rows(__file__, options, options.kernels or listed(options.npbench)):
        bad += row["status"] != "agrees"
        total += 1
        print(json.dumps(row) if options.json else text(row), flush=True)
    if not options.json:
        print(f"{total - bad} of {total} agree")
    return int(bool(options.kernels) and bad > 0)


if __name__ == "__main__":
    sys.exit(main())
