"""`import` in functions: what is there, and what Python raises where it is not."""

import types

import numpy as np
import pytest
from plain import Programs, same, same_for

programs = Programs()
X = np.array([1.0, 2.0])


@programs((X,))
def modules_and_names(x):
    import numpy.linalg as algebra
    from numpy import fft as transforms
    from numpy import linalg
    from scipy import special

    return linalg.norm(x), algebra.det(np.eye(2)), transforms.fft(x), special.expit(x)


@programs((X,))
def name_of_an_older_version(x):
    try:
        from numpy import old_sum as total
    except ImportError:
        from numpy import sum as total
    return total(x)


@programs((X,))
def name_of_a_module_without_a_path(x):
    try:
        from math import nope
    except ImportError:
        from math import tau as nope
    return x * nope


@programs((X,))
def class_of_a_missing_name(x):
    try:
        from numpy import nope
    except ModuleNotFoundError:
        return x + 1
    except ImportError as e:
        return x + 2, type(e), str(e), nope if len(str(e)) < 3 else 0
    return x


@programs((X,))
def class_of_a_missing_module(x):
    try:
        from no_such_module import a
    except ModuleNotFoundError as e:
        return x + 1, type(e), str(e)
    return a


@programs((X,))
def missing_name(x):
    from numpy.linalg import nope

    return nope(x)


@programs((X,))
def missing_name_of_a_module_without_a_path(x):
    from math import nope

    return nope(x)


@programs((X,))
def missing_submodule(x):
    import numpy.no_such_module

    return numpy.no_such_module.f(x)


@pytest.mark.parametrize("f, cases", programs)
def test_imports(f, cases):
    same_for(f, cases)


def test_a_module_without_a_file(monkeypatch):
    module = types.ModuleType("made_here")
    module.scale = 3.0
    monkeypatch.setitem(__import__("sys").modules, "made_here", module)

    def f(x):
        from made_here import scale

        return x * scale

    def missing(x):
        from made_here import nope

        return x * nope

    same(f, X)
    same(missing, X)
