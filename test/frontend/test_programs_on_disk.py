"""Programs that another process compiled do what those compiled here do."""

import collections

import numpy as np
import pytest
import test_control_flow
import test_heap
import test_heap_arguments
import test_heap_dicts
import test_heap_growing
import test_heap_identity
import test_heap_loops
import test_heap_objects
import test_heap_order
import test_refusals
import test_strings
from plain import same, same_for

import ingot
from level import sample

MODULES = (
    test_heap_identity, test_heap_arguments, test_heap_loops, test_heap_objects, test_heap,
    test_heap_dicts, test_heap_growing, test_heap_order, test_control_flow, test_refusals,
    test_strings,
)  # fmt: skip
PROGRAMS = [param for module in MODULES for param in module.programs]


@pytest.mark.parametrize("f, cases", sample(PROGRAMS, 4))
def test_programs(f, cases, tmp_path, monkeypatch):
    monkeypatch.setenv("INGOT_CACHE_DIR", str(tmp_path))
    same_for(f, cases)
    # What was compiled is on disk now, for another function of the same source.
    same_for(f, cases)


# Each jitted function of its own looks for what another one has stored.


@pytest.fixture
def on_disk(tmp_path, monkeypatch):
    monkeypatch.setenv("INGOT_CACHE_DIR", str(tmp_path))


def squared(x):
    return np.sum(x * x)


class Scaled:
    def __init__(self, factor):
        self.factor = factor

    def apply(self, x):
        return np.sum(x * self.factor)


FACTORS = [2.0, 3.0]
BY_NAME = {"a": {"b": [4.0]}}


def of_list(x):
    return x * FACTORS[1]


def of_dict(x):
    return x * BY_NAME["a"]["b"][0]


def counted(x):
    held = collections.defaultdict(float, a=1.0)
    held["b"] += x
    return held, {"lists": collections.defaultdict(list)}


X = np.array([1.0, -2.0, 3.5])


@pytest.mark.quick
@pytest.mark.usefixtures("on_disk")
@pytest.mark.parametrize(
    "make",
    [
        lambda: squared,
        lambda: ingot.grad(squared),
        lambda: ingot.vmap(ingot.grad(squared)),
        lambda: ingot.checkpoint(squared),
        lambda: of_list,
        lambda: of_dict,
    ],
)
def test_what_is_compiled_once(make, compilations):
    x = np.outer(X, X)
    found = ingot.jit(make())(x)
    compilations.clear()
    np.testing.assert_equal(ingot.jit(make())(x), found)
    assert not compilations


@pytest.mark.quick
@pytest.mark.usefixtures("on_disk")
def test_what_is_not_taken_for_another(monkeypatch):
    for factor in (2.0, 3.0):
        apply = Scaled(factor).apply
        assert ingot.jit(ingot.grad(apply))(X).tolist() == [factor] * 3
        assert ingot.jit(ingot.checkpoint(apply))(X) == 2.5 * factor
    monkeypatch.setitem(globals(), "FACTORS", [2.0, 3.0])
    monkeypatch.setitem(globals(), "BY_NAME", {"a": {"b": [3.0]}})
    for factor in (3.0, 5.0):
        FACTORS[1] = BY_NAME["a"]["b"][0] = factor
        for f in (of_list, of_dict):
            assert ingot.jit(f)(1.5) == 1.5 * factor


@pytest.mark.quick
@pytest.mark.usefixtures("on_disk")
def test_dicts_with_defaults(compilations):
    same(counted, 1.5)
    compilations.clear()
    same(counted, 1.5)
    assert not compilations
