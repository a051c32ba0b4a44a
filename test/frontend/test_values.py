"""No value of the compiler takes part in an operator of Python's, and none can be a result."""

import functools
import itertools
import operator
import sys

import numpy as np
import pytest
from plain import Programs, refused, same_for

import ingot.syntax.evaluator  # noqa: F401, so that all classes of values are there
from ingot.syntax.values import OPERATORS, Leak, Symbolic

X = np.array([1.0, -2.0, 3.5])


def subclasses_of(kind):
    yield kind
    for each in kind.__subclasses__():
        yield from subclasses_of(each)


#: With slots a dataclass is made twice, and its module has the second one.
KINDS = sorted(
    {
        kind
        for kind in subclasses_of(Symbolic)
        if getattr(sys.modules[kind.__module__], kind.__name__, None) is kind
    },
    key=lambda kind: kind.__name__,
)
by_kind = pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)


def test_all_kinds_of_values_are_known():
    names = {kind.__name__ for kind in KINDS}
    assert {"Scalar", "Array", "List", "Dict", "Set", "Instance", "Iterator", "Masked"} <= names
    assert {"Text", "Range", "Lazy", "Method", "LocalFunction", "Partial", "Super"} <= names


@by_kind
def test_special_methods(kind):
    value = object.__new__(kind)
    for name in OPERATORS:
        with pytest.raises(Leak) as caught:
            getattr(kind, name)(value, 1)
        assert caught.value.value is value, name


BINARY = [
    operator.add, operator.sub, operator.mul, operator.truediv, operator.floordiv, operator.mod,
    operator.pow, operator.matmul, operator.and_, operator.or_, operator.xor, operator.lshift,
    operator.rshift, operator.eq, operator.ne, operator.lt, operator.le, operator.gt, operator.ge,
    operator.iadd, divmod,
]  # fmt: skip
OTHERS = [1, 2.5, "a", None, (), [], {}, np.float64(1), X]


@by_kind
def test_binary_operators_on_either_side(kind):
    value = object.__new__(kind)
    for function, other in itertools.product(BINARY, OTHERS):
        with pytest.raises(Leak):
            function(value, other)
        # A string without a place for it does not look at the value.
        if not (function is operator.mod and isinstance(other, str)):
            with pytest.raises(Leak):
                function(other, value)


UNARY = {
    "hash": hash, "bool": bool, "not": operator.not_, "len": len, "iter": iter, "next": next,
    "list": list, "tuple": tuple, "sorted": sorted, "reversed": reversed, "int": int,
    "float": float, "complex": complex, "index": operator.index, "round": round, "abs": abs,
    "str": str, "format": format, "f-string": lambda v: f"{v}", "%": lambda v: "%s" % v,
    "neg": operator.neg, "pos": operator.pos, "invert": operator.invert, "call": lambda v: v(),
    "item": lambda v: v[0], "slice": lambda v: [1, 2][v], "key": lambda v: {v: 1},
    "element": lambda v: {v}, "in": lambda v: 1 in v, "member": lambda v: v in [1],
    "count": lambda v: [1, 2].count(v), "range": range, "sum": lambda v: sum([1, v]),
    "max": lambda v: max(1, v), "join": lambda v: "".join(v), "star": lambda v: [*v],
    "bytes": bytes, "array": np.asarray, "in an array": lambda v: np.add(X, v),
    "ufunc": np.sin, "np.sum": np.sum, "stacked": lambda v: np.concatenate([v, v]),
}  # fmt: skip


@by_kind
def test_functions_of_one_value(kind):
    for name, function in UNARY.items():
        with pytest.raises(Leak):
            function(object.__new__(kind))
            pytest.fail(name)


# Results.


class Base:
    def __init__(self, w):
        self.w = w

    def method(self, x):
        return self.w * x

    def above(self):
        return super()


RESULTS = {
    "a range": lambda x: range(int(x.sum())),
    "a method": lambda x: Base(x).method,
    "a method of an array": lambda x: x.sum,
    "a method of a list": lambda x: [x].append,
    "a lambda": lambda x: lambda y: x + y,
    "a function in a list": lambda x: [1, lambda: x],
    "a function in a dict": lambda x: {"f": lambda: x},
    "a function in a tuple": lambda x: (x, lambda: x),
    "super": lambda x: Base(x).above(),
    "keys": lambda x: {"a": x}.keys(),
    "values": lambda x: {"a": x}.values(),
    "items": lambda x: {"a": x}.items(),
    "zip": lambda x: zip(x, x),
    "zip of lists": lambda x: zip([1, 2], [x, x]),
    "enumerate": lambda x: enumerate(x),
    "map": lambda x: map(np.sin, [x]),
    "filter": lambda x: filter(None, [1]),
    "reversed": lambda x: reversed([x]),
    "iter": lambda x: iter([x]),
    "a generator": lambda x: (v for v in [x]),
    "itertools": lambda x: itertools.chain([x], [x]),
    "itertools.count": lambda x: itertools.count(),
    "a partial": lambda x: functools.partial(np.add, x),
    "a run-time string": lambda x: f"{x[0]}",
    "a run-time string in a list": lambda x: [str(x[0])],
    "an attribute that is a function": lambda x: setattr(BOX, "f", lambda: x),
}
BOX = Base(1.0)


@pytest.mark.parametrize("name", RESULTS)
def test_no_result(name):
    text = refused(RESULTS[name], X)
    assert "hint:" in text


programs = Programs()


@programs(X)
def local_functions_and_views_that_stay_inside(x):
    def f(y):
        return y + 1

    entries = {"a": x, "b": f}
    return f(x), entries["b"](1.0), list(entries.keys()), [*zip("ab", (x, 2))], Base(2.0).method(x)


@programs(X, X[:0])
def iterators_are_used_up(x):
    it = iter([1, 2, 3, 4])
    found = []
    for v in it:
        found.append(v)
        if v == 2:
            break
    rest = list(it)
    pairs = iter(range(6))
    return found, rest, list(it), list(zip(pairs, pairs)), len(x)


@programs(X)
def iterators_shared_by_calls(x):
    it = iter([1, x, 3, 4, 5, 6, 7])
    first = list(itertools.islice(it, 2))
    second = list(zip(range(2), it))
    third = list(zip(it, range(1)))
    return first, second, third, list(it)


@pytest.mark.parametrize("f, cases", programs)
def test_programs(f, cases):
    same_for(f, cases)
