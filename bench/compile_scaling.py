"""How the CPU time of compiling grows with the number of statements.

A program is straight-line code over arrays and numbers: elementwise statements, stores, reductions,
branches, small loops, calls, items of lists and dicts. Its n statements are all in one function, in
50 functions, in one branch, in the body of one loop; and the gradient of such a function is
compiled. Each size runs in a process of its own, without the disk cache; the time is that of the
first call, of all threads. `per_n_log_n` is the time divided by that of the smallest size and by
the growth of n log n: at most 1 is the claim.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

SIZES = (312, 1250, 5000)
KINDS = ("function", "functions", "branch", "loop", "gradient")
FUNCTIONS = 50

#: Each is a statement about arrays a and b of 64 elements, numbers s and t, a list and a dict.
STATEMENTS = (
    "a = np.sin(a) * 0.5 + b",
    "s = s * 0.25 + t - {i}.5",
    "a[{i} % 64] = s",
    "b = np.where(a > 0.5, a, b * 0.75)",
    "s = np.cos(s) + np.mean(a * b)",
    "t = shifted(t, s, {i})",
    "if s > {i}.0:\n    t = t * 0.5\nelse:\n    t = t * 0.25 + s",
    "b[1:-1] = 0.5 * (a[2:] + a[:-2])",
    "held['k{i}'] = s",
    "t = t + held.get('k{past}', 0.0) * 0.125",
    "seen.append(t)",
    "s = s + seen[{i} % len(seen)] * 0.125",
    "for j in range(64):\n    a[j] = a[j] * 0.5 + s",
    "a = a - np.mean(a)",
    "b = np.minimum(a, b) * 0.5 + np.maximum(a, t) * 0.25",
    "t = t * 0.5 + a[{i} % 64] * 0.25",
)
#: What has a derivative everywhere, and no containers.
SMOOTH = tuple(STATEMENTS[i] for i in (0, 1, 2, 4, 5, 7, 13, 15))

HEAD = """
import numpy as np


def shifted(t, s, i):
    if i % 2:
        return t * 0.5 + s * 0.125
    return t * 0.25 - s * 0.125

"""


def statements(count: int, first: int = 0, kinds: tuple[str, ...] = STATEMENTS) -> list[str]:
    """The lines of a number of statements."""
    made: list[str] = []
    for i in range(first, first + count):
        text = kinds[i % len(kinds)].format(i=i, past=i - i % len(kinds) - len(kinds) + 8)
        made += text.splitlines()
    return made


def indented(lines: list[str], by: int = 1) -> str:
    return "".join("    " * by + line + "\n" for line in lines)


def program(kind: str, count: int) -> str:
    """The source of a module with the function f(a, b, s, t)."""
    start = indented(["a, b, held, seen = a.copy(), b.copy(), {}, [0.0]"])
    end = indented(["return a, b, s, t"])
    if kind == "gradient":
        end = indented(["return np.sum(a) + np.sum(b) + s + t"])
        body = indented(statements(count, kinds=SMOOTH))
        return HEAD + "\ndef f(a, b, s, t):\n" + start + body + end
    if kind == "functions":
        each = max(1, count // FUNCTIONS)
        parts = [
            f"\ndef part{k}(a, b, s, t, held, seen):\n" + indented(statements(each, k * each)) + end
            for k in range(count // each)
        ]
        calls = [f"a, b, s, t = part{k}(a, b, s, t, held, seen)" for k in range(count // each)]
        return HEAD + "\n".join(parts) + "\n\ndef f(a, b, s, t):\n" + start + indented(calls) + end
    if kind == "branch":
        body = indented(["if t > 0:"]) + indented(statements(count), 2)
    elif kind == "loop":
        body = indented(["for _ in range(3):", "    held, seen = {}, [0.0]"])
        body += indented(statements(count), 2)
    else:
        body = indented(statements(count))
    return HEAD + "\ndef f(a, b, s, t):\n" + start + body + end


def compiled_in(kind: str, count: int) -> dict[str, float]:
    """The seconds of CPU time of the first call, in this process."""
    import importlib.util

    import numpy as np

    import ingot

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "scaling.py"
        path.write_text(program(kind, count))
        spec: Any = importlib.util.spec_from_file_location("scaling", path)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        a, b = np.linspace(-1, 1, 64), np.linspace(0, 2, 64)
        ingot.jit(lambda x: x + 1)(1.0)
        made = ingot.grad(module.f) if kind == "gradient" else ingot.jit(module.f)
        start, wall = time.process_time(), time.perf_counter()
        found = made(a, b, 0.5, 0.25)
        took = time.process_time() - start, time.perf_counter() - wall
        if kind != "gradient":
            for one, other in zip(found, module.f(a, b, 0.5, 0.25), strict=True):
                np.testing.assert_allclose(one, other, rtol=1e-6, atol=1e-9)
    return {"cpu": round(took[0], 3), "wall": round(took[1], 3)}


def measured(kind: str, count: int, timeout: float | None = None) -> dict[str, float]:
    """The same in a process of its own."""
    command = [sys.executable, __file__, "--one", kind, str(count)]
    environment = {**os.environ, "INGOT_CACHE_DIR": "", "INGOT_PLATFORM": "cpu"}
    done = subprocess.run(
        command, env=environment, capture_output=True, text=True, timeout=timeout, check=False
    )
    if done.returncode:
        raise RuntimeError(done.stderr[-2000:])
    return json.loads(done.stdout.splitlines()[-1])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--one", nargs=2, metavar=("KIND", "COUNT"))
    parser.add_argument("--kinds", nargs="+", choices=KINDS, default=KINDS)
    parser.add_argument("--sizes", nargs="+", type=int, default=SIZES)
    given = parser.parse_args()
    if given.one:
        print(json.dumps(compiled_in(given.one[0], int(given.one[1]))))
        return
    row: dict[str, Any] = {"benchmark": "compile_scaling"}
    for kind in given.kinds:
        # A gradient has several times as many operations.
        sizes = [n for n in given.sizes if kind != "gradient" or n <= 1250]
        times = {n: measured(kind, n) for n in sizes}
        least, most = sizes[0], sizes[-1]
        growth = most * math.log(most) / (least * math.log(least))
        ratio = times[most]["cpu"] / times[least]["cpu"] / growth
        row[kind] = {str(n): each for n, each in times.items()} | {"per_n_log_n": round(ratio, 2)}
        print(kind, row[kind], file=sys.stderr)
    print(json.dumps(row))


if __name__ == "__main__":
    main()
