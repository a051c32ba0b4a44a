"""Programs that notice a mutant of the frontend which no other test of `make quick` does (see test/mutation)."""

import abc
import ast
import cmath
import collections
import copy
import itertools
import math
import types
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import plain
import pytest
from plain import refused, same, same_for, same_or_refused

import ingot
from ingot.cli.output import readable_size
from ingot.syntax import source

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


def test_parts_of_numbers():
    for x in (1 + 2j, 1.5, 3, True, np.float32(2), np.complex64(1j), np.int8(3)):
        same(lambda x: (x.real, x.imag), x)


@pytest.mark.parametrize("dtype", [np.int8, np.uint64, np.int64, np.float64])
def test_comparisons_with_a_number_that_may_be_whole(dtype):
    def compared(c, a):
        n = 3 if c else 2.5
        return n > a, a < n, n == a, a >= n

    a = np.array([2, 3], dtype)
    same_for(compared, [(True, a), (False, a)])


def test_numbers_of_several_kinds():
    def by_number(n):
        m = 3 if n > 1 else np.float32(2.5)
        return np.add(m, 2), m * m, np.maximum(2, m)

    def by_flag(c):
        m = 3 if c else np.float32(2.5)
        return np.add(m, 2), m * m, np.maximum(2, m)

    same_for(by_number, [(1,), (2,), (3,)])
    same_for(by_flag, [(True,), (False,)])


def test_repeats_as_many_as_items():
    for count in ([1, 2, 0], [1, 2], [1, 2, 3, 4], [], [[1, 2, 3]]):
        same(lambda x, count: np.repeat(x, np.minimum(count, 5)), V, np.array(count, int))

    def of_selected(x, count):
        return np.repeat(x[x > 0], np.minimum(count, 5))

    def selected(x, count):
        return np.repeat(x, np.minimum(count[count > 0], 5))

    for count in ([1, 2], [1, 2, 3]):
        same(of_selected, V, np.array(count))
    for count in ([1, 0, 3], [1, 1, 3]):
        same(selected, V, np.array(count))


def test_constant_arrays_without_axes():
    def computed(x):
        two = np.array(2)
        return np.add(two, 3), two * np.int8(3), np.sqrt(two), np.zeros(two * 3), two + x

    same(computed, V)


def test_slices_that_reach_outside():
    def window(x, i):
        return x[i : i + 2]

    def printed(x, i):
        print(x[i : i + 2].sum())
        return x[i : i + 2]

    for f in (window, printed):
        same_for(f, [(V, i) for i in range(-3, 5)])


def test_where_joined_arrays_are_stored():
    for out in ([1.0] * 6, 1.0, (V,)):
        refused(lambda a, b, out=out: np.concatenate([a, b], out=out), V, V, match="must be an arr")
    same(lambda a, b, out: np.concatenate([a, b], out=out), V, V, np.zeros(6))
    same(lambda a: np.concatenate([a[1:], a[:1]], out=a), V)


def test_new_axes_of_selected_items():
    def selected(x):
        kept = x[x > 0]
        return kept[None], kept[:, None], kept[None, ::2], kept[np.newaxis, 0]

    same(selected, V)
    same(lambda x, n: (x[:n][None], x[:n][:, None], x[:n, None, 0]), np.outer(V, V), 2)


def test_complex_numbers_from_known_parts():
    same(lambda x: (cmath.rect(2.0, x[0]), cmath.rect(x[0], 2), cmath.rect(2, 3)), V)


def test_systems_of_selected_columns():
    def solved(a, b, m):
        return np.linalg.solve(a[m][:, :2], b[:2])

    same(solved, np.outer(V, V) + np.eye(3), V, np.array([True, False, True]))


class Pair(NamedTuple):
    first: Any
    second: Any


def test_arrays_of_named_tuples():
    def made(x):
        rows = Pair([1, x[0]], [2, 3])
        return np.array([Pair(1, 2), Pair(x[0], 3)]), np.array(rows), np.stack(Pair(x, x))

    same(made, V)


# Statements and objects.


def test_a_type_after_a_check():
    def tested(x, n):
        held = None
        if n > 2:
            held = x
        if held is None:
            raise ValueError("none")
        return isinstance(held, np.ndarray), type(held) is np.ndarray, held is None

    same_for(tested, [(V, 3), (V, 1)])


def test_calls_that_return_tuples():
    def both(x, y):
        return x - y, (x + y, 3)

    same(lambda x, y: (both(x, y), both(y, x), both(2 * x, y)[1][0]), V, V + 1)


def test_lists_of_selected_items_and_others():
    def made(x):
        found = [each for each in x if each > 0]
        return [1.0, *found, 2.0], [*found, *found], [x.sum(), *found], [*found, x[0]]

    same(made, V)


def test_sorted_lists_of_selected_items():
    def ordered(x):
        held = [each for each in x if each > -3]
        return sorted(held), sorted(held, reverse=True), held

    same(ordered, V)


def test_loops_that_change_what_they_zip():
    def grown(x):
        held = [each for each in x if each > 0]
        for each, _ in zip(held, x):
            if each > 3:
                held.append(4.0)
        return held

    def shrunk(x):
        held = [each for each in x if each > 0]
        for _, _ in zip(x, held):
            held.pop()
        return held

    for f in (grown, shrunk):
        with pytest.raises(NotImplementedError, match="changes the length of the list"):
            ingot.jit(f)(V)


def test_loops_whose_results_have_as_many_parts_as_iterations():
    def nested(n, x, *rest):
        held = [x]
        for i in range(n):
            held[0] = (held[0], i + sum(rest))
        return held

    # Of as many integers, none is known unless a loop asks for it.
    many = range(12)
    same_for(nested, [(2, 1.5, *many), (3, 1.5, *many)])


def test_results_that_hold_dicts_with_defaults():
    def counted(x):
        held = collections.defaultdict(float)
        held["a"] += x
        return held, (held["a"],), Pair(held, x)

    def added(held, x):
        held["b"] += x
        return held

    same(counted, 1.5)
    same(added, collections.defaultdict(float, a=1.0), 2.0)


def test_cycles_have_no_end():
    def rest(x):
        held = itertools.cycle([x, 2 * x])
        next(held), next(held)
        return list(held)

    def repeated(x):
        held = itertools.cycle(each for each in (x, 2 * x, 3 * x))
        return [next(held) for _ in range(4)], list(zip(held, range(5))), list(itertools.cycle([]))

    refused(rest, 1.5, match="has no end")
    same(repeated, 1.5)


def test_sets_and_dicts_that_loops_change():
    def changed_set(x):
        held = {1, 2}
        for each in held:
            held.add(each + 5)
        return x

    def changed_dict(x):
        held = {1: x}
        for each in held:
            held[each + 5] = x
        return x

    def changed_items(x):
        held = {1: x}
        items = iter(held.items())
        held[7] = x
        return next(items)

    for f in (changed_set, changed_dict, changed_items):
        with pytest.raises(RuntimeError) as expected:
            f(1.5)
        with pytest.raises(RuntimeError) as raised:
            ingot.jit(f)(1.5)
        assert str(raised.value) == str(expected.value)


def test_nothing_zipped():
    same(lambda x: (list(zip()), list(zip(strict=True)), x), 1.5)


def test_deep_copies_of_dicts():
    def copied(x):
        held = {"a": x, "b": [x, {"c": x}]}
        made = copy.deepcopy(held)
        made["a"][0] = 7
        made["b"][1]["c"][1] = 5
        made["b"].append(1)
        return held, made

    same(copied, V)


def test_what_has_no_owner():
    view = {"a": 1.5}.items
    same(lambda x: view.__self__["a"] + x, 1.5)
    for f in (
        lambda x: {"a": x}.items().__self__,
        lambda x: (lambda: x).__self__,
        lambda x: range(len(x)).__self__,
    ):
        refused(f, V, match="no supported attribute `__self__`")


def functions_of(module):
    found = (each for each in vars(module).values() if isinstance(each, types.FunctionType))
    return [each for each in found if each.__code__.co_filename == module.__file__]


@pytest.mark.parametrize("module", [ast, copy, plain, source], ids=str)
def test_where_functions_end(module):
    text = Path(module.__file__).read_text()
    lines = text.splitlines(keepends=True)
    ends = {
        line: each.end_lineno
        for each in ast.walk(ast.parse(text))
        if isinstance(each, ast.FunctionDef)
        for line in (each.lineno, *(decorator.lineno for decorator in each.decorator_list))
    }
    found = functions_of(module)
    assert len(found) > 5
    for f in found:
        last, end = source.last_line(f.__code__, lines), ends[f.__code__.co_firstlineno]
        after = [line.strip() for line in lines[end:last]]
        assert last >= end and not any(line and not line.startswith("#") for line in after), f


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


def test_dicts_of_other_keys_and_kinds():
    def total(held, x):
        return sum(held.values()) + x

    for make in (
        dict,
        collections.OrderedDict,
        lambda held: collections.defaultdict(float, held),
    ):
        for held in ({"a": 1.5}, {1: 2.5}, {(1, "b"): V}, {1: 2.5, "c": V}):
            # Calls after the first may be made without Python.
            same_for(total, [(make(held), 1.5), (make({**held, "d": 4.5}), 1.5)])


def test_sizes_have_units():
    sizes = 0, 1023, 1024, 1536, 3 << 20, 5 << 30
    shown = ["0 B", "1023 B", "1.0 KiB", "1.5 KiB", "3.0 MiB", "5.0 GiB"]
    assert [readable_size(size) for size in sizes] == shown
