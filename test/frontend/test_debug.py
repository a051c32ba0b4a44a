"""`ingot.debug`: calls of Python from compiled code, and where NaN begins."""

import numpy as np
import pytest

import ingot
from ingot import debug

X = np.array([0.5, 1.0, 2.0])
seen = []


@pytest.fixture(autouse=True)
def nothing_seen():
    seen.clear()


def note(*args):
    seen.append(args)


def observed(x):
    y = np.sin(x)
    debug.callback(note, "y", {"value": y}, 3)
    return y * x


def check_seen(*values):
    assert len(seen) == len(values)
    for (name, tree, number), value in zip(seen, values):
        assert (name, number) == ("y", 3)
        np.testing.assert_allclose(tree["value"], value)
        assert isinstance(tree["value"], (np.ndarray, np.generic))


def test_outside_and_in_compiled_code():
    observed(X)
    check_seen(np.sin(X))
    seen.clear()
    compiled = ingot.jit(observed)
    np.testing.assert_allclose(compiled(X), np.sin(X) * X)
    check_seen(np.sin(X))
    compiled(X * 2)
    check_seen(np.sin(X), np.sin(2 * X))


def test_under_transformations():
    np.testing.assert_allclose(ingot.vmap(observed)(X), np.sin(X) * X)
    check_seen(*np.sin(X))
    seen.clear()
    ingot.grad(lambda x: np.sum(observed(x)))(X)
    check_seen(np.sin(X))
    seen.clear()
    ingot.jvp(observed, (X,), (X,))
    check_seen(np.sin(X))
    seen.clear()
    ingot.vmap(ingot.grad(lambda x: observed(x) * 1.0))(X)
    check_seen(*np.sin(X))


def test_in_loops_and_branches():
    def f(x, n):
        for i in range(n):
            if x > i:
                debug.callback(note, i, x)
        return x

    ingot.jit(f)(10.5, 12)
    assert [(int(i), float(x)) for i, x in seen] == [(i, 10.5) for i in range(11)]
    seen.clear()
    ingot.vmap(f, (0, None))(np.array([0.5, 1.5]), 9)
    assert sorted((float(x), int(i)) for i, x in seen) == [(0.5, 0), (1.5, 0), (1.5, 1)]


def explode(x):
    raise KeyError("from the callback")


def test_what_a_callback_raises_is_raised():
    def f(x):
        debug.callback(explode, x)
        return x + 1

    compiled = ingot.jit(f)
    for _ in range(2):
        with pytest.raises(KeyError, match="from the callback"):
            compiled(X)
    with pytest.raises(KeyError):
        ingot.vmap(f)(X)


def test_what_is_refused(tmp_path):
    def f(x):
        debug.callback(lambda y: None, x)
        return x

    with pytest.raises(ingot.UnsupportedError, match="defined in compiled code"):
        ingot.jit(f)(X)
    with pytest.raises(ingot.UnsupportedError, match="calls functions of this process"):
        ingot.export(observed, X)


def chain(x):
    y = x - 1
    z = np.log(y)
    return np.sum(z * 2)


def test_the_line_where_nan_begins():
    with pytest.warns(RuntimeWarning):
        plain = chain(X)
    assert np.isnan(plain)
    assert np.isnan(ingot.jit(chain)(X))
    with debug.trap_nans():
        with pytest.raises(FloatingPointError) as caught:
            ingot.jit(chain)(X)
        assert caught.value.check.line == chain.__code__.co_firstlineno + 2
        assert "np.log(y)" in caught.value.__notes__[-1]
        assert ingot.jit(chain)(X + 1) == pytest.approx(2 * np.log(X).sum())
    # Afterwards nothing is checked.
    assert np.isnan(ingot.jit(chain)(X))


def test_a_trap_in_loops_and_transformations():
    def f(x):
        s = x
        for i in range(20):
            s = s * s
        return s

    def line(call):
        with pytest.raises(FloatingPointError) as caught:
            call()
        return caught.value.check.line - f.__code__.co_firstlineno

    with debug.trap_nans():
        assert ingot.jit(f)(0.5) == 0
        assert line(lambda: ingot.jit(f)(10.0)) == 3
        assert line(lambda: ingot.vmap(f)(np.array([0.5, 10.0]))) == 3
        assert line(lambda: ingot.grad(f)(10.0)) == 3


def test_a_program_keeps_its_traps():
    """Where a check fails, the precise program decides; it is made then, of the same options."""
    with debug.trap_nans():
        compiled = ingot.jit(chain).lower(X).compile()
    for _ in range(2):
        with pytest.raises(FloatingPointError):
            compiled.call_leaves([X])


def test_arguments_that_are_not_finite_are_no_trap():
    with debug.trap_nans():
        result = ingot.jit(lambda x: x * 2)(np.array([np.nan, np.inf]))
    np.testing.assert_array_equal(result, [np.nan, np.inf])
