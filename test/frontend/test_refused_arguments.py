"""Arguments that have behaviour of their own are refused at the call, by name, with the way out."""

import collections
import operator
import re
from dataclasses import dataclass

import jax
import numpy as np
import pandas as pd
import pytest
from numpy.lib.stride_tricks import as_strided
from plain import refused, same, written

import ingot

X = np.array([1.0, -2.0, 3.5])


class Tagged(np.ndarray):
    pass


class Doubled(np.ndarray):
    def __array_ufunc__(self, ufunc, method, *inputs, **kwargs):
        return 2


class Meters(float):
    def __add__(self, other):
        return Meters(float(self) * 100 + other)


class Mod7(int):
    def __add__(self, other):
        return Mod7((int(self) + other) % 7)


class Loud(dict):
    def __getitem__(self, key):
        return 100.0


class Offset(list):
    def __getitem__(self, i):
        return 100.0


class Quiet(str):
    def __eq__(self, other):
        return True

    __hash__ = str.__hash__


pytestmark = pytest.mark.filterwarnings("ignore::PendingDeprecationWarning")

ARRAYS = {
    "a masked array": lambda: np.ma.array([1, 2, 3], mask=[0, 1, 0]),
    "a masked array without a mask": lambda: np.ma.array([1.0, 2.0]),
    "a masked constant": lambda: np.ma.masked,
    "a matrix": lambda: np.matrix([[1, 2], [3, 4]]),
    "an array of records": lambda: np.rec.array([(1, 2.0)], dtype=[("a", int), ("b", float)]),
    "a char array": lambda: np.char.array(["a"]),
    "an empty subclass": lambda: X.view(Tagged),
    "a subclass with its own ufuncs": lambda: X.view(Doubled),
    "objects": lambda: np.array([1, None], dtype=object),
    "strings": lambda: np.array(["a", "b"]),
    "dates": lambda: np.array(["2020-01-01"], dtype="datetime64[D]"),
    "a structured array": lambda: np.zeros(2, dtype=[("a", int), ("b", float)]),
    "a Series": lambda: pd.Series([1.0, 2.0]),
    "a DataFrame": lambda: pd.DataFrame({"a": [1.0, 2.0]}),
    "an Index": lambda: pd.Index([1, 2]),
    "an int of 65 bits": lambda: 2**64,
    "an int of 64 bits": lambda: 2**63,
    "a large negative int": lambda: -(2**63) - 1,
}


def total(first, values):
    return first + values


def names_it(text, name, way_out=True):
    assert re.search(rf"`{name}", text), f"{name} is not named: {text}"
    assert not way_out or "hint:" in text, f"no way out: {text}"


@pytest.mark.parametrize("name", ARRAYS)
def test_refused_by_name(name):
    names_it(refused(total, 1.0, ARRAYS[name]()), "values")


@pytest.mark.parametrize("name", ARRAYS)
def test_refused_by_name_as_keyword(name):
    with pytest.raises(ingot.CompileError) as caught:
        ingot.jit(total)(1.0, values=ARRAYS[name]())
    names_it(str(caught.value), "values")


@dataclass
class Holder:
    part: object


Two = collections.namedtuple("Two", "a b")
#: What holds a value, and what uses it.
BOXES = {
    "list": (lambda v: [1.0, v], lambda box: box[1] + 1),
    "tuple": (lambda v: (v,), lambda box: box[0] + 1),
    "dict": (lambda v: {"k": v}, lambda box: box["k"] + 1),
    "nested": (lambda v: {"k": [({"z": v},)]}, lambda box: box["k"][0][0]["z"] + 1),
    "dataclass": (Holder, lambda box: box.part + 1),
    "named tuple": (lambda v: Two(1.0, v), lambda box: box.b + 1),
}
#: Arrays of other dtypes are refused where they are used.
OF_OTHER_DTYPES = {"objects": "object", "strings": "<U1", "dates": "datetime64"}
OF_OTHER_DTYPES["a structured array"] = "[('a', '<i8'), ('b', '<f8')]"


@pytest.mark.parametrize("box", BOXES)
@pytest.mark.parametrize("name", ARRAYS)
def test_refused_inside_of_containers(name, box):
    made, use = BOXES[box]
    text = refused(use, made(ARRAYS[name]()))
    if name not in OF_OTHER_DTYPES:
        names_it(text, "box")
    assert OF_OTHER_DTYPES.get(name, "") in text


@pytest.mark.parametrize(
    "name", ["a masked array", "a matrix", "an empty subclass", "an int of 64 bits"]
)
def test_refused_in_every_entry(name):
    values = ARRAYS[name]()
    for entry in (ingot.grad, ingot.jacfwd, ingot.jacrev, ingot.value_and_grad, ingot.vmap):
        with pytest.raises(ingot.CompileError, match="`values"):
            entry(lambda values: np.sum(values * 1.0))(values)


@pytest.mark.parametrize("name", ["a masked array", "a matrix", "an empty subclass"])
def test_refused_from_a_closure_or_global(name):
    captured, box = ARRAYS[name](), [ARRAYS[name]()]
    refused(lambda x: captured * x, 2.0, match="`captured`")
    refused(lambda x: box[0] * x, 2.0, match="`box")


SCALARS = {"float": Meters(2.0), "int": Mod7(5), "dict": Loud(a=1.0), "list": Offset([1.0])}


@pytest.mark.parametrize("name", SCALARS)
def test_subclasses_with_operators_of_their_own(name):
    value = SCALARS[name]
    use = {"dict": "values['a']", "list": "values[0]"}
    f = written(f"def f(values): return {use.get(name, 'values + 6')}")
    compiled = ingot.jit(f)
    try:
        result = compiled(value)
    except ingot.CompileError as error:
        names_it(str(error), "values", way_out=False)
    else:
        assert (type(result), result) == (type(f(value)), f(value))


class Fit(tuple):
    """As SciPy's results are: a named tuple that keeps more than its fields."""

    _fields = ("slope", "offset")
    slope, offset = (property(operator.itemgetter(i)) for i in range(2))

    def __new__(cls, slope, offset, **extra):
        return tuple.__new__(cls, (slope, offset))

    def __init__(self, slope, offset, **extra):
        self.__dict__.update(extra)


FIT = Fit(1.0, 2.0, error=0.5)


@pytest.mark.parametrize(
    "f",
    [
        lambda values: values.slope + values.error,
        lambda values: values,
        lambda values: Fit(values[0], values[1], error=1.0),
        lambda values: FIT.error + values[0],
    ],
)
def test_named_tuples_that_keep_more_than_their_fields(f):
    is_argument = "FIT" not in f.__code__.co_names and "Fit" not in f.__code__.co_names
    with pytest.raises(ingot.UnsupportedError, match="Fit"):
        ingot.jit(f)(FIT if is_argument else (1.0, 2.0))


def test_a_str_with_an_equality_of_its_own():
    def f(mode):
        return 1 if mode == "a" else 2

    try:
        assert ingot.jit(f)(Quiet("b")) == 1
    except ingot.CompileError as error:
        names_it(str(error), "mode", way_out=False)


def test_a_memory_map_is_an_array_or_refused(tmp_path):
    def stores(values):
        values[0] = 5
        return values * 2

    mapped = np.memmap(tmp_path / "map", dtype=float, mode="w+", shape=(3,))
    try:
        result = ingot.jit(stores)(mapped)
    except ingot.CompileError as error:
        names_it(str(error), "values")
    else:
        expected = stores(mapped)
        assert type(result) is type(expected)
        assert (result.tolist(), mapped.tolist()) == ([10, 0, 0], [5, 0, 0])


# Arguments that overlap themselves.


def stores(a):
    a[0, 1] = 5
    return a.sum()


def reads(a):
    return a.sum()


OVERLAPPING = {
    "windows": lambda: as_strided(np.ones(4), (3, 2), (8, 8)),
    "broadcast": lambda: as_strided(np.ones(2), (3, 2), (0, 8)),
    "one element": lambda: as_strided(np.ones(1), (2, 2), (0, 0)),
    "partly": lambda: as_strided(np.ones(6), (2, 4), (16, 8)),
}


@pytest.mark.parametrize("name", OVERLAPPING)
def test_what_overlaps_itself_may_not_be_stored_to(name):
    with pytest.raises(ingot.CompileError) as caught:
        ingot.jit(stores)(OVERLAPPING[name]())
    names_it(str(caught.value), "a", way_out=False)
    with pytest.raises(ingot.CompileError) as caught:
        ingot.jit(lambda d: stores(d["k"]))({"k": OVERLAPPING[name]()})
    names_it(str(caught.value), "d", way_out=False)


@pytest.mark.parametrize("name", OVERLAPPING)
def test_what_overlaps_itself_may_be_read(name):
    array = OVERLAPPING[name]()
    assert ingot.jit(reads)(array) == array.size


@pytest.mark.parametrize(
    "array",
    [
        np.zeros((3, 2)).T,
        np.zeros((4, 4))[::2, ::-1],
        np.zeros((6, 2))[::3],
        as_strided(np.zeros(9), (3, 2), (24, 8)),
    ],
    ids=["transposed", "reversed", "steps", "strided"],
)
def test_views_that_do_not_overlap_are_stored_to(array):
    compiled = array
    result = ingot.jit(stores)(compiled)
    assert result == 5 and compiled[0, 1] == 5


# Integers.


@pytest.mark.parametrize("n", [2**63 - 1, -(2**63), 2**62])
def test_ints_of_64_bits_are_taken(n):
    same(lambda n: n - 1 if n > 0 else n + 1, n)


@pytest.mark.parametrize("n", [2**63, 2**64 - 1, 2**70, -(2**63) - 1])
@pytest.mark.parametrize("body", ["n + 1", "n", "float(n)", "n > 0"])
def test_larger_ones_are_refused(body, n):
    with pytest.raises(ingot.CompileError, match="`n`"):
        ingot.jit(written(f"def f(n): return {body}"))(n)


def test_larger_ones_known_at_compile_time():
    same(lambda n: (2**70 // 2**68 + n, float(2**64), (2**64 + 1) % 10, -(2**63) < n), 3)


# Values of other array libraries.


def test_a_tracer_of_jax():
    def g(x):
        return ingot.jit(lambda values: values * 2)(x)

    for transformation in (jax.jit, jax.grad, jax.vmap):
        with pytest.raises(ingot.CompileError, match="`values`"):
            transformation(lambda x: g(x).sum())(np.ones(3))


def test_a_tracer_of_jax_inside_of_a_container():
    with pytest.raises(ingot.CompileError, match="`box"):
        jax.jit(lambda x: ingot.jit(BOXES["dict"][1])({"k": [x]}))(np.ones(3))


def test_keys_of_jax_with_another_generator():
    with pytest.raises(ingot.CompileError, match="`values`"):
        ingot.jit(lambda values: values)(jax.random.key(0, impl="rbg"))


def test_an_array_of_jax_is_taken():
    result = ingot.jit(lambda x: x * 2)(jax.numpy.ones(3))
    assert isinstance(result, jax.Array)


def test_an_array_of_jax_that_is_stored_to():
    with pytest.raises(ingot.CompileError, match="jax"):
        ingot.jit(stores)(jax.numpy.zeros((2, 2)))


def test_a_lookalike_with_array_protocol():
    class Like:
        def __array__(self, dtype=None, copy=None):
            return X

    with pytest.raises(ingot.CompileError):
        ingot.jit(lambda values: np.sum(values) + values.scale)(Like())


class WithOtherDict:
    def __init__(self):
        object.__setattr__(self, "x", 1.0)

    @property
    def __dict__(self):
        return {"x": 5.0}


def test_a_class_with_a_dict_of_its_own():
    value = WithOtherDict()
    for f, args in ((lambda a: a.x * 2, (value,)), (lambda: value.x * 2, ())):
        with pytest.raises(ingot.UnsupportedError, match="has a `__dict__` of its own"):
            ingot.jit(f)(*args)
