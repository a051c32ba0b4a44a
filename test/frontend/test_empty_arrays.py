"""Order statistics of no elements: NaN, or the exception that NumPy raises."""

import warnings

import numpy as np
import pytest

import ingot
from oracle import assert_same

ARRAYS = [np.zeros(0), np.zeros((0, 3)), np.zeros((3, 0)), np.zeros(0, "f4"), np.zeros(0, int)]


def outcome(f, *args):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return f(*args)
        except Exception as error:
            return error


@pytest.mark.parametrize("keepdims", [False, True])
@pytest.mark.parametrize("axis", [None, 0, -1])
@pytest.mark.parametrize("function", [np.median, np.nanmedian, np.nanmean])
def test_nan(function, axis, keepdims):
    def f(x):
        return function(x, axis=axis, keepdims=keepdims)

    for x in ARRAYS:
        assert_same(outcome(ingot.jit(f), x), outcome(f, x))


@pytest.mark.parametrize("function", [np.quantile, np.percentile])
def test_quantiles_raise(function):
    def f(x):
        return function(x, 0.5)

    for x in ARRAYS:
        errors = [outcome(g, x) for g in (f, ingot.jit(f))]
        assert all(isinstance(each, IndexError) for each in errors)
        assert errors[1].args == errors[0].args
