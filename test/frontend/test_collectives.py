"""Collectives: what lanes exchange, against NumPy's operations on the whole batch."""

import numpy as np
import pytest

import ingot
from ingot import P

RNG = np.random.default_rng(1)


@pytest.fixture(scope="module")
def mesh():
    return ingot.mesh(i=4)


def same(got, expected):
    """Equal up to the order of sums, which differs between devices."""
    tolerance = 1e-6 if np.asarray(expected).dtype == np.float32 else 1e-12
    np.testing.assert_allclose(np.asarray(got), expected, rtol=tolerance, atol=tolerance)
    assert np.asarray(got).dtype == np.asarray(expected).dtype


def on_devices(f, mesh, **options):
    """The same function with its lanes on one device, and on four."""
    return [
        ingot.vmap(f, axis_name="i", **options), ingot.pmap(f, "i", mesh=mesh, **options),
    ]  # fmt: skip


def ring(n, by=1):
    return [(i, (i + by) % n) for i in range(n)]


CASES = {
    "psum": (lambda x: ingot.psum(x, "i"), lambda b: np.broadcast_to(b.sum(0), b.shape)),
    "pmean": (lambda x: ingot.pmean(x, "i"), lambda b: np.broadcast_to(b.mean(0), b.shape)),
    "pmax": (lambda x: ingot.pmax(x, "i"), lambda b: np.broadcast_to(b.max(0), b.shape)),
    "pmin": (lambda x: ingot.pmin(x, "i"), lambda b: np.broadcast_to(b.min(0), b.shape)),
    "all_gather": (lambda x: ingot.all_gather(x, "i"), lambda b: np.stack([b] * len(b))),
    "ring": (lambda x: ingot.ppermute(x, "i", ring(8)), lambda b: np.roll(b, 1, axis=0)),
    "back": (lambda x: ingot.ppermute(x, "i", ring(8, -3)), lambda b: np.roll(b, -3, axis=0)),
    "shift": (
        lambda x: ingot.ppermute(x, "i", [(0, 1), (1, 2), (7, 5)]),
        lambda b: np.stack([b[0] * 0, b[0], b[1], *[b[0] * 0] * 2, b[7], *[b[0] * 0] * 2]),
    ),
    "axis_index": (
        lambda x: x * ingot.axis_index("i"),
        lambda b: np.stack([x * np.int64(i) for i, x in enumerate(b)]),
    ),
}  # fmt: skip


@pytest.mark.parametrize("dtype", [float, np.float32, np.int32, np.int64, np.uint8])
@pytest.mark.parametrize("shape", [(8,), (8, 3)])
@pytest.mark.parametrize("name", CASES)
def test_values(name, shape, dtype, mesh):
    f, oracle = CASES[name]
    batch = (RNG.standard_normal(shape) * 10).astype(dtype)
    for mapped in on_devices(f, mesh):
        same(mapped(batch), oracle(batch))


def test_psum_of_bools_counts(mesh):
    batch = RNG.standard_normal(8) > 0
    for mapped in on_devices(lambda x: ingot.psum(x, "i"), mesh):
        same(mapped(batch), np.full(8, batch.sum()))


def test_static_numbers_and_what_lanes_share(mesh):
    def f(x, y):
        return x / ingot.psum(1, "i") + ingot.psum(y, "i")

    batch = np.arange(8.0)
    for mapped in on_devices(f, mesh, in_axes=(0, None)):
        same(mapped(batch, 2.0), batch / 8 + 16.0)


def test_trees_and_results_that_lanes_share(mesh):
    def f(tree):
        total = ingot.psum(tree, "i")
        return {"a": tree["a"] / total["a"]}, total["b"][0]

    tree = {"a": np.arange(1.0, 9.0), "b": [np.ones((8, 2))]}
    for mapped in on_devices(f, mesh, out_axes=(0, None)):
        first, second = mapped(tree)
        same(first["a"], tree["a"] / tree["a"].sum())
        same(second, np.full(2, 8.0))


def test_two_axes():
    def f(x):
        return (
            x / ingot.psum(x, ("i", "j")),
            ingot.psum(x, "j") * ingot.axis_index("i"),
            ingot.all_gather(ingot.psum(x, "i"), "j"),
            ingot.ppermute(x, "i", ring(3)),
        )

    b = RNG.standard_normal((3, 4, 2))
    oracle = (
        b / b.sum((0, 1)),
        np.broadcast_to(b.sum(1, keepdims=True) * np.arange(3)[:, None, None], b.shape),
        np.broadcast_to(b.sum(0), (3, 4, 4, 2)),
        np.roll(b, 1, axis=0),
    )
    mapped = ingot.vmap(ingot.vmap(f, axis_name="j"), axis_name="i")
    grid = ingot.jit(mapped, mesh=ingot.mesh(i=2, j=2), in_shardings=P("i", "j"))
    for g in (mapped, grid):
        for got, expected in zip(g(b), oracle, strict=True):
            same(got, expected)


def ce(x):
    """Softmax over the batch: exp, pmax and psum."""
    e = np.exp(x - ingot.pmax(x, "i"))
    return -np.log(e / ingot.psum(e, "i"))


def whole_ce(b):
    e = np.exp(b - b.max(0))
    return -np.log(e / e.sum(0))


DERIVATIVES = {
    "psum": (lambda x: np.sin(ingot.psum(x**2, "i")), lambda b: np.sin(np.full(8, 1.0)[:, None] * (b**2).sum(0))),
    "softmax": (ce, whole_ce),
    "ring": (lambda x: x * ingot.ppermute(x, "i", ring(8)), lambda b: b * np.roll(b, 1, axis=0)),
    "gather": (
        lambda x: np.sin(ingot.all_gather(x, "i") * x).sum(0),
        lambda b: np.sin(b[None] * b[:, None]).sum(1),
    ),
    "mean": (lambda x: (x - ingot.pmean(x, "i")) ** 2, lambda b: (b - b.mean(0)) ** 2),
}  # fmt: skip


@pytest.mark.parametrize("name", DERIVATIVES)
def test_derivatives(name, mesh):
    """Around the batch, and in a lane, where they are those of the sum of all lanes' results."""
    f, oracle = DERIVATIVES[name]
    b = RNG.standard_normal((8, 2))
    expected = ingot.grad(lambda b: np.sum(oracle(b)))(b)
    for mapped in on_devices(f, mesh):
        same(ingot.grad(lambda b, mapped=mapped: np.sum(mapped(b)))(b), expected)
    for inside in on_devices(ingot.grad(lambda x: np.sum(f(x))), mesh):
        same(inside(b), expected)
    tangent = RNG.standard_normal(b.shape)
    wanted = ingot.jvp(oracle, (b,), (tangent,))[1]
    for mapped in on_devices(f, mesh):
        same(ingot.jvp(mapped, (b,), (tangent,))[1], wanted)


def test_in_a_batch_of_batches(mesh):
    b = RNG.standard_normal((3, 8, 2))
    expected = np.stack([whole_ce(each) for each in b])
    same(ingot.vmap(ingot.vmap(ce, axis_name="i"))(b), expected)
    same(ingot.vmap(ingot.vmap(ce, axis_name="i"), 2, 2)(b.transpose(1, 2, 0)),
         expected.transpose(1, 2, 0))  # fmt: skip


def test_in_loops_and_branches(mesh):
    def f(x, n):
        for i in range(n):
            x = x - 0.1 * ingot.pmean(x, "i") if i % 2 else x + ingot.ppermute(x, "i", ring(8))
        return x

    def oracle(b, n):
        for i in range(n):
            b = b - 0.1 * b.mean(0) if i % 2 else b + np.roll(b, 1, axis=0)
        return b

    b = RNG.standard_normal((8, 2))
    for mapped in on_devices(f, mesh, in_axes=(0, None)):
        same(mapped(b, 5), oracle(b, 5))


def test_sharded_arguments_of_pmap(mesh):
    b = RNG.standard_normal((8, 2))
    made = ingot.pmap(ce, "i", mesh=mesh)(ingot.shard(b, P("i"), mesh=mesh))
    assert isinstance(made, ingot.ShardedArray) and made.sharding.spec == P("i")
    same(made, whole_ce(b))


@pytest.mark.parametrize(
    ("f", "expected"),
    [
        (lambda x: x / ingot.psum(x, "i"), {"all-reduce": 1}),
        (lambda x: ingot.ppermute(x, "i", ring(4)), {"collective-permute": 1}),
        (lambda x: x * 2, {}),
    ],
)
def test_messages(f, expected, mesh):
    b = RNG.standard_normal((4, 3))
    assert ingot.pmap(f, "i", mesh=mesh).lower(b).compile().collectives() == expected


def test_pmap_in_compiled_code(mesh):
    def f(b):
        return ingot.pmap(ce, "i", mesh=mesh)(b).sum()

    b = RNG.standard_normal((8, 2))
    same(ingot.jit(f, mesh=mesh)(b), whole_ce(b).sum())
    with pytest.raises(ingot.CompileError, match="no mesh"):
        ingot.jit(f)(b)


def test_pmap_takes_all_devices():
    b = np.arange(8.0)
    same(ingot.pmap(lambda x: ingot.psum(x, "rows"), "rows")(b), np.full(8, 28.0))


def test_what_is_refused(mesh):
    b = np.ones(8)
    with pytest.raises(ingot.UnsupportedError, match="outside of a batch with the axis 'i'"):
        ingot.psum(b, "i")
    with pytest.raises(ingot.CompileError, match="no batch around this code has the axis 'k'"):
        ingot.vmap(lambda x: ingot.psum(x, "k"), axis_name="i")(b)
    with pytest.raises(ingot.CompileError, match="no batch around"):
        ingot.jit(lambda x: ingot.axis_index("i"))(b)
    with pytest.raises(ingot.CompileError, match="has the axis 'i', too"):
        ingot.vmap(ingot.vmap(lambda x: x, axis_name="i"), axis_name="i")(np.ones((2, 2)))

    def until(x):
        while x < 8:
            x += ingot.psum(x, "i")
        return x

    with pytest.raises(ingot.CompileError, match="not all items of the batch take"):
        ingot.vmap(until, axis_name="i")(b)
    with pytest.raises(ingot.ShapeError, match="lanes from 0 to 7"):
        ingot.vmap(lambda x: ingot.ppermute(x, "i", [(0, 8)]), axis_name="i")(b)
    with pytest.raises(ingot.ShapeError, match="two pairs with the lane 1"):
        ingot.vmap(lambda x: ingot.ppermute(x, "i", [(0, 1), (2, 1)]), axis_name="i")(b)
    with pytest.raises(ingot.CompileError, match="takes one axis"):
        ingot.vmap(lambda x: ingot.all_gather(x, ("i", "i")), axis_name="i")(b)
    with pytest.raises(ingot.CompileError, match="exchange arrays and numbers"):
        ingot.vmap(lambda x: ingot.psum("x", "i"), axis_name="i")(b)
    with pytest.raises(ValueError, match="has no axis 'j'"):
        ingot.pmap(lambda x: x, "j", mesh=mesh)
