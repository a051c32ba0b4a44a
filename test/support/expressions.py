"""Tests that are one expression each, over a few arrays."""

import runpy
from pathlib import Path
from typing import Any

import numpy as np

import ingot
from level import sample
from oracle import assert_same, outcome
from sources import namespace_of

A = np.arange(24.0).reshape(2, 3, 4) - 7.5
M = np.arange(12.0).reshape(3, 4) % 5 - 1.5
N = np.arange(12).reshape(3, 4) % 7 - 2
V = np.array([3.0, -1.0, 2.5, 0.5])
C = M + 1j * M[::-1]
B = N > 0

ARGUMENTS = (A, M, N, V, C, B)


def split(cases: str) -> list[str]:
    return [case.strip() for line in cases.strip().splitlines() for case in line.split(";;")]


def function_cases(one_in: int) -> list[str]:
    """Those of the function tests without what is undefined: every `one_in`-th, or all (level.py)."""
    folder = Path(__file__).parent.parent / "frontend"
    names = ("test_functions.py", "test_library.py", "test_scipy.py")
    found = [case for name in names for case in split(runpy.run_path(str(folder / name))["CASES"])]
    # np.empty gives what lies in memory.
    return [case for case in sample(found, one_in) if "empty" not in case]


def functions_of(expressions: list[str], folder: Path) -> list[Any]:
    """A function of the arrays for each expression."""
    lines = []
    for i, case in enumerate(expressions):
        lines += [f"def f{i}(A, M, N, V, C, B):", f"    return {case}"]
    namespace = namespace_of("\n".join(lines), folder)
    return [namespace[f"f{i}"] for i in range(len(expressions))]


def same_value(expression: str, folder: Path, **args: Any) -> None:
    """An expression in these names, compiled, gives NumPy's value or type of exception."""
    text = f"import ingot\ndef f({', '.join(args)}):\n    return {expression}\n"
    function = namespace_of(text, folder)["f"]
    values = args.values()
    found, expected = outcome(ingot.jit(function), *values), outcome(function, *values)
    if isinstance(expected, Exception):
        assert type(found) is type(expected), found
        return
    if isinstance(found, Exception):
        raise found
    assert_same(found, expected)
