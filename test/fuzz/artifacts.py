"""Hostile and damaged artifacts: an ArtifactError, or a program that runs; nothing else.

`python test/fuzz/artifacts.py [--kind hostile|damaged] [--count N] [--seed N]` changes artifacts,
loads and calls them, each worker many. It prints how many were refused and how many ran, and those
that crashed, did not end or raised anything else; it exits with 1 if there are such, or too few of
either. `--one SEED` shows one. `--native FILE` takes another native module of the runtime, as the one
with checks of the address sanitizer that `make sanitize` builds.
"""

from __future__ import annotations

import argparse
import collections
import contextlib
import functools
import importlib.util
import io
import os
import random
import re
import resource
import signal
import sys
import time
import traceback
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from generator import workers
from generator.workers import Lost, results

#: The seconds that a call may take until it is interrupted, as one of a loop without an end is,
#: and that all else may take.
CALL, LIMIT = 2.0, 60.0
#: The most bytes of an argument: calls of what takes more are left out.
LARGEST = 1 << 26
#: Shares of the hostile artifacts that must be refused, and that must run.
LEAST_REFUSED, LEAST_RUN = 0.3, 0.05
#: Of the reasons of refusals, the most frequent ones are shown.
REASONS = 30

Task = tuple[str, int, str, str]

# Each worker runs this, too.
if "libasan" in os.environ.get("LD_PRELOAD", ""):
    # The sanitizer maps all of memory a second time.
    workers.MEMORY = resource.RLIM_INFINITY


class Interrupted(Exception):
    """A call took long."""


def _interrupt(*_: Any) -> None:
    raise Interrupted


@functools.cache
def _prepared(native: str) -> None:
    os.environ["INGOT_PLATFORM"], os.environ["INGOT_CACHE_DIR"] = "cpu", ""
    os.environ["INGOT_CPU_DEVICES"] = "4"
    # Of a sanitizer; the processes that verify programs have a limit of memory.
    os.environ.pop("LD_PRELOAD", None)
    if native:
        spec = importlib.util.spec_from_file_location("ingot_runtime._native", native)
        assert spec is not None and spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules["ingot_runtime._native"] = module
        spec.loader.exec_module(module)
    # A call that a test interrupts must not be taken for the user's.
    signal.signal(signal.SIGALRM, _interrupt)


def run(task: Task) -> tuple[str, str]:
    """What a changed artifact does: a verdict, and details."""
    kind, seed, folder, native = task
    _prepared(native)
    from generator import hostile

    rng = random.Random(f"{kind} {seed}")
    sources = sorted(Path(folder).glob("*.ingot"))
    data = rng.choice(sources).read_bytes()
    path = Path(folder, f"{os.getpid()}.changed")
    if kind == "hostile":
        hostile.hostile(data, rng, path)
    else:
        path.write_bytes(hostile.damaged(data, rng))
    with contextlib.redirect_stdout(io.StringIO()):
        return _verdict(path)


def _verdict(path: Path) -> tuple[str, str]:
    import ingot_runtime

    try:
        loaded = ingot_runtime.load(path)
        for entry in loaded.entry_points.values():
            _call(entry)
    except ingot_runtime.ArtifactError as error:
        return "refused", str(error).partition(": ")[2]
    except Interrupted:
        return "ran", "without an end"
    except Exception as error:
        if hasattr(error, "check"):
            return "ran", "raised"
        return "wrong", "".join(traceback.format_exception(error))
    return "ran", ""


def _call(entry: Any) -> None:
    import numpy as np

    from ingot_runtime.manifest import PYTHON_NUMBERS

    sizes = {
        name: max(low, 3) if high is None else min(max(low, 3), high)
        for name, (low, high) in entry.sizes.items()
    }
    values = []
    for leaf in entry.arguments:
        shape = tuple(size.at(sizes) for size in leaf.shape)
        if any(s < 0 for s in shape) or np.prod(shape, dtype=float) * 16 > LARGEST:
            return
        value = leaf.value if leaf.kind == "static" else np.ones(shape, leaf.numpy_dtype)
        if leaf.kind == "scalar":
            value = value.item() if leaf.dtype in PYTHON_NUMBERS else value[()]
        values.append(value)
    entry._program(sizes)
    # Again, since exceptions in callbacks of the garbage collector are ignored.
    signal.setitimer(signal.ITIMER_REAL, CALL, CALL)
    try:
        for result in entry.run(values):
            np.asarray(result).copy()
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def outcomes(
    kind: str, seeds: range, folder: str, jobs: int = 2, native: str = ""
) -> Iterator[tuple[int, str, str]]:
    """The verdict on each seed; a worker that is lost has crashed."""
    tasks = [(kind, seed, folder, native) for seed in seeds]
    for (_, seed, *_), outcome in results(run, tasks, jobs, LIMIT):
        yield (seed, "crashed", str(outcome)) if isinstance(outcome, Lost) else (seed, *outcome)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--kind", choices=("hostile", "damaged"), default="hostile")
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--seed", type=int, default=0, help="of the first one")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--native", default="", help="a native module of the runtime")
    parser.add_argument("--one", type=int, metavar="SEED")
    parser.add_argument("--folder", help="the artifacts to change; made if it is not given")
    options = parser.parse_args()
    preloaded = os.environ.get("LD_PRELOAD")
    with contextlib.ExitStack() as stack:
        folder = options.folder
        if folder is None:
            _prepared("")
            # These need the compiler.
            from generator.exports import exported

            folder = stack.enter_context(exported())
        if options.one is not None:
            print(*run((options.kind, options.one, folder, options.native)), sep="\n")
            return 0
        # Of a sanitizer, for the workers.
        if preloaded is not None:
            os.environ["LD_PRELOAD"] = preloaded
        return _judge(options, folder)


def _judge(options: Any, folder: str) -> int:
    seeds = range(options.seed, options.seed + options.count)
    counts: collections.Counter[str] = collections.Counter()
    reasons: collections.Counter[str] = collections.Counter()
    start = time.monotonic()
    for seed, verdict, detail in outcomes(
        options.kind, seeds, folder, options.jobs, options.native
    ):
        counts[verdict] += 1
        if verdict in ("wrong", "crashed"):
            print(f"{'=' * 20} {verdict}: --kind {options.kind} --one {seed}\n{detail}", flush=True)
        if verdict == "refused":
            reasons[re.sub(r"\d+", "#", detail.rpartition(": ")[2])[:70]] += 1
    seconds = time.monotonic() - start
    print(
        f"{len(seeds)} {options.kind} artifacts in {seconds:.0f} s:", dict(sorted(counts.items()))
    )
    for reason, n in reasons.most_common(REASONS):
        print(f"{n:6} {reason}")
    return int(not is_good(options.kind, counts))


def is_good(kind: str, counts: collections.Counter[str]) -> bool:
    """Whether all are refused or run, and enough of each."""
    total = counts.total()
    if counts["wrong"] or counts["crashed"] or counts["refused"] < LEAST_REFUSED * total:
        return False
    return kind == "damaged" or counts["ran"] >= LEAST_RUN * total


if __name__ == "__main__":
    sys.exit(main())
