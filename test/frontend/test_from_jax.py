"""`ingot.from_jax`: functions of JAX in compiled NumPy code."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import ingot
from ingot.fingerprints import Unstorable, fingerprint
from jax_pairs import PAIRS, check, our_loss

X = np.array([0.5, -1.0, 2.0])


def as_ours(f):
    """A caller in NumPy source, so that the function runs inside compiled code."""
    return lambda *args: f(*args)


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: pair.name)
def test_values(pair):
    theirs, expected = ingot.from_jax(pair.theirs), ingot.jit(pair.ours)(*pair.args)
    check(theirs(*pair.args), expected)
    check(ingot.jit(as_ours(theirs))(*pair.args), expected)


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: pair.name)
def test_derivatives(pair):
    theirs = ingot.from_jax(pair.theirs)

    def loss(*args):
        return our_loss(theirs(*args))

    def expected_loss(*args):
        return our_loss(pair.ours(*args))

    expected = ingot.jacfwd(expected_loss, pair.argnums)(*pair.args)
    check(ingot.jacfwd(loss, pair.argnums)(*pair.args), expected)
    if pair.has_reverse:
        check(ingot.grad(loss, pair.argnums)(*pair.args), expected)


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: pair.name)
def test_batches(pair):
    theirs = ingot.from_jax(pair.theirs)
    expected = ingot.vmap(pair.ours, pair.axes)(*pair.lanes())
    check(ingot.vmap(as_ours(theirs), pair.axes)(*pair.lanes()), expected)


@pytest.mark.parametrize("pair", PAIRS[:12], ids=lambda pair: pair.name)
def test_derivatives_of_batches(pair):
    theirs = ingot.from_jax(pair.theirs)

    def derived(f):
        return ingot.vmap(ingot.jacfwd(lambda *args: our_loss(f(*args)), pair.argnums), pair.axes)

    check(derived(as_ours(theirs))(*pair.lanes()), derived(pair.ours)(*pair.lanes()))


def energy(x):
    return np.sum(np.tanh(x[1:] * x[:-1]) ** 2)


@ingot.from_jax
def energy_jax(x):
    return jnp.sum(jnp.tanh(x[1:] * x[:-1]) ** 2)


def by_loop(f):
    def loss(x):
        total = 0.0
        for i in range(20):
            x = x * (1 + 0.01 * i * f(x))
            total += f(x)
        return total

    return loss


ORDERS = {
    "hessian": ingot.hessian,
    "forward of forward": lambda f: ingot.jacfwd(ingot.jacfwd(f)),
    "reverse of forward": lambda f: ingot.jacrev(ingot.jacfwd(f)),
    "reverse of reverse": lambda f: ingot.jacrev(ingot.jacrev(f)),
    "third": lambda f: ingot.jacfwd(ingot.jacrev(ingot.grad(f))),
    "in a loop": lambda f: ingot.grad(by_loop(f)),
    "hessian of a loop": lambda f: ingot.hessian(by_loop(f)),
    "checkpoint": lambda f: ingot.grad(ingot.checkpoint(lambda x: f(x) * f(2 * x))),
    "vmap of vmap": lambda f: ingot.vmap(
        ingot.vmap(lambda a, x: f(a * x), (0, None)), (None, 0)
    ),
    "grad of vmap": lambda f: ingot.grad(lambda x: np.sum(ingot.vmap(f)(np.stack([x, x**2])) ** 2)),
}  # fmt: skip


@pytest.mark.parametrize("name", ORDERS)
def test_to_any_order(name):
    how = ORDERS[name]
    given = (np.arange(1.0, 4.0), np.stack([X, X**2])) if name == "vmap of vmap" else (X,)
    check(how(lambda *x: energy_jax(*x))(*given), how(energy)(*given))


def test_only_what_is_needed_is_traced():
    traced = []

    def g(x):
        traced.append(x.dtype)
        return jnp.sin(x)

    sin = ingot.from_jax(g)
    check(ingot.jit(lambda x: sin(x))(X), np.sin(X))
    # For the types of its results, and for the program.
    assert len(traced) <= 2
    assert (
        ingot.jit(lambda x: sin(x) + sin(2 * x)).lower(X).stablehlo().count("stablehlo.sine") == 1
    )


def test_trees_and_statics():
    @ingot.from_jax
    def g(params, mode, scale=1.0):
        assert mode in ("sum", "none")
        w, *rest = params["w"]
        return {"out": [w * scale, None], "rest": (*rest, mode)}

    def f(w, b):
        return g({"w": [w, b]}, "sum", scale=2.0)

    check_ = ingot.jit(f)(X, 1.5)
    assert check_["rest"][1] == "sum" and check_["out"][1] is None
    np.testing.assert_array_equal(check_["out"][0], 2 * X)
    assert check_["rest"][0] == 1.5


def test_integers():
    @ingot.from_jax
    def g(x, n):
        return x**n, n + 1

    (y, m), (dy, dm) = ingot.jvp(lambda x, n: g(x, n), (X, 3), (X, 0))
    check(y, X**3)
    check(dy, 3 * X**3)
    assert m == 4 and dm == 0
    check(ingot.grad(lambda x, n: np.sum(g(x, n)[0]))(X, 3), 3 * X**2)


def test_dtypes():
    # In 64 bits, whatever the configuration says; Python's numbers are weakly typed.
    with jax.enable_x64(False):
        g = ingot.from_jax(lambda x, k: (jnp.zeros(2), x * k))
        zeros, made = ingot.jit(lambda x, k: g(x, k))(X.astype("float32"), 2.0)
        assert zeros.dtype == np.float64 and made.dtype == np.float32
        assert g(np.float32(2), np.float64(1))[1].dtype == np.float64


def test_a_rule_of_jax():
    @jax.custom_vjp
    def clipped(x):
        return x

    clipped.defvjp(lambda x: (x, None), lambda _, c: (jnp.clip(c, -1, 1),))
    f = ingot.from_jax(clipped)
    assert ingot.grad(lambda x: 5.0 * f(x))(2.0) == 1.0
    with pytest.raises(
        ingot.CompileError, match="JAX can't trace a function of from_jax: .*forward-mode"
    ):
        ingot.jvp(lambda x: f(x), (2.0,), (1.0,))


def test_errors_of_jax():
    def fails(x):
        raise ValueError("no such thing")

    f = ingot.from_jax(fails)
    with pytest.raises(ingot.CompileError, match="JAX can't trace fails: no such thing") as e:
        ingot.jit(lambda x: 2 * f(x))(X)
    assert e.value.filename == __file__
    g = ingot.from_jax(lambda x: x if x > 0 else -x)
    with pytest.raises(ingot.CompileError, match="JAX can't trace"):
        g(1.0)
    with pytest.raises(ingot.UnsupportedError, match="shapes are static"):
        ingot.jit(lambda x: energy_jax(x[x > 0]))(X)


def twice_energy(x):
    return energy_jax(x) * 2


def test_it_is_exported_and_not_kept_on_disk(tmp_path):
    with pytest.raises(Unstorable):
        fingerprint(energy_jax)
    artifact = ingot.export(twice_energy, X)
    artifact.save(tmp_path / "energy.ingot")
    loaded = ingot.load(tmp_path / "energy.ingot")
    check(loaded(X), energy(X) * 2)


def test_both_ways():
    f = ingot.to_jax(lambda x: energy_jax(x) + np.sum(x**2))
    with jax.enable_x64(True):
        check(jax.jit(jax.grad(f))(X), ingot.grad(lambda x: energy(x) + np.sum(x**2))(X))
    back = ingot.from_jax(ingot.to_jax(energy))
    check(ingot.hessian(lambda x: back(x))(X), ingot.hessian(energy)(X))


@ingot.from_jax
def python_sin(x):
    return jax.pure_callback(lambda x: np.sin(x), x, x)


def calls_python(x):
    return python_sin(x) * 2


def test_it_is_transformed_as_it_is():
    check(ingot.grad(energy_jax)(X), ingot.grad(energy)(X))
    check(ingot.jit(energy_jax)(X), energy(X))
    with pytest.raises(ingot.CompileError, match="positional argument 3"):
        ingot.grad(energy_jax, argnums=3)(X)


def test_callbacks_of_jax():
    def in_python(x):
        assert x.dtype == np.float64
        return np.sin(x)

    @jax.custom_jvp
    def g(x):
        return jax.pure_callback(in_python, x, x, vmap_method="sequential")

    g.defjvp(lambda primals, tangents: (g(*primals), jnp.cos(primals[0]) * tangents[0]))
    f = ingot.from_jax(lambda x: 2 * g(x))
    check(f(X), 2 * np.sin(X))
    check(ingot.grad(lambda x: np.sum(f(x) ** 2))(X), 8 * np.sin(X) * np.cos(X))
    check(ingot.vmap(f)(X), 2 * np.sin(X))
    with pytest.raises(ingot.UnsupportedError, match="calls functions of this process"):
        ingot.export(calls_python, X)

    def fails(x):
        raise KeyError("nothing there")

    bad = ingot.from_jax(lambda x: jax.pure_callback(fails, x, x))
    with pytest.raises(KeyError, match="nothing there"):
        bad(X)


def test_arguments_that_a_derivative_does_not_read_are_not_copied():
    total = ingot.from_jax(lambda x, y: jnp.sum(x + y))
    x = np.arange(100_000.0)
    gradient = ingot.grad(lambda x, y: total(x, y))
    compiled = ingot.jit(gradient).lower(x, x + 1).compile()
    assert compiled.executable._unread == {0, 1}
    np.testing.assert_array_equal(gradient(x[::-1], x + 1), np.ones(100_000))
