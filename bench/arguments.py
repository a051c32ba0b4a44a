"""The cost of large arguments: NumPy arrays in and out, beside NumPy, and beside XLA's own copies.

The arguments are at the addresses that NumPy chooses, or aligned (`ingot.align_arrays`). `by_xla`
is the same program with unaligned arguments that jaxlib copies to buffers, as calls did before
there was staging memory. The cases are alternated. GB/s count the bytes of the arguments.
"""

from __future__ import annotations

import json
import os
import statistics
import sys
import time
from collections.abc import Callable
from typing import Any

os.environ.setdefault("INGOT_PLATFORM", "cpu")
os.environ["INGOT_CACHE_DIR"] = ""

import numpy as np

import ingot
from ingot_runtime import buffers, clients

SIZES = {"64 KiB": 64 << 10, "1 MiB": 1 << 20, "16 MiB": 16 << 20, "160 MiB": 160 << 20}
#: As many calls as take in so many bytes make a round, and at least one.
BYTES_OF_ROUND = 32 << 20
ROUNDS = 15
COLUMNS = 1024


def increment(x: Any) -> Any:
    return x + 1


def scaled_sum(x: Any) -> Any:
    return np.sum(x * 1.5)


def product(a: Any, v: Any) -> Any:
    return a @ v


def made(size: int, f: Callable[..., Any]) -> tuple[np.ndarray, ...]:
    """The arguments of a function, in memory that has been written to."""
    # The block of a smaller array may happen to be aligned; its second half then is not.
    x = np.random.default_rng(0).random(size // 8)
    return (x.reshape(-1, COLUMNS), np.ones(COLUMNS)) if f is product else (x,)


def unaligned(array: np.ndarray) -> np.ndarray:
    """A copy 16 bytes after an aligned address, as NumPy allocates large arrays."""
    memory = np.empty(array.size + 16, array.dtype)
    first = (-memory.ctypes.data % buffers.ALIGNMENT) // 8 + 2
    copy = memory[first : first + array.size].reshape(array.shape)
    copy[...] = array
    return copy


def by_xla(compiled: Any, arguments: tuple[np.ndarray, ...]) -> Callable[[], Any]:
    """A call whose arguments jaxlib copies."""
    program = compiled.lower(*arguments).compile()
    executable, signature = program.variant[0], program.signature
    (output,) = signature.outputs
    least = buffers.LEAST_STAGED

    def call() -> np.ndarray:
        buffers.LEAST_STAGED = sys.maxsize
        try:
            return buffers.to_numpy(executable.run([*arguments])[0], *output)
        finally:
            buffers.LEAST_STAGED = least

    return call


def seconds(call: Callable[[], Any], count: int) -> float:
    start = time.perf_counter()
    for _ in range(count):
        call()
    return (time.perf_counter() - start) / count


def medians(calls: dict[str, Callable[[], Any]], count: int) -> dict[str, float]:
    for call in calls.values():
        seconds(call, 2)
    rows = [[seconds(call, count) for call in calls.values()] for _ in range(ROUNDS)]
    return dict(zip(calls, map(statistics.median, zip(*rows, strict=True)), strict=True))


def main() -> None:
    clients.client()
    for f in (increment, scaled_sum, product):
        for name, size in SIZES.items():
            arguments = made(size, f)
            theirs = tuple(map(unaligned, arguments))
            with ingot.align_arrays():
                ours = tuple(each.copy() for each in arguments)
            compiled = ingot.jit(f)
            calls = {
                "numpy": lambda f=f, theirs=theirs: f(*theirs),
                "by_xla": by_xla(compiled, theirs),
                "unaligned": lambda f=compiled, theirs=theirs: f(*theirs),
                "aligned": lambda f=compiled, ours=ours: f(*ours),
            }
            found = medians(calls, max(1, BYTES_OF_ROUND // size))
            row = {"benchmark": "arguments", "function": f.__name__, "size": name}
            row |= {f"{way}_us": round(found[way] * 1e6, 1) for way in calls}
            row |= {f"{way}_gb_s": round(size / found[way] / 1e9, 1) for way in calls}
            json.dump(row, sys.stdout)
            print(flush=True)


if __name__ == "__main__":
    main()
