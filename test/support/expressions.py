"""Tests that are one expression each, over a few arrays."""

import os
import runpy
from pathlib import Path
from typing import Any

import numpy as np

A = np.arange(24.0).reshape(2, 3, 4) - 7.5
M = np.arange(12.0).reshape(3, 4) % 5 - 1.5
N = np.arange(12).reshape(3, 4) % 7 - 2
V = np.array([3.0, -1.0, 2.5, 0.5])
C = M + 1j * M[::-1]
B = N > 0

ARGUMENTS = (A, M, N, V, C, B)


def split(cases: str) -> list[str]:
    return [case.strip() for line in cases.strip().splitlines() for case in line.split(";;")]


def function_cases(variable: str) -> list[str]:
    """Those of the function tests: every fourth, or as the environment variable says."""
    folder = Path(__file__).parent.parent / "frontend"
    names = ("test_functions.py", "test_library.py")
    found = [case for name in names for case in split(runpy.run_path(str(folder / name))["CASES"])]
    return found[:: int(os.environ.get(variable, 4))]


def compiled_from_a_file(expressions: list[str], tmp_path_factory: Any) -> dict[str, Any]:
    """f0, f1, ... of the arrays; compiled code needs a file."""
    lines = ["import math", "import numpy as np", "import scipy.special as sp"]
    for i, case in enumerate(expressions):
        lines += [f"def f{i}(A, M, N, V, C, B):", f"    return {case}"]
    path = tmp_path_factory.mktemp("cases") / "cases.py"
    path.write_text("\n".join(lines))
    namespace: dict[str, Any] = {"__name__": "cases"}
    exec(compile(path.read_text(), str(path), "exec"), namespace)
    return namespace
