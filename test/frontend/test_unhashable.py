"""Keys of dicts and elements of sets that have no hash: TypeError, also where they are only looked up."""

import numpy as np
import pytest
from plain import same

import ingot

VALUES = [np.ones(2), np.array(1.0), [1], {}, [[1]]]
FUNCTIONS = [
    lambda v: {v: 1},
    lambda v: v in {1: 2},
    lambda v: {1: 2}[v],
    lambda v: {1: 2}.get(v),
    lambda v: {v},
    lambda v: v in {1, 2},
    lambda v: {(1, v): 2},
    lambda v: {((1, v),): 2},
    lambda v: (1, (v,)) in {1: 2},
    lambda v: dict.fromkeys([v]),
]


@pytest.mark.parametrize("v", VALUES, ids=repr)
@pytest.mark.parametrize("f", FUNCTIONS)
def test_values_without_hash(f, v):
    with pytest.raises(TypeError, match="unhashable type") as plain:
        f(v)
    with pytest.raises(TypeError, match="unhashable type") as compiled:
        ingot.jit(f)(v)
    assert str(compiled.value).startswith(str(plain.value))


def looked_up(x):
    keys = {((1, 2),): x, frozenset([1]): 2}
    return (
        keys[((1, 2),)],
        ((1, 2),) in keys,
        frozenset([1]) in keys,
        {1} in {1, 2},
        {1} in {frozenset([1])},
    )


def test_values_with_hash():
    same(looked_up, 2.0)
