"""What `Lowered.native` shows, and what turns kernels off."""

import os
import subprocess
import sys

import numpy as np
import pytest

import ingot


def total(x):
    return np.exp(x).sum()


def test_steps():
    (kernel,) = ingot.jit(total).lower(np.ones(2000)).native().values()
    assert "ingot.reduce" in kernel["ingot"]
    assert "scf.for" in kernel["linalg"] and "math.exp" in kernel["linalg"]
    assert "llvm.func" in kernel["llvm-dialect"]
    assert "define" in kernel["llvm"]
    assert "ingot_call" in kernel["assembly"]


@pytest.mark.parametrize("f", [ingot.jit(total, native=False), ingot.jit(np.sort, native=True)])
def test_no_kernels(f):
    lowered = f.lower(np.ones(2000))
    assert lowered.native() == {}
    assert lowered.compile().kernels == ()


def sorted_sine(x):
    y = np.sin(x)
    return np.sort(y) + 1


def test_remarks():
    remarks = ingot.jit(sorted_sine).lower(np.ones(2000)).remarks()
    line = sorted_sine.__code__.co_firstlineno
    assert sorted(remarks) == [
        f"{__file__}:{line + 1}:9: form-fusions: 1 operation becomes one kernel",
        f"{__file__}:{line + 2}:12: form-fusions: 1 operation becomes one kernel",
        f"{__file__}:{line + 2}:12: form-fusions: `ingot.sort` is left to XLA or a library",
    ]


def test_long_programs_are_several_kernels(compile_text, check):
    """The time of LLVM's passes grows with the square of the loops in a function."""
    lines = [
        f"    x[{i % 50}] = x[{i * 7 % 50}] + x.mean()\n    w = np.tanh(w @ w) - w.max()\n"
        for i in range(60)
    ]
    f = compile_text("import numpy as np\n\n\ndef f(x, w):\n" + "".join(lines) + "    return w\n")[
        "f"
    ]
    rng = np.random.default_rng(0)
    x, w = rng.normal(size=(50, 40)), rng.normal(size=(30, 30)) / 30
    # About 300 loops, cut into kernels of at most 50.
    assert 5 <= len(ingot.jit(f, native=True).lower(x, w).native()) <= 8
    check(f, x, w, rtol=1e-9, native=True)


@pytest.mark.parametrize("head", ["if x[0, 0] > 0:", "for _ in range(2):"])
def test_long_branches_and_loops_are_several_kernels(compile_text, check, head):
    """So that the time of compiling grows with their length."""
    lines = [
        f"        x[{i % 50}] = x[{i * 7 % 50}] + x.mean()\n        w = np.tanh(w @ w) - w.max()\n"
        for i in range(130)
    ]
    text = f"import numpy as np\n\n\ndef f(x, w):\n    {head}\n" + "".join(lines) + "    return w\n"
    f = compile_text(text)["f"]
    rng = np.random.default_rng(0)
    x, w = abs(rng.normal(size=(50, 40))), rng.normal(size=(30, 30)) / 30
    lowered = ingot.jit(f, native=True).lower(x, w)
    # About 650 loops, cut into kernels of at most 50.
    assert 10 <= len(lowered.native()) <= 16
    assert any("a kernel may have" in each for each in lowered.remarks())
    check(f, x, w, rtol=1e-9, native=True)


def test_elements_are_no_loops(compile_text, check):
    lines = [f"    x[{i}] = x[{i * 7 % 60}] * 2 - y[{i}]\n" for i in range(60)]
    text = "def f(x, y):\n" + "".join(lines) + "    return x.sum()\n"
    f = compile_text(text)["f"]
    x, y = np.random.default_rng(0).normal(size=(2, 60))
    assert len(ingot.jit(f, native=True).lower(x, y).native()) == 1
    check(f, x, y, native=True)


def test_remarks_without_kernels():
    assert ingot.jit(sorted_sine, native=False).lower(np.ones(2000)).remarks() == []


def test_environment():
    code = (
        "import numpy as np, ingot, sys\n"
        "assert ingot.jit(np.exp).lower(np.ones(2000)).native() == {}\n"
        "ingot.jit(np.exp)(np.ones(2000))\n"
        "assert 'ingot._native' not in sys.modules\n"
    )
    environment = {"INGOT_NATIVE": "0", "INGOT_CACHE_DIR": "", "INGOT_PLATFORM": "cpu"}
    subprocess.run([sys.executable, "-c", code], check=True, env={**os.environ, **environment})


def test_import_is_light():
    code = "import ingot, sys; assert 'ingot._native' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)
