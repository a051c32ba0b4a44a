"""`ingot.tree`, in compiled code and outside of it, against `jax.tree`."""

import collections
import dataclasses
import types

import jax
import numpy as np
import pytest

import ingot


class Pair(collections.namedtuple("Pair", ["first", "second"])):
    __slots__ = ()


@dataclasses.dataclass
class Layer:
    w: object
    b: object


X = np.array([1.0, 2.0])
TREES = {
    "leaf": X,
    "none": None,
    "empty": {},
    "tuple": (X, (X + 1, ()), None),
    "dict": {"b": X, "a": [X + 1, None, {"c": X + 2}]},
    "integer keys": {3: X, 1: X + 1},
    "named tuple": Pair(X, [X + 1]),
    "ordered dict": collections.OrderedDict([("b", X), ("a", X + 1)]),
    "one array twice": [X, X],
}


def equal(a, b):
    left, right = jax.tree.flatten(a), jax.tree.flatten(b)
    assert left[1] == right[1]
    for x, y in zip(*(left[0], right[0]), strict=True):
        np.testing.assert_array_equal(x, y)


@pytest.mark.parametrize("name", TREES)
def test_outside(name):
    tree = TREES[name]
    equal(ingot.tree.leaves(tree), jax.tree.leaves(tree))
    equal(ingot.tree.map(lambda x: x * 2, tree), jax.tree.map(lambda x: x * 2, tree))
    found, structure = ingot.tree.flatten(tree)
    assert structure == ingot.tree.structure(tree) and structure.num_leaves == len(found)
    equal(ingot.tree.unflatten(structure, found), tree)
    wanted = [tuple(_key(key) for key in path) for path, _ in jax.tree.leaves_with_path(tree)]
    assert [path for path, _ in ingot.tree.leaves_with_path(tree)] == wanted


def _key(entry):
    return next(getattr(entry, a) for a in ("key", "idx", "name") if hasattr(entry, a))


@pytest.mark.parametrize("name", TREES)
def test_in_compiled_code(name):
    tree = TREES[name]

    def f(tree):
        found, structure = ingot.tree.flatten(tree)
        doubled = ingot.tree.map(lambda x, y: x + y, tree, tree)
        again = ingot.tree.unflatten(structure, [x * 3 for x in found])
        paths = [path for path, _ in ingot.tree.leaves_with_path(tree)]
        same = ingot.tree.structure(tree) == ingot.tree.structure(doubled)
        return doubled, ingot.tree.leaves(doubled), again, paths, same

    doubled, leaves, again, paths, same = ingot.jit(f)(tree)
    equal(doubled, jax.tree.map(lambda x: x * 2, tree))
    equal(leaves, jax.tree.leaves(doubled))
    equal(again, jax.tree.map(lambda x: x * 3, tree))
    assert paths == [path for path, _ in ingot.tree.leaves_with_path(tree)]
    assert same


def test_instances_and_defaultdicts():
    tree = collections.defaultdict(list, b=Layer(X, None), a=types.SimpleNamespace(u=X + 1))
    for map_ in (ingot.tree.map, ingot.jit(lambda f, t: ingot.tree.map(np.negative, t))):
        made = map_(np.negative, tree)
        assert type(made) is collections.defaultdict and made.default_factory is list
        assert type(made["b"]) is Layer and made["b"].b is None
        np.testing.assert_array_equal(made["b"].w, -X)
        np.testing.assert_array_equal(made["a"].u, -X - 1)
    assert [path for path, _ in ingot.tree.leaves_with_path(tree)] == [("a", "u"), ("b", "w")]


def test_is_leaf_and_prefixes():
    def is_pair(x):
        return isinstance(x, tuple)

    def f(tree, other):
        whole = ingot.tree.map(lambda p: p[0] + p[1], tree, is_leaf=is_pair)
        return whole, ingot.tree.map(lambda x, y: x + y["u"], [1.0, 2.0], other)

    args = {"a": (X, X), "b": [(X, 1.0)]}, [{"u": X}, {"u": 3.0}]
    for call in (f, ingot.jit(f)):
        whole, sums = call(*args)
        equal(whole, {"a": 2 * X, "b": [X + 1]})
        equal(sums, [X + 1, 5.0])


def test_an_update_of_parameters():
    @ingot.jit
    def step(params, x):
        def loss(p):
            return np.sum((p["w"] * x + p["b"]) ** 2)

        grads = ingot.grad(loss)(params)
        return ingot.tree.map(lambda p, g: p - 0.1 * g, params, grads)

    made = step({"w": X, "b": 0.5}, X)
    r = X * X + 0.5
    np.testing.assert_allclose(made["w"], X - 0.2 * r * X)
    np.testing.assert_allclose(made["b"], 0.5 - 0.2 * np.sum(r))


def test_errors():
    with pytest.raises(
        ValueError, match=r"differ at \['a'\]: \(\*, \*\) is not the start of a leaf"
    ):
        ingot.tree.map(np.add, {"a": (1, 2)}, {"a": 1})
    with pytest.raises(ValueError, match="the trees differ"):
        ingot.tree.map(np.add, None, 1)
    with pytest.raises(ValueError, match="the trees differ"):
        ingot.tree.map(np.add, {"a": 1}, {"b": 1})
    with pytest.raises(ValueError, match="1 leaves for a tree of 2"):
        ingot.tree.unflatten(ingot.tree.structure((1, 2)), [1])
    with pytest.raises(ingot.CompileError, match="the trees differ"):
        ingot.jit(lambda x: ingot.tree.map(np.add, [x], (x,)))(X)
