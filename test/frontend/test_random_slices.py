"""Random slices and masks of dynamic length: empty, whole, negative, past the ends.

Each program is called for every bound in turn, against NumPy: values, stores, what it raises. For
those with masks and steps so are gradients, against differences, and batches.
"""

import random
import warnings

import numpy as np
import pytest

import ingot
from level import pick
from sources import namespace_of

#: Bounds of a slice, from a run-time integer.
BOUNDS = ["k", "-k", "2 * k", "k + 3", "k - 5", "n - k", "n + k", "k // 2", "-1", "3", "0", "n", ""]
#: What says nothing of an integer, or how small and large it is.
NUMBERS = [
    "int(ks[0])", "int(ks[0])", "min(max(int(ks[0]), -12), 12)", "max(min(int(ks[0]), 0), -4)",
    "int(ks[0]) % 5 - 2", "min(int(ks[0]), 3)", "max(int(ks[0]), -1)", "abs(int(ks[0])) - 9",
]  # fmt: skip
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
#: What is written behind the ends of a slice, what selects elements of a line, and its places.
STEPS = ["", "", ":2", ":-1", ":-3", ":s", ":-s"]
MASKS = ["x > 0", "x > y[k % n]", "(z[:, 1] < 0.5)", "(x > 0) & (z[k % n] > 0)", "u % 3 == k % 3"]
PLACES = ["u[::2]", "[2, 0, -1]", "np.flatnonzero({h})", "k % n", "{h}", "(-u)[:3]"]
LINES = [
    "x[{e}]", "x[{h}]", "x[{a}:{b}][{e}]", "x[{e}][{a}:{b}]", "z[{h}, 1]", "z[k % n, {e}]",
    "x[np.flatnonzero({h})]", "x[{h}][{e}]", "x[{e}][x[{e}] > 0]", "z[{i}, {e}].sum(axis=-1)",
]  # fmt: skip
TABLES = ["z[{e}, {g}]", "z[{h}, {g}]", "z[{e}, {h}]", "z[u[:3], {e}]", "z[{e}, [1, -1]]", "z[{h}]"]
MIXED_STORES = [
    "y[{e}] = 3", "y[{e}] += x[{e}]", "y[{h}] = 2", "y[{h}] *= x[{h}]", "z[{h}, {e}] -= 1",
    "z[{i}, {e}] = 0.5", "z[{e}, {i}] *= 2", "w = y[{e}]\n    w[:2] = 7", "y[{h}] = x[{e}]",
    "w = z[{e}, {g}]\n    w[{a}:{b}] += 1", "z[{h}, {e}] = x[{e}]", "y[{i}] = k", "pass",
    "for j, item in enumerate(x[{e}]):\n        y[j] += item", "y[{e}] = np.sort(y[{e}])",
    "for j, item in zip(np.flatnonzero({h}), x[{a}:{b}]):\n        y[j] -= item",
]  # fmt: skip
X = np.random.default_rng(0).normal(size=9)
Y = X[::-1] + 0.01
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
    k, n = {rng.choice(NUMBERS)}, len(x)
    {stored}
    return {value}, y, z
"""


def mixed(rng):
    """A program of masks, indices and slices of all steps, and the loss of it."""
    parts = {name: rng.choice(BOUNDS) for name in "abcd"}
    for name, ends in ("e", "{a}:{b}"), ("g", "{c}:{d}"):
        parts[name] = ends.format(**parts) + rng.choice(STEPS)
    parts["h"] = rng.choice(MASKS)
    parts["i"] = rng.choice(PLACES).format(**parts)
    parts["p"] = rng.choice(LINES).format(**parts)
    # Of as many elements, mostly.
    parts["q"] = parts["p"].replace("x[", "y[", 1) if rng.random() < 0.8 else "x"
    parts["m"] = rng.choice(TABLES).format(**parts)
    value, stored = rng.choice(VALUES).format(**parts), rng.choice(MIXED_STORES).format(**parts)
    return f"""
def f(x, y, z, ks):
    k, n, s, u = {rng.choice(NUMBERS)}, len(x), int(ks[1]), np.arange(len(x))
    {stored}
    return {value}, y, z

def loss(x, y, z, ks):
    value, y, z = f(x, y.copy(), z.copy(), ks)
    return value * 1.0 + np.sum(np.sin(y)) + np.sum(np.cos(z))
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
        return error


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


def compare(function, compiled, text, ends):
    """Those of the ends for which there is a value."""
    good = []
    for each in ends:
        args = X, Y, Z, np.array(each)
        try:
            found = outcome(compiled, *args)
        except ingot.CompileError as error:
            pytest.skip(str(error).splitlines()[0])
        expected = outcome(function, *args)
        if not same(found, expected):
            pytest.fail(f"{text}\nks = {each}: {found!r:.200} in place of {expected!r:.200}")
        if not isinstance(found, Exception) and np.isfinite(expected[0]):
            good.append(each)
    return good


def test_an_empty_slice_anywhere(tmp_path):
    text = "def f(x, ks):\n    k = int(ks[0])\n    return np.diff(x[k:k]), x[k:k].sum()\n"
    function = namespace_of(text, tmp_path)["f"]
    for k in (-20, 0, 3, 20):
        for a, b in zip(
            ingot.jit(function)(X, np.array([k])), function(X, np.array([k])), strict=True
        ):
            np.testing.assert_array_equal(a, b)


@pytest.mark.parametrize("seed", range(pick(3, 25, 600)))
def test_random_slices(seed, tmp_path):
    text = program(random.Random(seed))
    function = namespace_of(text, tmp_path)["f"]
    compiled = ingot.jit(function)
    compare(function, compiled, text, [(k,) for k in range(-11, 12)])


@pytest.mark.parametrize("seed", range(pick(3, 25, 600)))
def test_random_masks_and_steps(seed, tmp_path):
    text = mixed(random.Random(seed))
    names = namespace_of(text, tmp_path)
    ends = [(k, k % 3 + 1) for k in range(-11, 12)]
    good = compare(names["f"], ingot.jit(names["f"]), text, ends)
    if good and "sort" not in text:
        check_gradient(names["loss"], text, good[len(good) // 2])
        check_batch(names["loss"], text, good)


def check_gradient(loss, text, ends):
    """By the first argument, against differences."""
    direction = np.random.default_rng(2).normal(size=9)
    rest = Y, Z, np.array(ends)
    ahead, behind = (loss(X + step * direction, *rest) for step in (1e-6, -1e-6))
    found = np.sum(ingot.grad(loss)(X.copy(), *rest) * direction)
    assert np.isclose(found, (ahead - behind) / 2e-6, rtol=1e-4, atol=1e-4), (text, ends, found)


def check_batch(loss, text, ends):
    found = ingot.vmap(loss, (None, None, None, 0))(X, Y, Z, np.array(ends))
    expected = [loss(X, Y, Z, np.array(each)) for each in ends]
    assert np.allclose(found, expected, rtol=1e-9, atol=1e-9), (text, ends, found, expected)
