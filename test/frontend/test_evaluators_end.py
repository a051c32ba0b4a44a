"""An evaluator and the AST are gone when a function is lowered, without a garbage collection."""

import gc

import numpy as np
import pytest

import ingot
from ingot.syntax.evaluator import Evaluator

X = np.arange(6.0)


def checks(x):
    if x.sum() < -1:
        raise ValueError("negative")
    return x[int(x[0])] + 1


def tries(x):
    try:
        y = x[int(x[0]) + 7]
    except IndexError:
        y = x[0]
    return y


def loops(x):
    a, b = x * 1, x * 2
    for i in range(int(x[3])):
        a, b = b, a
        a[i] += b[i]
    while a[0] < 3:
        a[0] += 1
    return a, b


def branches(x):
    y = x if x[0] > 1 else x * 2
    if x[1] > 2:
        y = y + 1
    y[0] = 3
    return y


def quantified(x):
    return any(each > 3 for each in x), np.array([[x[0], 1], [x[1], 2]])


def derivatives(x):
    return ingot.grad(lambda y: np.sum(np.tanh(y) ** 2))(x), ingot.vmap(np.sin)(x)


def refused(x):
    return open(x)


@pytest.mark.parametrize(
    "f", [checks, tries, loops, branches, quantified, derivatives, refused],
    ids=lambda f: f.__name__,
)  # fmt: skip
def test_no_evaluator_remains(f):
    gc.collect()
    gc.disable()
    try:
        try:
            ingot.jit(f).lower(X)
        except ingot.CompileError:
            assert f is refused
        assert not [each for each in gc.get_objects() if type(each) is Evaluator]
    finally:
        gc.enable()
