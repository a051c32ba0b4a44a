"""`ingot.callback`: Python functions whose results compiled code uses."""

import functools

import numpy as np
import pytest

import ingot

X = np.array([0.5, -1.0, 2.0])
SPEC = ingot.spec("3", "float64")


def python_sin(x):
    assert type(x) in (np.ndarray, np.float64)
    return np.sin(x)


def test_results():
    def f(x):
        return ingot.callback(python_sin, x, x * 2) + 1

    np.testing.assert_array_equal(f(X), np.sin(2 * X) + 1)
    np.testing.assert_array_equal(ingot.jit(f)(X), np.sin(2 * X) + 1)
    assert ingot.jit(f)(0.5) == np.sin(1.0) + 1


def test_trees_of_results():
    def both(tree, name):
        assert name == "pair"
        return {"sum": tree["a"] + tree["b"], "count": np.int32(tree["a"].size)}

    def f(a, b):
        declared = {"sum": SPEC, "count": 0}
        return ingot.callback(both, declared, {"a": a, "b": b}, "pair")

    for g in (f, ingot.jit(f)):
        found = g(X, 2 * X)
        np.testing.assert_array_equal(found["sum"], 3 * X)
        assert found["count"] == 3 and found["count"].dtype == np.int64


def test_in_loops_and_branches():
    calls = []

    def half(x):
        calls.append(float(x))
        return x / 2

    @ingot.jit
    def f(x):
        while x > 1:
            if x > 3:
                x = ingot.callback(half, x, x)
            else:
                x = x - 1
        return x

    assert f(20.0) == 20.0 / 8 - 2 + 0
    assert calls == [20.0, 10.0, 5.0]


def test_in_order_with_prints(capsys):
    def seen(x):
        print("called with", x)
        return x

    @ingot.jit
    def f(x):
        print("before", x)
        y = ingot.callback(seen, x, x)
        print("after", y)
        return y

    f(1.5)
    assert capsys.readouterr().out == "before 1.5\ncalled with 1.5\nafter 1.5\n"


def test_one_call_for_each_lane():
    calls = []

    def seen(x):
        calls.append(x.copy())
        return np.sum(x)

    np.testing.assert_array_equal(
        ingot.vmap(lambda x: ingot.callback(seen, 0.0, x))(np.arange(6.0).reshape(3, 2)), [1, 5, 9]
    )
    np.testing.assert_array_equal(calls, np.arange(6.0).reshape(3, 2))
    # Also if all lanes give it the same: it is not pure.
    calls.clear()
    count = functools.partial(next, iter(range(10)))
    found = ingot.vmap(lambda x: x + ingot.callback(count, 0))(np.zeros(3))
    np.testing.assert_array_equal(found, [0, 1, 2])


def test_lanes_that_do_not_run():
    calls = []

    def seen(x):
        calls.append(float(x))
        return x * 10

    def f(x):
        if x > 0:
            return ingot.callback(seen, x, x)
        return x

    np.testing.assert_array_equal(ingot.vmap(f)(X), [5.0, -1.0, 20.0])
    assert calls == [0.5, 2.0]


def test_no_derivative():
    def f(x):
        return np.sum(ingot.callback(python_sin, x, x))

    for derive in (ingot.grad, ingot.jacfwd):
        with pytest.raises(ingot.CompileError, match="`callback` has no derivative") as e:
            derive(f)(X)
        assert "ingot.custom_vjp" in str(e.value)
    # What does not depend on the differentiated arguments has none.
    counted = []

    def weights():
        counted.append(1)
        return np.arange(3.0)

    np.testing.assert_array_equal(
        ingot.grad(lambda x: np.sum(x**2 * ingot.callback(weights, SPEC)))(X),
        2 * X * np.arange(3.0),
    )
    assert len(counted) == 1


def test_with_a_rule():
    @ingot.custom_vjp
    def f(x):
        return ingot.callback(python_sin, x, x)

    f.defvjp(lambda x: (f(x), x), lambda x, c: (c * ingot.callback(np.cos, x, x),))
    np.testing.assert_allclose(ingot.grad(lambda x: np.sum(f(x) ** 2))(X), np.sin(2 * X))
    np.testing.assert_allclose(ingot.vmap(ingot.grad(lambda x: f(x) ** 2))(X), np.sin(2 * X))


def first_two(x):
    return x[:2]


def test_results_of_other_types():
    def f(x):
        return ingot.callback(first_two, SPEC, x)

    with pytest.raises(
        TypeError, match=r"gives float64\[2\] where its callback declares float64\[3\]"
    ):
        ingot.jit(f)(X)
    with pytest.raises(
        TypeError, match=r"gives float64\[3\] where its callback declares float32\[3\]"
    ):
        ingot.jit(lambda x: ingot.callback(python_sin, ingot.spec("3", "float32"), x))(X)
    with pytest.raises(TypeError, match="a tree of another structure"):
        ingot.jit(lambda x: ingot.callback(python_sin, (x, x), x))(X)
    with pytest.raises(ingot.CompileError, match="the results of a callback are given by"):
        ingot.jit(lambda x: ingot.callback(python_sin, "float64", x))(X)
    with pytest.raises(ingot.CompileError, match="the results of a callback are given by"):
        ingot.jit(lambda x: ingot.callback(python_sin, ingot.spec("n", "float64"), x))(X)


def test_exceptions():
    def fails(x):
        raise KeyError("nothing there")

    a = X.copy()

    @ingot.jit
    def f(a):
        a[0] = 7.0
        return ingot.callback(fails, a, a)

    with pytest.raises(KeyError, match="nothing there"):
        f(a)
    assert a[0] == X[0]


def test_not_after_a_failed_check():
    calls = []

    def seen(x):
        calls.append(1)
        return x

    @ingot.jit
    def f(x):
        assert np.sum(x) < 0, "negative"
        return ingot.callback(seen, x, x)

    with pytest.raises(AssertionError, match="negative"):
        f(X)
    assert not calls


@pytest.mark.parametrize("dtype", ["bool", "int8", "uint16", "float16", "float32", "complex64"])
def test_dtypes(dtype):
    x = np.array([[0, 1, 2], [3, 4, 5]]).astype(dtype)
    declared = ingot.spec("3,2", dtype)
    found = ingot.jit(lambda x: ingot.callback(np.transpose, declared, x))(x)
    assert found.dtype == dtype
    np.testing.assert_array_equal(found, x.T)


@pytest.mark.parametrize("kind", [SystemExit, KeyboardInterrupt, GeneratorExit])
@pytest.mark.parametrize("how", ["callback", "debug"])
def test_other_exceptions_arrive_as_what_they_are(kind, how):
    """They are no subclasses of Exception."""

    def ends(x):
        raise kind(3)

    def f(x):
        if how == "debug":
            ingot.debug.callback(ends, x)
            return x + 1
        return ingot.callback(ends, x, x) + 1

    g = ingot.jit(f)
    for _ in range(2):
        with pytest.raises(kind) as caught:
            g(X)
        assert caught.value.args == (3,)
    assert ingot.jit(lambda x: x + 1)(1.0) == 2.0
