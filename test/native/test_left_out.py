"""Passes on kernels that are left out: kernels compute the same without each of them."""

import copy
import re
from pathlib import Path

import numpy as np
import pytest

import ingot
from ingot import pipeline
from oracle import assert_same

RNG = np.random.default_rng(3)
#: `kernelSwitches` in passes/Fusion/Fusion.h, as a test compares.
PASSES = [
    "split-axes", "merge-fills", "orient-products", "fuse-products", "fuse-loops", "store-carried",
    "hoist-reads", "reload-updates", "jam-loops",
]  # fmt: skip
ROOT = Path(__file__).resolve().parents[2]
#: Smaller arrays stay in a cache, and loops over them are left as they are.
A, X = RNG.normal(size=(600, 400)), RNG.normal(size=200_000)
SMALL, B = RNG.normal(size=(30, 40)), 0.01 * RNG.normal(size=(40, 30))


def stencil(x, n):
    for _ in range(n):
        x[1:-1] = 0.3 * x[:-2] + 0.4 * x[1:-1] + 0.3 * x[2:]
    return x


def statistics(a):
    b = a - a.mean(axis=0)
    scale = np.sqrt((b * b).mean(axis=0))
    return b / scale, scale


def products(a, b):
    for i in range(a.shape[0]):
        b[:, i] = a[i] * 2 - b @ a[:, i]
    return (a @ b).sum(), b.T @ a[0]


def recurrence(x):
    for i in range(2, x.shape[0]):
        x[i] += 0.5 * x[i - 1] - 0.25 * x[i - 2]
    return x, x.max()


def triangle(a):
    total = 0.0
    for i in range(a.shape[0]):
        for j in range(i):
            a[i, j] -= a[i, :j] @ a[j, :j]
            total += a[i, j]
    return total


def padded(x, n):
    y = np.zeros((n, x.shape[0] + 2))
    y[:, 1:-1] = np.outer(np.arange(n), x)
    return np.cos(y).sum(axis=1), np.concatenate([y[0], y[-1]]).reshape(2, -1)


def differences(a):
    right, down = a[:, 1:] - a[:, :-1], a[1:] - a[:-1]
    flow = np.zeros_like(a)
    flow[:, 1:] -= right * right
    flow[1:] += np.where(down > 0, down, 0.5 * down)
    return (flow * a).sum(axis=0), flow.max(), np.abs(right).sum(axis=1)


def rotated(a, v):
    u, w = a @ v, a.T @ (a[:, 0] * 2)
    a += np.outer(u, w)
    return a @ w, (a.T * u).sum(axis=1)


PROGRAMS = {
    stencil: (X, 7), statistics: (A,), products: (SMALL, B), recurrence: (X,), triangle: (0.1 * SMALL,),
    padded: (X, 5), differences: (A,), rotated: (0.01 * A, A[0]),
}  # fmt: skip


@pytest.fixture
def leave_out():
    """leave_out(names): leaves these passes out, as `INGOT_WITHOUT` does."""
    before = pipeline.additions().without
    yield lambda names: pipeline.change(without=tuple(names.split(",")))
    pipeline.change(without=before)


@pytest.mark.parametrize("left_out", [*PASSES, ",".join(PASSES)], ids=[*PASSES, "all"])
def test_values(left_out, leave_out):
    leave_out(left_out)
    for f, args in PROGRAMS.items():
        ours, theirs = copy.deepcopy(args), copy.deepcopy(args)
        compiled = ingot.jit(f)
        assert f'ingot.without = ["{left_out.split(",")[0]}"' in text_of(compiled, *ours)
        assert_same((compiled(*ours), ours), (f(*theirs), theirs), 1e-12)


def test_derivatives(leave_out):
    losses = [
        (lambda x: stencil(x * 1.0, 5).sum(), X), (lambda a: statistics(a)[0][3, 4], A),
        (lambda a: differences(a)[0].sum(), A), (lambda a: rotated(a * 1.0, A[0])[1][5], 0.01 * A),
    ]  # fmt: skip
    want = [ingot.grad(f)(x) for f, x in losses]
    leave_out(",".join(PASSES))
    for (f, x), each in zip(losses, want):
        assert_same(ingot.grad(f)(x), each, 1e-11)


def text_of(function, *args):
    return "".join(each["ingot"] for each in function.lower(*args).native().values())


def test_a_loop_is_not_fused(leave_out):
    def loops():
        lowered = ingot.jit(statistics).lower(A)
        (kernel,) = lowered.native().values()
        return len(re.findall("linalg.(?:generic|fill|map)", kernel["linalg"]))

    fused = loops()
    leave_out("fuse-loops")
    assert loops() > fused


def test_names():
    source = (ROOT / "passes/Fusion/Fusion.h").read_text()
    (names,) = re.findall(r"kernelSwitches\[\] = \{(.*?)\}", source, re.DOTALL)
    assert re.findall('"(.*?)"', names) == PASSES
