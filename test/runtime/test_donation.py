"""`donate`: results take the memory of arguments that are results themselves."""

import gc

import numpy as np
import pytest

import ingot


def step(state, x):
    return state * 0.5 + x


X = np.random.default_rng(0).normal(size=(50, 60))


def address(array):
    return array.ctypes.data


def test_results_take_the_memory_of_donated_ones():
    f = ingot.jit(step, donate="state")
    state, expected = f(X, X), step(X, X)
    first = address(state)
    for _ in range(4):
        before, state, expected = state, f(state, X), step(expected, X)
        assert address(state) == first
        np.testing.assert_array_equal(state, expected)
    # Whoever kept the array sees the result, also after it is gone.
    del state
    gc.collect()
    np.testing.assert_array_equal(before, expected)


@pytest.mark.parametrize("shape", [(2200, 2200), (3,), ()])
def test_large_and_small_results(shape):
    """Beyond 32 MiB results have memory of earlier ones."""
    f, x = ingot.jit(step, donate=0), np.ones(shape)
    state = f(x, x)
    for _ in range(3):
        state = f(state, x)
    np.testing.assert_array_equal(state, np.full(shape, 1.9375))


def test_arrays_that_are_no_results_stay_as_they_are():
    f, state = ingot.jit(step, donate="state"), X.copy()
    np.testing.assert_array_equal(f(state, X), step(X, X))
    np.testing.assert_array_equal(state, X)


def test_memory_that_another_argument_reads_is_not_taken():
    f = ingot.jit(step, donate="state")
    for view in (lambda a: a[::-1], lambda a: a[1:2]):
        state = ingot.jit(step)(X, X)
        kept = state.copy()
        np.testing.assert_array_equal(f(state, view(state)), step(kept, view(kept)))


@pytest.mark.parametrize(
    "f",
    [
        lambda state, i: state + state[i],
        lambda state, i: print("printed", state[0, 0]) or state + 1,
    ],
)
def test_programs_that_may_fail_keep_their_arguments(f, capfd):
    compiled = ingot.jit(f, donate="state")
    state = ingot.jit(step)(X, X)
    kept = state.copy()
    compiled(state, 1)
    np.testing.assert_array_equal(state, kept)


def test_loops_and_trees():
    def smoothed(state, n):
        for _ in range(n):
            state["u"] = (state["u"] + state["v"]) / 2
        return {"v": state["v"] + 1, "u": state["u"]}

    f = ingot.jit(smoothed, donate="state", checks=False)
    made = ingot.jit(lambda x: {"u": x + 0.0, "v": x * 2})(X)
    expected = {name: each.copy() for name, each in made.items()}
    for _ in range(3):
        made, expected = f(made, 5), smoothed(expected, 5)
    for name, each in expected.items():
        np.testing.assert_allclose(made[name], each)


def test_the_disk_cache_keeps_what_is_donated(tmp_path, monkeypatch):
    monkeypatch.setenv("INGOT_CACHE_DIR", str(tmp_path))
    for _ in range(2):
        f = ingot.jit(step, donate="state")
        state = f(X, X)
        assert address(f(state, X)) == address(state)


def test_arguments_of_jax():
    jax = pytest.importorskip("jax", reason="Ingot runs without jax")
    x = X.astype(np.float32)
    state, other = jax.numpy.asarray(x), jax.numpy.asarray(x)
    found = ingot.jit(step, donate="state")(state, other)
    np.testing.assert_allclose(found, step(x, x), rtol=1e-6)
    np.testing.assert_array_equal(other, x)


def test_names():
    with pytest.raises(TypeError, match="donate names no parameter `nope` of step; there are"):
        ingot.jit(step, donate="nope")
    with pytest.raises(TypeError, match="donate is 2, but step has 2 parameters"):
        ingot.jit(step, donate=2)
    assert repr(ingot.jit(step, donate=(0, "x"))) == "ingot.jit(step, donate=('state', 'x'))"
