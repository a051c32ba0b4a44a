"""`ingot.to_jax`: NumPy source under JAX's transformations."""

import collections
import functools
import re
import warnings

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from scipy import linalg

import ingot
from jax_pairs import PAIRS, check, their_loss
from processes import python

X = np.array([0.5, -1.0, 2.0])


@pytest.fixture(autouse=True)
def in_64_bits():
    with jax.enable_x64(True):
        yield


# What is expected is compiled as well: JAX compiles each primitive of what runs without jit.


def on_device(args):
    return jax.tree.map(jnp.asarray, args)


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: pair.name)
def test_values(pair):
    ours, args = ingot.to_jax(pair.ours), on_device(pair.args)
    expected = jax.jit(pair.theirs)(*args)
    check(ours(*args), expected)
    check(jax.jit(ours)(*args), expected)


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: pair.name)
def test_derivatives(pair):
    args = on_device(pair.args)
    ours, theirs = (
        lambda *args, f=f: their_loss(f(*args)) for f in (ingot.to_jax(pair.ours), pair.theirs)
    )
    forward, expected = (jax.jit(jax.jacfwd(f, pair.argnums))(*args) for f in (ours, theirs))
    check(forward, expected)
    reverse = jax.jit(jax.grad(ours, pair.argnums))(*args)
    check(reverse, expected)
    if pair.has_reverse:
        check(reverse, jax.jit(jax.grad(theirs, pair.argnums))(*args))


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: pair.name)
def test_batches(pair):
    args = on_device(pair.lanes())
    found, expected = (
        jax.jit(jax.vmap(f, pair.axes))(*args) for f in (ingot.to_jax(pair.ours), pair.theirs)
    )
    check(found, expected)


@pytest.mark.parametrize("pair", PAIRS[:12], ids=lambda pair: pair.name)
def test_derivatives_of_batches(pair):
    def derived(f):
        loss = jax.jacfwd(lambda *args: their_loss(f(*args)), pair.argnums)
        return jax.jit(jax.vmap(loss, pair.axes))(*on_device(pair.lanes()))

    check(derived(ingot.to_jax(pair.ours)), derived(pair.theirs))


def springs(x, k):
    e = 0.0
    for i in range(len(x) - 1):
        e += 0.5 * k * (x[i + 1] - x[i]) ** 4
    return e + np.sum(np.tanh(x))


def springs_jax(x, k):
    return jnp.sum(0.5 * k * (x[1:] - x[:-1]) ** 4) + jnp.sum(jnp.tanh(x))


STEPS = 4
TRANSFORMED = {
    "jvp": lambda f, x, k: jax.jvp(f, (x, k), (x * 2, k)),
    "linearize": lambda f, x, k: jax.linearize(f, x, k)[1](x, k),
    "vjp": lambda f, x, k: jax.vjp(f, x, k)[1](k),
    "hessian": lambda f, x, k: jax.hessian(f, (0, 1))(x, k),
    "reverse of reverse": lambda f, x, k: jax.jacrev(jax.jacrev(f))(x, k),
    "forward of forward": lambda f, x, k: jax.jacfwd(jax.jacfwd(f))(x, k),
    "third": lambda f, x, k: jax.jacfwd(jax.jacrev(jax.grad(f)))(x, k),
    "gradient of vmap": lambda f, x, k: jax.grad(
        lambda xs: jnp.sum(jax.vmap(f, (0, None))(xs, k) ** 2)
    )(jnp.stack([x, x**2])),
    "vmap of vmap": lambda f, x, k: jax.vmap(jax.vmap(f, (None, 0)), (0, None))(
        jnp.stack([x, x**2]), jnp.arange(3.0)
    ),
    "along another axis": lambda f, x, k: jax.vmap(f, (1, None), 0)(jnp.stack([x, x**2], 1), k),
    "scan": lambda f, x, k: jax.lax.scan(
        lambda x, _: (x - 0.01 * jax.grad(f)(x, k), f(x, k)), x, None, length=STEPS
    ),
    "gradient of scan": lambda f, x, k: jax.grad(
        lambda x: jax.lax.scan(lambda x, _: (x * f(x, k), None), x, None, length=STEPS)[0].sum()
    )(x),
    "checkpoint": lambda f, x, k: jax.grad(jax.checkpoint(f))(x, k),
    "while": lambda f, x, k: jax.lax.while_loop(lambda x: f(x, k) > 0.1, lambda x: x / 2, x),
    "cond": lambda f, x, k: jax.grad(lambda x: jax.lax.cond(k > 1, f, lambda x, k: 0.0, x, k))(x),
    "custom rule": lambda f, x, k: jax.grad(jax.custom_jvp(f, nondiff_argnums=(1,)).fun)(x, k),
}  # fmt: skip


@pytest.mark.parametrize("name", TRANSFORMED)
def test_transformations(name):
    how = functools.partial(TRANSFORMED[name], x=jnp.linspace(0.0, 1.0, 5), k=jnp.float64(3.0))
    expected = jax.jit(lambda: how(springs_jax))()
    check(how(ingot.to_jax(springs)), expected)
    check(jax.jit(lambda: how(ingot.to_jax(springs)))(), expected)


def test_transformed_functions_of_ingot():
    x = jnp.asarray(X)
    check(jax.jit(ingot.to_jax(ingot.grad(lambda x: np.sum(x**3))))(x), 3 * x**2)
    check(jax.jacfwd(ingot.to_jax(ingot.grad(lambda x: np.sum(x**3))))(x), jnp.diag(6 * x))
    check(jax.jit(ingot.to_jax(ingot.vmap(lambda x: x**3)))(x), x**3)
    check(jax.jit(ingot.to_jax(np.sin))(x), jnp.sin(x))

    @ingot.jit
    def double(x):
        return 2 * x

    check(jax.vmap(ingot.to_jax(double))(x), 2 * x)


def test_export():
    exported = jax.export.export(jax.jit(ingot.to_jax(springs)))(X, 3.0)
    check(exported.call(X, 3.0), springs_jax(X, 3.0))


def test_numbers_and_statics():
    def f(x, n, mode):
        return np.zeros(n, x.dtype) + (x if mode == "as is" else x * 2)

    g = ingot.to_jax(f)
    x = jnp.float32(1.5)
    check(g(x, 2, "as is"), np.full(2, 1.5, np.float32))
    check(g(x, 3, "as is"), np.full(3, 1.5, np.float32))
    check(jax.jit(g, static_argnums=(1, 2))(x, 2, "double"), np.full(2, 3.0, np.float32))
    with pytest.raises(ingot.UnsupportedError, match=r"`n` must be known.*\n.*\n.*\n.*static_argn"):
        jax.jit(lambda n: g(x, n, "as is"))(2)
    # A number of Python's is weakly typed, as in NumPy.
    scaled = ingot.to_jax(lambda x, k: x * k)
    assert scaled(jnp.ones(2, "float32"), 2.0).dtype == np.float32
    assert jax.jit(scaled)(jnp.ones(2, "float32"), 2.0).dtype == np.float32
    assert scaled(jnp.ones(2, "float32"), jnp.float64(2)).dtype == np.float64


def test_static_parameters():
    @functools.partial(ingot.jit, static="n")
    def f(x, n):
        return np.zeros(n) + x

    check(ingot.to_jax(f)(1.0, n=2), np.ones(2))
    check(jax.jit(ingot.to_jax(f), static_argnames="n")(1.0, n=2), np.ones(2))


def test_instances_and_methods():
    class Model:
        def __init__(self):
            self.w = 2.0

        def __call__(self, x):
            return self.w * x

    model = Model()
    call = ingot.to_jax(model)
    check(call(X), 2 * X)
    model.w = 3.0
    check(call(X), 3 * X)
    check(jax.grad(lambda x: call(x).sum())(X), np.full(3, 3.0))


WEIGHTS = np.ones(3)


def test_what_it_reads_is_of_the_call():
    global WEIGHTS
    f = ingot.to_jax(lambda x: WEIGHTS * x)
    gradient = jax.grad(lambda x: f(x).sum())
    check(f(X), X)
    WEIGHTS[1] = 5.0
    check(f(X), X * [1, 5, 1])
    check(gradient(X), np.array([1.0, 5.0, 1.0]))
    WEIGHTS = np.zeros(3)
    check(f(X), 0 * X)
    check(gradient(X), np.zeros(3))
    check(jax.jit(f)(X), 0 * X)


#: What JAX raises for an exception in a callback, by the way that it runs the program.
FAILED = (jax.errors.JaxRuntimeError, ValueError)


def pick(x, i):
    return x[i]


def test_checks_raise():
    x = jnp.arange(4.0)
    f = ingot.to_jax(pick)
    with pytest.raises(IndexError, match="index is out of bounds for axis 0 with size 4"):
        f(x, 7)
    for bad in (jax.jit(f), jax.jit(jax.grad(f)), jax.jit(lambda x, i: f(x, jnp.array([i])[0]))):
        check(bad(x, 2), bad(x, -2))
        with pytest.raises(FAILED, match="IndexError: index is out of bounds"):
            jax.block_until_ready(bad(x, 7))
    lanes = jax.jit(jax.vmap(f, (None, 0)))
    check(lanes(x, jnp.array([0, 3])), jnp.array([0.0, 3.0]))
    with pytest.raises(FAILED, match="IndexError: index is out of bounds"):
        jax.block_until_ready(lanes(x, jnp.array([0, 7])))
    text = jax.jit(ingot.to_jax(ingot.jit(pick, checks=False))).lower(x, 2).as_text()
    assert "callback" not in text


def test_messages_of_exceptions():
    def f(x):
        if np.sum(x) > 5:
            raise ValueError(f"the sum is {np.sum(x)}")
        return x

    x = jnp.ones(3)
    check(jax.jit(ingot.to_jax(f))(x), x)
    with pytest.raises(FAILED, match="ValueError: the sum is 6.0"):
        jax.block_until_ready(jax.jit(ingot.to_jax(f))(x * 2))
    with pytest.raises(ValueError, match="the sum is 6.0"):
        ingot.to_jax(f)(x * 2)


def test_prints(capfd):
    def f(x):
        print("x is", x)
        return x * 2

    for g in (ingot.to_jax(f), jax.jit(ingot.to_jax(f))):
        jax.block_until_ready(g(jnp.ones(2)))
        assert capfd.readouterr().out == "x is [1. 1.]\n"
    jax.block_until_ready(jax.jit(jax.vmap(ingot.to_jax(f)))(jnp.ones((2, 1))))
    assert capfd.readouterr().out == "x is [1.]\nx is [1.]\n"


def in_python(x):
    return np.sin(x)


def test_callbacks_with_results():
    f = ingot.to_jax(lambda x: ingot.callback(in_python, x, x) * 2)
    check(f(X), 2 * np.sin(X))
    check(jax.jit(f)(X), 2 * np.sin(X))
    check(jax.jit(jax.vmap(f))(X), 2 * np.sin(X))
    with pytest.raises(ingot.CompileError, match="`callback` has no derivative"):
        jax.jit(jax.jacfwd(f))(X)

    @ingot.custom_vjp
    def ruled(x):
        return ingot.callback(in_python, x, x)

    ruled.defvjp(lambda x: (ruled(x), x), lambda x, c: (c * np.cos(x),))
    for g in (ruled, lambda x: ruled(x)):
        check(jax.jit(jax.grad(lambda x: ingot.to_jax(g)(x).sum()))(X), np.cos(X))


def test_stores_to_arguments_are_refused():
    def f(a):
        a[0] = 3.0
        return a

    with pytest.raises(
        ingot.UnsupportedError, match="`a` is stored to, and arrays of JAX can't"
    ) as e:
        jax.jit(ingot.to_jax(f))(X)
    assert e.value.lineno == f.__code__.co_firstlineno and "a = a.copy()" in e.value.hint

    def g(params):
        params["w"] = params["w"] * 2
        return params["w"]

    with pytest.raises(ingot.UnsupportedError, match="`g` changes a list, a dict or an object"):
        ingot.to_jax(g)({"w": X})


def test_lengths_of_run_time_are_refused():
    with pytest.raises(ingot.UnsupportedError, match="shapes are static"):
        ingot.to_jax(lambda x: x[x > 0])(X)


def test_dtypes_that_ingot_lacks_are_refused():
    with pytest.raises(ingot.DTypeError, match="`x` can't be computed with: dtype bfloat16"):
        ingot.to_jax(lambda y, x: x * y)(X, jnp.ones(3, jnp.bfloat16))


@pytest.mark.parametrize(
    "option", [{"device": "cpu"}, {"donate": "x"}, {"strict_fp": True}, {"mesh": ingot.mesh(i=1)}]
)
def test_options_of_programs_are_refused(option):
    with pytest.raises(ingot.UnsupportedError, match=next(iter(option))):
        ingot.to_jax(ingot.jit(lambda x: x, **option))


def test_random_keys():
    def f(key):
        return ingot.random.normal(key, (3,))

    key = jax.random.key(7)
    for g in (ingot.to_jax(f), jax.jit(ingot.to_jax(f))):
        check(g(key), jax.random.normal(key, (3,)))
        check(g(jax.random.PRNGKey(7)), jax.random.normal(key, (3,)))


def test_complex_derivatives():
    def f(z):
        return np.abs(z) ** 2 + np.real(z)

    z = jnp.complex128(1 + 2j)
    check(jax.grad(ingot.to_jax(f))(z), jax.grad(lambda z: jnp.abs(z) ** 2 + jnp.real(z))(z))
    pull = [jax.vjp(g, z)[1](1 - 1j)[0] for g in (ingot.to_jax(lambda z: z**3), lambda z: z**3)]
    check(pull[0], np.complex128(pull[1]))


def test_without_64_bits():
    with jax.enable_x64(False):
        f = ingot.to_jax(lambda x: np.sum(x * np.full(3, np.pi), dtype=np.float64) ** 2)
        x = jnp.ones(3)
        with pytest.warns(UserWarning, match="gives float64 as NumPy does.*jax_enable_x64 is off"):
            found = f(x)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            # Computed in 64 bits, then rounded.
            assert found.dtype == np.float32 and found == np.float32((3 * np.pi) ** 2)
            assert jax.jit(f)(x) == found
            assert jax.jit(jax.grad(f))(x).dtype == np.float32
            assert jax.hessian(f)(x).dtype == np.float32
            check(ingot.to_jax(lambda x: x * 2.0)(x), np.full(3, 2.0, np.float32))


def compiled_text(f, *args):
    return jax.jit(f).lower(*args).compile().as_text()


def calls_of_lapack(f, *args):
    found = re.findall(r'custom_call_target="lapack_d(\w+)_ffi"', compiled_text(f, *args))
    return dict(collections.Counter(found))


def test_systems_are_solved_by_lapack_with_the_factors_of_the_matrix():
    def total(a, b):
        return np.sum(np.linalg.solve(a, b))

    a, b = np.eye(20) + 0.1, np.arange(20.0)
    ours = ingot.to_jax(ingot.jit(total, checks=False))
    assert calls_of_lapack(ours, a, b) == {"getrf": 1, "trsm": 2}
    assert calls_of_lapack(jax.grad(ours), a, b) == {"getrf": 1, "trsm": 4}
    assert compiled_text(ours, a, b).count(" while(") == 1


def triangular(a, b):
    return linalg.solve_triangular(a, b)


def test_triangular_systems_stay_portable_where_other_platforms_are_asked_for():
    f = jax.jit(ingot.to_jax(ingot.jit(triangular, checks=False)))
    args = np.eye(4) + 0.1, np.ones(4)
    for platforms, is_portable in ((["cpu"], False), (["cpu", "cuda"], True)):
        text = jax.export.export(f, platforms=platforms)(*args).mlir_module()
        assert ("stablehlo.triangular_solve" in text) == is_portable
        assert ("@lapack_dtrsm_ffi" in text) != is_portable


ON_TWO_DEVICES = """
import jax, jax.numpy as jnp, numpy as np, ingot
from jax.sharding import NamedSharding, PartitionSpec as P

def total(x):
    return np.sum(x * np.float32(2))

mesh = jax.make_mesh((2,), ("i",), axis_types=(jax.sharding.AxisType.Auto,))
x = jax.device_put(jnp.arange(4, dtype="float32"), NamedSharding(mesh, P("i")))
f = ingot.to_jax(total)
print(float(f(x)), float(jax.jit(f)(x)), jax.grad(f)(x).tolist())
"""


def test_arrays_on_several_devices(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(ON_TWO_DEVICES)
    made = python(script, XLA_FLAGS="--xla_force_host_platform_device_count=2")
    assert made.stdout == "12.0 12.0 [2.0, 2.0, 2.0, 2.0]\n", made.stderr
