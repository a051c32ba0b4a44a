"""Programs that notice a mutant of the frontend which no other test of `make quick` does (see test/mutation)."""

import abc
import math

import numpy as np
import pytest
from plain import refused, same, same_or_refused

import ingot
from ingot.cli.output import readable_size

pytestmark = [pytest.mark.quick, pytest.mark.once]

V = np.array([1.0, -2.0, 3.5])
N = np.array([3, -1, 2])


# NumPy and the library.


def parts_that_are_not_finite(c, n):
    return np.isinf(c), np.isfinite(c), np.isnan(c), np.isinf(n), np.isfinite(n)


def test_what_is_not_finite():
    same(parts_that_are_not_finite, np.array([1 + 2j, complex(np.inf, 1), complex(0, np.nan)]), N)


def test_complex_functions_at_poles_and_infinities():
    inf, nan = np.inf, np.nan
    parts = [
        (inf, nan),
        (inf, inf),
        (1, 1e-12),
        (-1, 1e-200),
        (2, inf),
        (1e300, 1e300),
        (0.5, 1e20),
        (3, -inf),
    ]
    with np.errstate(all="ignore"):
        same(
            lambda c: (np.tanh(c), np.arctanh(c), np.abs(c)),
            np.array([complex(*each) for each in parts]),
        )


@pytest.mark.parametrize("x, y", [(-2.0, 0.5), (0.0, -1.0), (-2.0, 3.0), (2.0, -1.0)])
def test_a_power_that_python_does_not_define(x, y):
    same(lambda x, y: math.pow(x, y), x, y)


def test_views_of_grids_are_refused():
    refused(lambda x: np.meshgrid(x, x, copy=False), V, match="copy=False")


def test_an_ellipsis_that_einsum_does_not_keep():
    refused(lambda a: np.einsum("...i->i", a, optimize=False), np.ones((2, 3)), match="subscripts")


def test_a_product_in_place_needs_axes():
    def multiplied(a, b):
        a @= b
        return a

    same(multiplied, np.ones((2, 2)), np.eye(2))
    refused(multiplied, np.ones((2, 2)), V[:2], match="at least two dimensions")


def test_norms_of_selected_rows():
    def rows(a):
        return a[a[:, 0] > 0]

    same(lambda a: np.linalg.norm(rows(a)), np.outer(V, V))
    for norm in (lambda a: np.linalg.norm(rows(a), 1), lambda a: np.linalg.norm(rows(a), axis=1)):
        same_or_refused(norm, np.outer(V, V))


def test_reductions_over_several_axes():
    def reduced(ufunc):
        return lambda a: ufunc.reduce(a, axis=(0, 1))

    for ufunc in (np.add, np.multiply, np.maximum, np.logical_and):
        same(reduced(ufunc), np.outer(V, V))
    for ufunc in (np.subtract, np.divide):
        refused(reduced(ufunc), np.outer(V, V), match="is not reorderable")


def test_selected_by_masks():
    def powers(n):
        return (n[n > 0] ** 0).sum(), (n[n > 0] ** 2).sum()

    same(powers, N)
    same(lambda a: np.linalg.norm(a[a > 0]), np.outer(V, V))


def test_one_element_stored_as_a_row():
    def stored(a, b):
        a[1] = b
        a[0] = b[:, :, :1]
        return a

    same(stored, np.zeros((2, 3)), np.arange(3.0).reshape(1, 1, 3))


# Statements and objects.


def test_flags_of_formats():
    same(lambda n, x: print("%-6d|%06d|%-8.2f|%+d" % (n, n, x, n)), 5, 1.25)


def test_sets_of_keys():
    def compared(x):
        held = {"a": x, "b": 2 * x}
        return {"a", "b"} == held.keys(), {"a"} < held.keys()

    same(compared, 1.5)


class Abstract(abc.ABC):
    @abc.abstractmethod
    def f(self): ...


def test_abstract_classes_have_no_instances():
    assert same(lambda x: Abstract().f(x), 1.5).error


# Around programs.


def test_pairs_of_lanes():
    def passed(pairs):
        return ingot.vmap(lambda x: ingot.ppermute(x, "i", pairs), axis_name="i")

    assert passed([(0, 1), (1, 2), (2, 0)])(V).tolist() == [3.5, 1.0, -2.0]
    for pairs in ([(0, 3)], [(0, 1, 2)], [0], [(0.0, 1)]):
        with pytest.raises(ingot.CompileError, match="perm has pairs"):
            passed(pairs)(V)


def test_another_mesh_than_the_program_has():
    mesh = ingot.mesh(data=1)
    with pytest.raises(ingot.CompileError, match="mesh"):
        ingot.jit(lambda x: ingot.shard(x, ingot.P("data"), mesh=mesh))(V)


def test_sizes_have_units():
    sizes = 0, 1023, 1024, 1536, 3 << 20, 5 << 30
    shown = ["0 B", "1023 B", "1.0 KiB", "1.5 KiB", "3.0 MiB", "5.0 GiB"]
    assert [readable_size(size) for size in sizes] == shown
