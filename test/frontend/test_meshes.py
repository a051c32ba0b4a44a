"""Programs for a mesh of four devices in one process: their values are NumPy's."""

import copy
import os
import pickle
import subprocess
import sys
import textwrap

import numpy as np
import pytest

import ingot
from ingot import P

pytestmark = pytest.mark.once

RNG = np.random.default_rng(0)


@pytest.fixture(scope="module")
def mesh():
    return ingot.mesh(i=4)


@pytest.fixture(scope="module")
def grid():
    return ingot.mesh(data=2, model=2)


def same(got, expected):
    np.testing.assert_allclose(np.asarray(got), expected, rtol=1e-12, atol=1e-12)


def collectives(f, *args):
    return f.lower(*args).compile().collectives()


# Meshes, partition specs and sharded arrays.


def test_too_few_devices():
    with pytest.raises(ValueError, match="needs 64 devices.*INGOT_CPU_DEVICES=64"):
        ingot.mesh(data=8, model=8)


@pytest.mark.parametrize("axes", [{}, {"i": 0}, {"i": -1}, {"i": True}, {"i": 2.0}])
def test_a_mesh_has_axes_of_positive_size(axes):
    with pytest.raises(ValueError, match="axis"):
        ingot.mesh(**axes)


def test_partition_specs():
    assert repr(P("data", None, ("a", "b"))) == "P('data', None, ('a', 'b'))"
    assert P("data") == P(("data",), None) and hash(P()) == hash(P(None))
    with pytest.raises(ValueError, match="twice"):
        P("a", ("b", "a"))
    with pytest.raises(TypeError, match="3"):
        P(3)


SPECS = [P(), P("data"), P("model", "data"), P(("data", "model")), P(None, ("model", "data"))]


@pytest.mark.parametrize("spec", SPECS, ids=str)
@pytest.mark.parametrize("dtype", [float, np.float32, bool, np.uint8, complex, ">i4"])
def test_a_sharded_array_has_the_values(grid, spec, dtype):
    x = (RNG.standard_normal((8, 4)) * 10).astype(dtype)
    made = ingot.shard(x, spec, mesh=grid)
    assert made.shape == x.shape and made.dtype == x.dtype.newbyteorder("=")
    assert np.array_equal(np.asarray(made), x)
    assert made.sharding.spec == spec and made.sharding.mesh == grid
    for shard in made.shards:
        assert np.array_equal(shard.data, x[shard.index])
    sizes = {shard.data.size for shard in made.shards}
    assert len(made.shards) == 4 and len(sizes) == 1


def test_parts_that_do_not_divide_evenly(mesh):
    x = np.arange(10.0)
    made = ingot.shard(x, P("i"), mesh=mesh)
    assert np.array_equal(made, x)
    assert [len(shard.data) for shard in made.shards] == [5, 5, 5, 5]
    assert "2 parts of [5]" in repr(made)
    f = ingot.jit(lambda x: x * 2, mesh=mesh, in_shardings=P("i"), out_shardings=P("i"))
    same(f(x), x * 2)
    same(f(made), x * 2)
    same(f(np.arange(7.0)), np.arange(7.0) * 2)
    same(f(f(made)), x * 4)


def test_an_empty_array(mesh):
    made = ingot.shard(np.zeros((0, 4)), P(None, "i"), mesh=mesh)
    assert np.asarray(made).shape == (0, 4)


def test_a_sharded_array_does_not_change(mesh):
    x = np.arange(8.0)
    made = ingot.shard(x, P("i"), mesh=mesh)
    x[:] = 0
    assert np.array_equal(made, np.arange(8.0))
    with pytest.raises(ValueError, match="read-only"):
        made.shards[0].data[0] = 1.0
    np.asarray(made)[0] = 5.0
    assert np.array_equal(made, np.arange(8.0))


def test_numpy_takes_sharded_arrays(mesh):
    made = ingot.shard(np.arange(8.0), P("i"), mesh=mesh)
    assert np.sum(made) == 28.0 and len(made) == 8 and str(made) == str(np.arange(8.0))


def test_what_shard_refuses(mesh):
    with pytest.raises(ValueError, match="'j'|the axis j"):
        ingot.shard(np.ones(4), P("j"), mesh=mesh)
    with pytest.raises(ValueError, match="2 entries for an array of 1 axes"):
        ingot.shard(np.ones(4), P(None, "i"), mesh=mesh)
    with pytest.raises(TypeError, match=r"takes ingot.P"):
        ingot.shard(np.ones(4), "i", mesh=mesh)


def test_without_a_mesh_it_is_a_copy():
    x = np.arange(4.0)
    made = ingot.shard(x, P("i"))
    made[0] = 7.0
    assert x[0] == 0.0
    assert ingot.jit(lambda x: ingot.shard(x, P("nothing")) + 1)(x).tolist() == [1, 2, 3, 4]


# Programs.


def loss(w, x, y):
    return np.mean((np.tanh(x @ w) - y) ** 2)


def step(w, x, y):
    value, gradient = ingot.value_and_grad(loss)(w, x, y)
    return value, w - 0.1 * gradient


def batch():
    return RNG.standard_normal((16, 8)), RNG.standard_normal((64, 16)), RNG.standard_normal((64, 8))


def test_a_data_parallel_step_has_one_all_reduce(mesh):
    w, x, y = batch()
    f = ingot.jit(step, mesh=mesh, in_shardings=(P(), P("i"), P("i")))
    value, made = f(w, x, y)
    expected_value, expected = ingot.jit(step)(w, x, y)
    assert type(value) is np.float64 and type(made) is np.ndarray
    same(value, expected_value)
    same(made, expected)
    assert collectives(f, w, x, y) == {"all-reduce": 1}


def test_results_of_sharded_arguments_stay_on_the_devices(mesh):
    w, x, y = batch()
    f = ingot.jit(step, mesh=mesh)
    sharded = [ingot.shard(each, P("i"), mesh=mesh) for each in (x, y)]
    copied = ingot.shard(w, P(), mesh=mesh)
    expected = w
    for _ in range(3):
        value, copied = f(copied, *sharded)
        expected_value, expected = ingot.jit(step)(expected, x, y)
        assert type(value) is np.float64 and isinstance(copied, ingot.ShardedArray)
        same(value, expected_value)
        same(copied, expected)
    assert copied.sharding.spec == P()


def test_a_function_without_a_mesh_follows_its_arguments(mesh):
    w, x, y = batch()
    sharded = ingot.shard(x, P("i"), mesh=mesh)
    gradient = ingot.grad(loss)(w, sharded, y)
    assert isinstance(gradient, ingot.ShardedArray)
    same(gradient, ingot.grad(loss)(w, x, y))


def test_data_and_model(grid):
    w, x, y = batch()
    f = ingot.jit(
        step, mesh=grid, in_shardings=(P(None, "model"), P("data"), P("data", "model")),
        out_shardings=(P(), P(None, "model")),
    )  # fmt: skip
    value, made = f(w, x, y)
    expected_value, expected = ingot.jit(step)(w, x, y)
    same(value, expected_value)
    same(made, expected)
    assert made.sharding.spec == P(None, "model")
    assert {shard.data.shape for shard in made.shards} == {(16, 4)}


def heat(u):
    for _ in range(20):
        u = u + 0.1 * (np.roll(u, 1) - 2 * u + np.roll(u, -1))
    return u


def test_a_stencil_has_two_collective_permutes(mesh):
    u = RNG.standard_normal(64)
    f = ingot.jit(heat, mesh=mesh, in_shardings=P("i"), out_shardings=P("i"))
    same(f(u), heat(u))
    assert collectives(f, u) == {"collective-permute": 2}


def test_a_constraint_inside(grid):
    def f(x, w):
        h = ingot.shard(np.tanh(x @ w), P("data", "model"))
        return np.sum(h * h, axis=0)

    x, w = RNG.standard_normal((8, 6)), RNG.standard_normal((6, 4))
    g = ingot.jit(f, mesh=grid)
    assert "sdy.sharding_constraint" in g.lower(x, w).stablehlo()
    same(g(x, w), f(x, w))
    gradient = ingot.jit(ingot.grad(lambda x, w: np.sum(f(x, w))), mesh=grid)
    same(gradient(x, w), ingot.grad(lambda x, w: np.sum(f(x, w)))(x, w))
    assert gradient.lower(x, w).stablehlo().count("sdy.sharding_constraint") == 2
    batched = ingot.jit(ingot.vmap(f, in_axes=(0, None)), mesh=grid)
    xs = RNG.standard_normal((3, 8, 6))
    same(batched(xs, w), np.stack([f(each, w) for each in xs]))
    assert '[{?}, {"data"}, {"model"}]' in batched.lower(xs, w).stablehlo()


def test_what_a_constraint_refuses(grid):
    x = np.ones((4, 4))

    def compiled(f):
        return lambda: ingot.jit(f, mesh=grid)(x)

    with pytest.raises(ingot.ShapeError, match=r"test_meshes.py:\d+:.*3 entries"):
        compiled(lambda x: ingot.shard(x, P(None, None, "data")))()
    with pytest.raises(ingot.CompileError, match="names the axis rows"):
        compiled(lambda x: ingot.shard(x, P("rows")))()
    with pytest.raises(ingot.CompileError, match="takes arrays"):
        compiled(lambda x: ingot.shard(3.0, P("data")))()
    other = ingot.mesh(data=4)
    with pytest.raises(ingot.CompileError, match="compile it for the mesh"):
        compiled(lambda x: ingot.shard(x, P("data"), mesh=other))()


def test_stores_to_arguments(mesh):
    def f(a, b):
        a[2:5] += b[:3]
        return a.sum()

    a, b = np.arange(8.0), np.ones(8)
    g = ingot.jit(f, mesh=mesh, in_shardings=P("i"))
    expected = a.copy()
    assert g(a, b) == f(expected, b)
    assert np.array_equal(a, expected)
    with pytest.raises(ingot.UnsupportedError, match="sharded array, which can't change"):
        g(ingot.shard(a, P("i"), mesh=mesh), b)


def test_checks(mesh):
    def f(x, i):
        assert x[0] < 100, "too large"
        return x[i] * 2

    g = ingot.jit(f, mesh=mesh, in_shardings=(P("i"), None))
    x = np.arange(8.0)
    assert g(x, 3) == 6.0
    with pytest.raises(IndexError) as caught:
        g(x, 99)
    assert "test_meshes.py:" in caught.value.__notes__[-1]
    with pytest.raises(AssertionError, match="too large"):
        g(x + 100, 99)
    assert g(ingot.shard(x, P("i"), mesh=mesh), 3) == 6.0


def test_prints(mesh, capfd):
    def f(x):
        print("sum", x.sum())
        return x + 1

    g = ingot.jit(f, mesh=mesh, in_shardings=P("i"))
    same(g(np.arange(8.0)), np.arange(8.0) + 1)
    assert capfd.readouterr().out == "sum 28.0\n"


def doubled(x):
    CALLS.append(x.shape)
    return x * 2, np.sum(x)


CALLS: list[tuple[int, ...]] = []


def test_callbacks_with_results(mesh):
    def f(x):
        y, total = ingot.callback(doubled, (x, 0.0), x)
        return y + 1, total

    x = np.arange(8.0)
    made, total = ingot.jit(f, mesh=mesh, in_shardings=P("i"), out_shardings=(P("i"), None))(x)
    same(made, x * 2 + 1)
    assert total == 28.0 and CALLS == [(8,)]


def test_captured_arrays(mesh):
    table = np.arange(8.0)
    g = ingot.jit(lambda x: x + table, mesh=mesh, in_shardings=P("i"))
    same(g(np.ones(8)), table + 1)


@pytest.mark.parametrize("native", [False, True])
@pytest.mark.parametrize("device", ["cpu:0", "cpu:2"])
def test_one_of_several_devices(device, native):
    f = ingot.jit(lambda x: np.sort(np.linalg.inv(x) @ x + x, axis=0), device=device, native=native)
    for n in (4, 4, 4, 300):
        x = RNG.standard_normal((n, n)) + n * np.eye(n)
        same(f(x), np.sort(np.eye(n) + x, axis=0))


def test_copies_and_pickles(mesh):
    made = ingot.shard(np.arange(8.0), P("i"), mesh=mesh)
    assert copy.deepcopy(made) is made
    again = pickle.loads(pickle.dumps(made))
    assert np.array_equal(again, made) and again.sharding == made.sharding
    result, pullback = ingot.vjp(lambda x: x**2, made)
    same(result, np.arange(8.0) ** 2)
    same(pullback(np.ones(8))[0], 2 * np.arange(8.0))


@pytest.mark.parametrize(
    "options, said",
    [
        ({"strict_fp": True}, "strict_fp does not go with a mesh: XLA chooses in which order"),
        ({"donate": 0}, "donate does not go with a mesh: sharded arrays never change"),
        ({"device": "cpu:0"}, "device does not go with a mesh: the mesh says which devices"),
    ],
)
def test_options_that_do_not_go_with_a_mesh(mesh, options, said):
    with pytest.raises(TypeError, match=said):
        ingot.jit(heat, mesh=mesh, **options)


def test_strict_programs_run_on_one_device(mesh):
    with pytest.raises(ingot.UnsupportedError, match="on ingot.mesh"):
        ingot.jit(heat, strict_fp=True)(ingot.shard(np.ones(8), P("i"), mesh=mesh))


def test_other_devices_after_an_interrupt():
    """In a process of its own: the devices of the others are those of the first client."""
    code = """
        import numpy as np, ingot
        from ingot import P
        from ingot_runtime import clients
        mesh = ingot.mesh(i=4)
        f = ingot.jit(lambda x: (x / x.sum(), x), mesh=mesh, out_shardings=P("i"))
        x = ingot.shard(np.arange(8.0), P("i"), mesh=mesh)
        expected = [np.asarray(each) for each in f(x)]
        clients.leave_clients()
        for _ in range(2):
            for got, wanted in zip(f(x), expected, strict=True):
                assert np.array_equal(got, wanted)
    """
    environment = {**os.environ, "INGOT_CPU_DEVICES": "4"}
    subprocess.run([sys.executable, "-c", textwrap.dedent(code)], check=True, env=environment)


@pytest.mark.parametrize("count", ["0", "many", "257", "-1"])
def test_a_wrong_number_of_devices(count):
    done = subprocess.run(
        [sys.executable, "-c", "import ingot; ingot.devices()"], capture_output=True, text=True,
        env={**os.environ, "INGOT_CPU_DEVICES": count},
    )  # fmt: skip
    assert f"INGOT_CPU_DEVICES={count} is not a number of devices from 1 to 256" in done.stderr


def test_no_jax_until_parts_are_collected():
    """Importing Ingot imports neither jax nor jaxlib, and arrays on a mesh no jax."""
    code = (
        "import sys, ingot\n"
        "spec = ingot.P('data'), ingot.mesh, ingot.shard, ingot.psum\n"
        "assert not {'jax', 'jaxlib'} & set(sys.modules), sorted(sys.modules)\n"
        "mesh = ingot.mesh(i=1)\n"
        "x = ingot.shard([1.0, 2.0], ingot.P('i'), mesh=mesh)\n"
        "y = ingot.jit(lambda x: x + 1, mesh=mesh)(x)\n"
        "assert 'jax' not in sys.modules and repr(y)\n"
        "assert y.collect().tolist() == [2.0, 3.0]\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_trees(mesh):
    def f(state, lr):
        return {"w": state["w"] * lr, "b": [state["b"][0] + 1, lr]}

    state = {"w": np.ones((8, 2)), "b": [np.zeros(4)]}
    g = ingot.jit(
        f, mesh=mesh, in_shardings=({"w": P("i"), "b": None}, None),
        out_shardings={"w": P("i"), "b": None},
    )  # fmt: skip
    made = g(state, 0.5)
    assert isinstance(made["w"], ingot.ShardedArray) and type(made["b"][0]) is np.ndarray
    same(made["w"], np.full((8, 2), 0.5))
    assert made["b"][1] == 0.5


def test_a_mesh_of_one_device():
    one = ingot.mesh(i=1)
    f = ingot.jit(heat, mesh=one, in_shardings=P("i"), out_shardings=P("i"))
    u = RNG.standard_normal(8)
    same(f(u), heat(u))
    assert collectives(f, u) == {}


def test_what_jit_refuses(mesh):
    with pytest.raises(TypeError, match="need a mesh"):
        ingot.jit(heat, in_shardings=P("i"))
    with pytest.raises(TypeError, match="ingot.mesh makes"):
        ingot.jit(heat, mesh={"i": 4})
    with pytest.raises(TypeError, match=r"ingot.P\(...\) or None"):
        ingot.jit(heat, mesh=mesh, in_shardings="i")
    with pytest.raises(ValueError, match="names the axis j"):
        ingot.jit(heat, mesh=mesh, out_shardings=P("j"))
    with pytest.raises(TypeError, match="device does not go with a mesh"):
        ingot.jit(heat, mesh=mesh, device="cpu")
    with pytest.raises(ingot.ShapeError, match="2 entries for 1 positional"):
        ingot.jit(heat, mesh=mesh, in_shardings=(P("i"), P()))(np.ones(8))
    with pytest.raises(ingot.ShapeError, match="`u` has 1 axes"):
        ingot.jit(heat, mesh=mesh, in_shardings=P(None, "i"))(np.ones(8))
    with pytest.raises(ingot.ShapeError, match="the result has 0 axes"):
        ingot.jit(lambda x: x.sum(), mesh=mesh, out_shardings=P("i"))(np.ones(8))
    with pytest.raises(ingot.ShapeError, match="not structured"):
        ingot.jit(heat, mesh=mesh, out_shardings=(P("i"), P()))(np.ones(8))


def test_memory_order_of_results(mesh):
    x = np.arange(32.0).reshape(8, 4)
    made = ingot.jit(lambda x: x.T, mesh=mesh, in_shardings=P("i"))(x)
    assert np.array_equal(made, x.T) and made.flags.f_contiguous
    made = ingot.jit(lambda x: x.T, mesh=mesh, out_shardings=P(None, "i"))(x)
    assert np.array_equal(made, x.T) and made.sharding.spec == P(None, "i")


def test_lengths_known_at_run_time(mesh):
    x = RNG.standard_normal(16)
    same(ingot.jit(lambda x: x[x > 0], mesh=mesh, in_shardings=P("i"))(x), x[x > 0])
