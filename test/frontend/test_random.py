"""`ingot.random`: jax.random's streams, the same under every transformation."""

import contextlib

import jax
import numpy as np
import pytest

import ingot
from ingot import random
from level import sample
from oracle import assert_same

pytestmark = pytest.mark.slow

FLOATS = [np.float16, np.float32, np.float64]
INTEGERS = [np.int8, np.uint8, np.int16, np.int32, np.uint32, np.int64, np.uint64]
X = np.arange(12.0).reshape(4, 3)
P = np.array([0.1, 0.2, 0.3, 0.4])
KEY = random.key(42)


@pytest.fixture(autouse=True)
def x64():
    with jax.enable_x64(True):
        yield


def same(name, *args, exact=True, **kwargs):
    """What both libraries give for a key."""
    mine = getattr(random, name)(KEY, *args, **kwargs)
    # Operation by operation: on some processors, XLA rounds a product and a sum of float16 once.
    is_half = any(each is np.float16 for each in args)
    with jax.disable_jit() if is_half else contextlib.nullcontext():
        theirs = np.asarray(getattr(jax.random, name)(jax.random.PRNGKey(42), *args, **kwargs))
    assert (mine.dtype, mine.shape) == (theirs.dtype, theirs.shape)
    if exact:
        np.testing.assert_array_equal(mine, theirs)
    else:
        loose = {2: 2e-3, 4: 1e-6, 8: 1e-13}[theirs.dtype.itemsize]
        np.testing.assert_allclose(mine, theirs, rtol=loose, atol=loose)


@pytest.mark.parametrize("seed", [0, 42, 2**31, 2**40 + 3, -5, np.int32(-7), np.uint32(9)])
def test_keys(seed):
    np.testing.assert_array_equal(random.key(seed), jax.random.PRNGKey(seed))


def test_splits():
    same("split")
    same("split", 5)
    same("split", (2, 3))
    for data in (0, 7, 2**32 - 1):
        same("fold_in", data)


@pytest.mark.parametrize("shape", [(), (5,), (2, 0), (3, 4)])
def test_bits(shape):
    for dtype in (np.uint8, np.uint16, np.uint32, np.uint64):
        same("bits", shape, dtype)


@pytest.mark.parametrize("dtype", sample(FLOATS, 2))
def test_floats(dtype):
    same("uniform", (100,), dtype)
    same("uniform", (4, 3), dtype, -1.0, X.astype(dtype) + 1)
    same("normal", (100,), dtype, exact=False)
    same("truncated_normal", -1.0, 2.0, (50,), dtype, exact=False)
    for name in ("exponential", "laplace", "logistic", "cauchy", "gumbel"):
        same(name, (100,), dtype, exact=False)


@pytest.mark.parametrize("dtype", sample(INTEGERS, 3))
def test_integers(dtype):
    same("randint", (100,), 3, 100, dtype)
    same("randint", (4, 3), np.arange(3), np.arange(3) + 20, dtype)
    same("randint", (10,), 5, 5, dtype)
    top = np.iinfo(dtype).max
    if np.dtype(dtype).itemsize < 8:
        same("randint", (100,), 0, int(top) + 1, dtype)


def test_orders():
    same("permutation", 10)
    same("permutation", np.arange(10.0))
    same("permutation", X)
    same("permutation", X, 1)
    same("permutation", X, 1, True)
    same("choice", 10, (4,))
    same("choice", X, (2,), False)
    same("choice", X, (2, 2), True, None, 1)
    same("choice", 4, (20,), True, P)
    same("choice", X, (3,), False, P)


def test_distributions():
    same("categorical", X)
    same("categorical", X, 0, (5, 3))
    same("bernoulli", 0.3, (50,))
    same("bernoulli", P)
    same("rademacher", (20,), int)
    same("multivariate_normal", np.zeros(3), np.eye(3) * 2 + 0.5, (5,), exact=False)


def walk(key, x):
    for step in range(3):
        noise = random.normal(random.fold_in(key, step), x.shape)
        x = x + noise * random.uniform(key)
    return x, random.split(key, 2), random.randint(key, (3,), 0, 10)


def test_the_same_in_compiled_code():
    plain, compiled = walk(KEY, X), ingot.jit(walk)(KEY, X)
    np.testing.assert_allclose(compiled[0], plain[0], rtol=1e-14)
    np.testing.assert_array_equal(compiled[1], plain[1])
    np.testing.assert_array_equal(compiled[2], plain[2])


def test_the_same_for_the_items_of_a_batch():
    keys = random.split(KEY, 4)
    for found, expected in zip(
        ingot.vmap(walk)(keys, X), zip(*[walk(k, x) for k, x in zip(keys, X)])
    ):
        np.testing.assert_allclose(found, np.stack(expected), rtol=1e-14)
    shuffled = ingot.vmap(lambda k: random.permutation(k, 10))(keys)
    np.testing.assert_array_equal(shuffled, [random.permutation(k, 10) for k in keys])


def test_derivatives_by_what_is_scaled():
    def f(mean, scale):
        return np.sum(np.sin(mean + scale * random.normal(KEY, (5,))))

    noise = random.normal(KEY, (5,))
    by_mean, by_scale = ingot.grad(f, (0, 1))(0.5, 2.0)
    np.testing.assert_allclose(by_mean, np.sum(np.cos(0.5 + 2 * noise)), rtol=1e-12)
    np.testing.assert_allclose(by_scale, np.sum(np.cos(0.5 + 2 * noise) * noise), rtol=1e-12)


def test_errors():
    for call, text in (
        (lambda: random.normal(np.zeros(2)), "a key is an array of two uint32"),
        (lambda: random.normal(KEY, (2,), int), "random floats have the dtype float16"),
        (lambda: random.key(1.5), "a seed is an integer"),
        (lambda: random.randint(KEY, (2,), 0, 5, float), "random integers have an integer dtype"),
        (lambda: random.randint(KEY, (2,), 0.5, 5), "limits of random integers are integers"),
        (lambda: random.bits(KEY, (2,), int), "bits have an unsigned dtype"),
        (lambda: random.choice(KEY, 3, (4,), False), "larger than the number of items"),
    ):
        with pytest.raises(ingot.CompileError) as caught:
            call()
        assert text in str(caught.value)
        # There is no line of the user's to show, and none of ours.
        assert "random.py" not in str(caught.value)


def test_a_wrong_key_in_compiled_code_is_shown_there():
    def f(x):
        return random.normal(x, (3,))

    with pytest.raises(ingot.ShapeError) as caught:
        ingot.jit(f)(np.zeros(2))
    assert caught.value.filename == __file__


def stateful(x):
    return x + np.random.rand(3)


def seeded(x):
    np.random.seed(0)
    return x


generator = np.random.default_rng(0)


def drawn(x):
    return x + generator.normal(size=3)


@pytest.mark.parametrize("f", [stateful, seeded, drawn])
def test_generators_with_a_state_are_refused(f):
    with pytest.raises(ingot.UnsupportedError) as caught:
        ingot.jit(f)(np.zeros(3))
    assert "ingot.random.key(seed)" in caught.value.hint


COUNT = np.int64(3)


@pytest.mark.parametrize(
    ("name", "args"),
    [
        ("split", (COUNT,)), ("normal", (COUNT,)), ("uniform", ((2, COUNT),)), ("bits", (COUNT,)),
        ("permutation", (COUNT,)), ("choice", (COUNT, COUNT)), ("randint", (COUNT, 0, 9)),
        ("bernoulli", (0.5, COUNT)), ("categorical", (np.zeros(4), 0, COUNT)),
    ],
)  # fmt: skip
def test_sizes_are_integers_of_numpy_too(name, args):
    function = getattr(ingot.random, name)
    plain = [
        tuple(map(int, each)) if isinstance(each, tuple) else int(each) if each is COUNT else each
        for each in args
    ]
    assert_same(function(KEY, *args), function(KEY, *plain))


@pytest.mark.parametrize(
    ("name", "given", "said"),
    [
        ("normal", (2.5,), "'float' object cannot be interpreted as an integer"),
        ("normal", None, "'NoneType' object cannot be interpreted as an integer"),
        ("split", 2.5, "'float' object cannot be interpreted as an integer"),
        ("uniform", True, "sequence of integers or a single integer, got 'True'"),
        ("bits", -1, "negative dimensions are not allowed"),
        ("permutation", 2.5, "takes an integer or an array with axes"),
        ("choice", 2.5, "takes an integer or an array with axes"),
    ],
)
def test_what_is_no_shape_is_refused(name, given, said):
    with pytest.raises((TypeError, ValueError), match=said):
        getattr(ingot.random, name)(KEY, given)


FLOATING = ("uniform", "normal", "gumbel", "exponential", "laplace", "logistic", "cauchy")


@pytest.mark.parametrize("name", FLOATING)
@pytest.mark.parametrize("dtype", ["int32", "uint8", "bool", "complex64"])
def test_floats_have_a_floating_dtype(name, dtype):
    with pytest.raises(ingot.DTypeError, match="random floats have the dtype"):
        getattr(ingot.random, name)(ingot.random.key(0), (3,), dtype=dtype)


@pytest.mark.parametrize("dtype", ["uint8", "uint64", "bool"])
def test_signs_need_negative_numbers(dtype):
    with pytest.raises(ingot.DTypeError, match="no negative numbers"):
        ingot.random.rademacher(ingot.random.key(0), (3,), dtype=dtype)
