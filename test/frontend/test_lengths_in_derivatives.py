"""Derivatives of, and by, arrays of dynamic length."""

import numpy as np
import pytest

import ingot
from expressions import split
from level import pick
from oracle import assert_same
from sources import namespace_of

X = np.array([0.7, -1.3, 2.1, 0.4, -0.2, 1.9])
A = np.array([[0.7, -1.3, 2.1], [-0.4, 0.3, 0.9], [1.2, 2.2, -0.6]])
#: Of x, of one axis, and a, of two; arrays, tuples or dicts of these.
EXPRESSIONS = split("""
x[x > 0] ;; x[x > 0] ** 2 ;; np.sqrt(x[x > 0]) ;; np.log(x[x > 0])[::-1] ;; x[x > 9] ;; x[x > -9] * x.sum()
x[: int(abs(x[2]))] ;; x[int(abs(x[2])) :] * x[0] ;; x[int(x[2]) :: -1] ** 3 ;; x[-int(x[2]) :] * x[-1]
np.sort(x[x > 0]) ** 2 ;; x[x > 0].cumsum() ;; np.cumprod(x[x > 0]) ;; x[x > 0][x[x > 0] > 1] ** 2 ;; x[np.nonzero(x > 0)[0]] ** 2
a[a > 0] ** 2 ;; a[a[:, 0] > 0] @ x[:3] ;; a[:, a[0] > 0] * x[0] ;; a[a[:, 0] > 0].T * 2 ;; a[int(x[2]) :, : int(x[2])] ** 2
(x[x > 0] * 2, x.sum() * x) ;; {'k': x[x > 1] ** 2, 'n': len(x[x > 1])} ;; (np.nonzero(x > 0), x[x > 0]) ;; [x[x > 0], x[x < 0]]
np.unique(x) ** 2 ;; np.where(x[x > 0] > 1, x[x > 0] ** 2, x[x > 0]) ;; np.exp(x[x > 0] - x[x > 0].max()) ;; np.outer(x[x > 0], x[:2])
(x[x > 0] * 2)[0] ;; x[x > 0].mean() ;; x[x > 0] / np.linalg.norm(x[x > 0]) ;; x[x > 0] @ x[x > 0] ;; np.sort(x[x > 0])[1] * x[0]
""")


@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_against_differences(expression, tmp_path):
    function = namespace_of(f"def f(x, a):\n    return {expression}\n", tmp_path)["f"]
    ingot.check_grads(function, (X, A), order=pick(1, 1, 2))


def shrunk(x):
    while x.size > 2:
        x = (x[1:] * x[0])[x[1:] > x[0]]
    return x


def newton(x):
    """Items leave where they have converged."""
    z, total = x, 0.0
    for _ in range(4):
        z = z - (z * z - 2) / (2 * z)
        z = z[abs(z * z - 2) > 1e-3]
        total = total + z.sum()
    return total


def chosen(x):
    if x[0] > 0:
        y = x[x > 0] ** 2
    else:
        y = x[x < 0] * 3
    return y


def stored_at_positions(x):
    y = x * 2
    places = np.nonzero(x > 0)[0]
    y[places] = y[places] * x[0]
    y[places] += x[x > 0] ** 2
    return y, x[places] * x[1]


def stored_at_some(x):
    """What is behind the live indices is stored nowhere, and has no derivative."""
    y, i = x * 2, np.array([2, 0, 5, 0, 4, 2])
    k = i[i > 0] - 1
    y[k] = x[k] * x[0]
    y[1 :: int(x[2]) + 1] = x[3] * x[4]
    return y * x


def stored(x):
    y = x[x > 0]
    y[0] = x[1] * 2
    y *= y
    return y


def stacked(x):
    total = 0.0
    for i in range(len(x)):
        part = x[: i + 1]
        total += (part[part > 0] ** 2).sum()
    return total


PROGRAMS = [shrunk, newton, chosen, stored_at_positions, stored_at_some, stored, stacked]


@pytest.mark.parametrize("function", PROGRAMS)
def test_programs(function):
    for x in (X, np.abs(X) + 0.1, np.sort(X)):
        ingot.check_grads(function, (x,), order=pick(1, 1, 2))


@pytest.mark.parametrize("function", [lambda x: np.sqrt(x[x > 0]), newton])
def test_second_derivatives(function):
    ingot.check_grads(function, (X,))


def square(x):
    return x[x > 0] ** 2


def test_jvp_has_tangents_as_long_as_the_result():
    value, slope = ingot.jvp(square, (X,), (np.ones(6),))
    assert_same(value, square(X))
    assert_same(slope, 2 * X[X > 0])
    value, slope = ingot.jvp(lambda x: (np.nonzero(x > 0), x[x > 0]), (X,), (X,))
    assert_same(value[0], np.nonzero(X > 0))
    assert (slope[0], slope[1].tolist()) == ((0.0,), X[X > 0].tolist())


def test_cotangents_are_as_long_as_the_result():
    value, pull = ingot.vjp(square, X)
    assert_same(value, square(X))
    seed = np.arange(1.0, 5.0)
    expected = np.zeros(6)
    expected[X > 0] = 2 * X[X > 0] * seed
    assert_same(pull(seed), (expected,))
    for wrong in (seed[:2], seed[:0], np.ones(6)):
        with pytest.raises(ValueError, match="another length than its primal"):
            pull(wrong)
    for wrong in (np.ones(7), np.ones(4, int), np.ones((4, 1)), 1.0):
        with pytest.raises(ingot.CompileError, match=r"its primal is float64\[at most 6\]"):
            pull(wrong)


def test_jacobians_have_rows_for_what_counts():
    expected = np.diag(2 * X)[X > 0]
    for jacobian in (ingot.jacfwd, ingot.jacrev):
        assert_same(jacobian(square)(X), expected)
        found = jacobian(lambda x, a: {"p": square(x) * a[0, 0], "s": x.sum()}, (0, 1))(X, A)
        assert_same(found["p"][0], expected * A[0, 0])
        by_a = np.zeros((4, 3, 3))
        by_a[:, 0, 0] = square(X)
        assert_same(found["p"][1], by_a)
        assert_same(found["s"], (np.ones(6), np.zeros((3, 3))))
    second = np.zeros((4, 6, 6))
    second[np.arange(4), np.flatnonzero(X > 0), np.flatnonzero(X > 0)] = 2
    assert_same(ingot.hessian(square)(X), second)


def test_jacobians_by_numbers_of_python():
    def scaled(factors, x):
        return x[x > 0] * factors[0] + factors[1]

    x = np.array([1.0, -2.0, 3.0])
    by_first, by_second = ingot.jacfwd(scaled)([2.0, 0.5], x)
    np.testing.assert_array_equal(by_first, [1.0, 3.0])
    np.testing.assert_array_equal(by_second, [1.0, 1.0])


def test_auxiliary_results_have_their_length():
    def loss(x):
        chosen = x[x > 0]
        return (chosen**2).sum(), {"chosen": chosen, "places": np.nonzero(x > 0), "n": len(chosen)}

    expected = np.where(X > 0, 2 * X, 0)
    gradient, aux = ingot.grad(loss, has_aux=True)(X)
    assert_same(gradient, expected)
    assert_same(aux, loss(X)[1])
    (value, aux), gradient = ingot.value_and_grad(loss, has_aux=True)(X)
    assert_same(value, loss(X)[0])
    assert_same(aux, loss(X)[1])
    inside = ingot.jit(lambda x: ingot.grad(loss, has_aux=True)(x)[1]["chosen"][1:] * 2)
    assert_same(inside(X), X[X > 0][1:] * 2)


def test_by_arrays_of_such_lengths():
    """In compiled code they may also be what is differentiated by."""

    def total(y):
        return (y**3).sum()

    chosen = X[X > 0]
    assert_same(ingot.jit(lambda x: ingot.grad(total)(x[x > 0]))(X), 3 * chosen**2)
    assert_same(ingot.jit(lambda x: ingot.grad(total)(x[: int(x[2])]))(X), 3 * X[:2] ** 2)
    assert_same(
        ingot.jit(lambda x: ingot.value_and_grad(lambda y, k: total(y) * k, (0, 1))(x[x > 0], 2.0))(X),
        (total(chosen) * 2, (6 * chosen**2, float(total(chosen)))),
    )  # fmt: skip
    found = ingot.jit(lambda x: ingot.jvp(total, (x[x > 0],), (np.sqrt(x[x > 0]),)))(X)
    assert_same(found, (total(chosen), np.sum(3 * chosen**2 * np.sqrt(chosen))))
    assert_same(ingot.jit(lambda x: ingot.hessian(total)(x[x > 0]))(X), np.diag(6 * chosen))
    for jacobian in (ingot.jacfwd, ingot.jacrev):
        rows = ingot.jit(lambda x: jacobian(lambda y: y[y > 1] ** 2)(x[x > 0]))(X)
        assert_same(rows, np.diag(2 * chosen)[chosen > 1])
    pulled = ingot.jit(lambda x: ingot.vjp(square, x)[1](np.sort(x[x > 0])))(X)
    expected = np.zeros(6)
    expected[X > 0] = 2 * chosen * np.sort(chosen)
    assert_same(pulled, (expected,))
    with pytest.raises(ValueError, match="another length"):
        ingot.jit(lambda x: ingot.vjp(square, x)[1](x[x > 1]))(X)
    with pytest.raises(ValueError, match="another length"):
        ingot.jit(lambda x: ingot.jvp(total, (x[x > 0],), (x[x > 1],)))(X)


def test_stores_stay_inside():
    def bumped(y):
        y[0] = 5
        return (y**2).sum()

    def both(x):
        y = x[x > 0]
        return ingot.grad(bumped)(y), y, x

    expected = 2 * X[X > 0]
    expected[0] = 0
    gradient, chosen, x = ingot.jit(both)(X)
    assert_same(gradient, expected)
    assert_same(chosen, X[X > 0])
    assert_same(x, X)


def test_stop_gradient():
    def half(x):
        y = x[x > 0]
        return (ingot.stop_gradient(y) * y).sum()

    assert_same(ingot.grad(half)(X), np.where(X > 0, X, 0))
    # Also of trees.
    listed = lambda x: (ingot.stop_gradient([x])[0] * x).sum()  # noqa: E731
    assert_same(ingot.grad(listed)(X), X)


def test_checkpoint():
    inner = ingot.checkpoint(lambda y: (np.sqrt(y), y[y > 1]))

    def loss(x):
        roots, large = inner(x[x > 0])
        return roots.sum() + (large**2).sum()

    ingot.check_grads(loss, (X,))


@ingot.custom_vjp
def ruled(y):
    return np.sum(y * y)


ruled.defvjp(lambda y: (np.sum(y * y), y), lambda y, g: (y * g * 100,))


@ingot.custom_jvp
def steep(y):
    return np.sum(y * y)


steep.defjvp(lambda primals, tangents: (np.sum(primals[0] ** 2), np.sum(100 * tangents[0])))


@ingot.custom_vjp
def wide(y):
    return y * 2


wide.defvjp(lambda y: (y * 2, None), lambda _, g: (g * 2,))


def test_rules_of_functions_of_such_arrays():
    chosen = X > 0
    assert_same(ingot.grad(lambda x: ruled(x[x > 0]))(X), np.where(chosen, X * 100, 0))
    assert_same(ingot.grad(lambda x: ruled(x[: int(x[2])]))(X), np.r_[X[:2] * 100, np.zeros(4)])
    assert_same(ingot.grad(lambda x: steep(x[x > 0]))(X), np.where(chosen, 100.0, 0))
    assert_same(ingot.jvp(lambda x: steep(x[x > 0]), (X,), (X,))[1], 100 * X[chosen].sum())
    with pytest.raises(ingot.CompileError, match="a function with a rule for its derivative gives"):
        ingot.grad(lambda x: wide(x[x > 0]).sum())(X)


seen = []


def see(*args):
    seen.append(args)


def test_callbacks_get_what_counts():
    def f(x):
        ingot.debug.callback(see, x[x > 0], [x[: int(x[2])]], "text")
        return x

    ingot.jit(f)(X)
    ((chosen, (head,), text),) = seen
    assert_same((chosen, head, text), (X[X > 0], X[:2], "text"))


def test_one_number_is_needed():
    with pytest.raises(ingot.CompileError, match="grad needs one number, not an array"):
        ingot.grad(square)(X)


def test_artifacts(tmp_path):
    artifact = ingot.export(ingot.jacrev(square), ingot.spec("n"), name="rows")
    artifact.save(tmp_path / "m.ingot")
    loaded = ingot.load(tmp_path / "m.ingot")
    assert repr(loaded.entry("rows")) == "EntryPoint(rows(x: float64[n]) -> float64[n0,n], n0 <= n)"
    for x in (X, X[:1], -np.abs(X)):
        assert_same(loaded(x), np.diag(2 * x)[x > 0])
    artifact = ingot.export(pulled, ingot.spec("n"), ingot.spec("m"))
    artifact.save(tmp_path / "m.ingot")
    loaded = ingot.load(tmp_path / "m.ingot")
    seed = np.arange(1.0, 5.0)
    assert_same(loaded(X, seed), pulled(X, seed))
    for wrong in (seed[:3], np.ones(9)):
        with pytest.raises(ValueError, match="another length than its primal"):
            loaded(X, wrong)


def pulled(x, seed):
    return ingot.vjp(square, x)[1](seed)
