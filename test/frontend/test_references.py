"""Copies and pickles of compiled functions: by name, as those of Python's functions."""

import copy
import functools
import pickle

import numpy as np
import pytest

import ingot


def square(x):
    return x * x


def unsupported(x):
    return np.frombuffer(x)


def total(x):
    return (x * x).sum()


@ingot.jit
def decorated(x):
    return x + 1


class Model:
    def __init__(self, w):
        self.w = w

    def apply(self, x):
        return self.w * x

    @ingot.jit
    def compiled(self, x):
        return self.w * x


@ingot.custom_jvp
def ruled(x):
    return x**3


ruled.defjvp(lambda primals, tangents: (ruled(*primals), 3 * primals[0] ** 2 * tangents[0]))


@ingot.primitive
def doubled(x):
    return x * 2


renamed = ingot.jit(square)
of_a_lambda = ingot.jit(lambda x: x - 1)
gradient = ingot.grad(total)
mapped = ingot.vmap(ingot.grad(total))
kept = ingot.checkpoint(square)


@pytest.mark.parametrize(
    "f",
    [decorated, renamed, of_a_lambda, gradient, mapped, kept, ruled, doubled, Model.compiled],
    ids=lambda f: f.__qualname__,
)
def test_what_a_module_has_is_itself(f):
    assert pickle.loads(pickle.dumps(f)) is f
    assert copy.copy(f) is f and copy.deepcopy(f) is f
    assert copy.deepcopy({"f": [f]})["f"][0] is f


X = np.arange(6.0).reshape(2, 3)


@pytest.mark.parametrize(
    "f, x",
    [
        (ingot.jit(total, checks=False), X),
        (ingot.jit(square, static=("x",)), 3),
        (ingot.grad(decorated), 2.0),
        (ingot.value_and_grad(square), 3.0),
        (ingot.hessian(total), X),
        (ingot.vmap(square, in_axes=1, out_axes=-1), X),
        (ingot.jit(gradient), X),
        (ingot.checkpoint(total), X),
    ],
)
def test_what_a_module_does_not_have_is_made_again(f, x):
    first, second = (pickle.loads(pickle.dumps(f)) for _ in range(2))
    assert type(first) is type(f)
    for mine, same in zip(np.atleast_1d(first(x)), np.atleast_1d(f(x)), strict=True):
        np.testing.assert_array_equal(mine, same)
    if isinstance(f, type(decorated)):
        # What one has compiled the other need not.
        assert first is second
        assert (first._static, first._options) == (f._static, f._options)


def test_methods_and_partials():
    model = Model(3.0)
    for f in (ingot.jit(model.apply), ingot.jit(functools.partial(Model.apply, model))):
        assert pickle.loads(pickle.dumps(f))(2.0) == 6.0
        assert copy.copy(f) is f
    bound = ingot.jit(model.apply)
    apart = copy.deepcopy(bound)
    model.w = 5.0
    assert (bound(2.0), apart(2.0)) == (10.0, 6.0)
    assert pickle.loads(pickle.dumps(model.compiled))(2.0) == 10.0


def test_what_has_no_name():
    def local(x):
        return x

    cases = [ingot.jit(local), ingot.jit(lambda x: x), ingot.grad(local), ingot.custom_vjp(local)]
    for f in cases:
        with pytest.raises(pickle.PicklingError, match="can't be pickled: its module .* no name"):
            pickle.dumps(f)
        assert copy.deepcopy(f) is f


def test_errors_cross_processes():
    with pytest.raises(ingot.CompileError) as caught:
        ingot.jit(unsupported)(np.ones(2))
    error = pickle.loads(pickle.dumps(caught.value))
    assert type(error) is type(caught.value) and str(error) == str(caught.value)
    assert error.lineno == caught.value.lineno
