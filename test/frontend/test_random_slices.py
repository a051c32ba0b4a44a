"""Random slices of lengths that run time knows: empty, whole, negative, past the ends.

Each program is called for every bound in turn, against NumPy: values, stores, what it raises.
"""

import random
import warnings

import numpy as np
import pytest

import ingot
from level import pick
from sources import namespace_of

#: Bounds of a slice, of an integer that run time knows.
BOUNDS = ["k", "-k", "2 * k", "k + 3", "k - 5", "n - k", "n + k", "k // 2", "-1", "3", "0", "n", ""]
VALUES = [
    "({p} * 2).sum()", "({p} + {q}).sum()", "({p} @ {q})", "len({p})", "{p}[::-1].sum()", "{p}[0]",
    "np.where({p} > 0, {p}, 1).sum()", "({p}[1:] - {p}[:-1]).sum()", "{p}.max()", "{p}[-1]",
    "{m}.sum()", "({m} @ {p}).sum()", "np.outer({p}, {q}).sum()", "{m}.max(axis=0).sum()",
    "{m}.mean()", "({p} * {q} - {p}).sum()", "np.flip({p})[0]", "{m}.T.sum(axis=1).sum()",
    "np.abs({p}).mean()", "{p}.size + {m}.shape[0] * 20 + {m}.shape[1]", "({p} > {q}).sum()",
    "np.dot({p}, {p})", "{p}[{a}:{b}].sum()", "np.count_nonzero({p} > 0)", "np.median({p})",
    "np.argmin({p})", "({m} * {p}).sum()", "x[k] + {p}.prod()", "np.linalg.norm({p})",
]  # fmt: skip
STORES = [
    "y[{a}:{b}] = 3", "y[{a}:{b}] += x[{c}:{d}]", "y[{a}:{b}] = y[{a}:{b}][::-1]", "pass",
    "z[{a}:{b}, {c}:{d}] *= 2", "z[{a}:{b}, 1] = {p}", "y[{a}:{b}] -= y[{c}:{d}]", "pass",
    "z[{a}:{b}] = {p}", "y[{a}:{b}][{c}:{d}] = 7", "z[1, {a}:{b}] = z[{a}:{b}, 1]",
    "y[{a}:{b}:-1] = x[{a}:{b}:-1] * 2", "w = z[{a}:{b}]\n    w[:, {c}:{d}] -= 1",
    "w = y[{a}:{b}]\n    w[[0, -1]] = 4", "w = y[{a}:{b}]\n    w[w > 0] = 2", "w = z[{a}:{b}]\n    w[k] *= 3",
]  # fmt: skip
X = np.random.default_rng(0).normal(size=9)
Z = np.random.default_rng(1).normal(size=(9, 9))


def program(rng):
    a, b, c, d = (rng.choice(BOUNDS) for _ in range(4))
    p, q, m = f"x[{a}:{b}]", f"x[{c}:{d}]", f"z[{a}:{b}, {c}:{d}]"
    parts = {"a": a, "b": b, "c": c, "d": d, "p": p, "q": q, "m": m}
    if rng.random() < 0.3:
        parts["q"] = f"x[{a} :{b}]" if a == b else f"y[{a}:{b}]"
    value, stored = rng.choice(VALUES).format(**parts), rng.choice(STORES).format(**parts)
    return f"""
def f(x, y, z, ks):
    k, n = int(ks[0]), len(x)
    {stored}
    return {value}, y, z
"""


def outcome(function, *args):
    args = [each.copy() for each in args]
    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            return function(*args)
    except NotImplementedError as error:
        return error
    except (IndexError, ValueError, ZeroDivisionError) as error:
        if isinstance(error, ingot.CompileError):
            raise
        # A window of static length is refused where an end would cut it.
        return NotImplementedError(error) if "must lie inside" in str(error) else error


def same(found, expected):
    if isinstance(found, NotImplementedError):
        return True
    if isinstance(expected, Exception) or isinstance(found, Exception):
        return isinstance(found, type(expected))
    return all(
        np.asarray(a).dtype == np.asarray(b).dtype
        and np.allclose(a, b, rtol=1e-9, atol=1e-9, equal_nan=True)
        for a, b in zip(found, expected, strict=True)
    )


def test_an_empty_slice_anywhere(tmp_path):
    text = "def f(x, ks):\n    k = int(ks[0])\n    return np.diff(x[k:k]), x[k:k].sum()\n"
    function = namespace_of(text, tmp_path)["f"]
    for k in (-20, 0, 3, 20):
        for a, b in zip(
            ingot.jit(function)(X, np.array([k])), function(X, np.array([k])), strict=True
        ):
            np.testing.assert_array_equal(a, b)


@pytest.mark.parametrize("seed", range(pick(3, 40, 600)))
def test_random_slices(seed, tmp_path):
    text = program(random.Random(seed))
    function = namespace_of(text, tmp_path)["f"]
    compiled = ingot.jit(function)
    for k in range(-11, 12):
        args = X, X[::-1], Z, np.array([k])
        try:
            found = outcome(compiled, *args)
        except ingot.CompileError as error:
            pytest.skip(str(error).splitlines()[0])
        expected = outcome(function, *args)
        if not same(found, expected):
            pytest.fail(f"{text}\nk = {k}: {found!r:.200} in place of {expected!r:.200}")
