"""Operators of users' classes: the special methods that Python would call are evaluated."""

from dataclasses import dataclass

import numpy as np
import pytest
from plain import Programs, refused, same, same_for, same_or_refused

programs = Programs()
X = np.array([1.0, -2.0, 3.5])


@dataclass
class Point:
    x: float
    y: float = 0.0

    def __add__(self, other):
        return Point(self.x + other.x, self.y + other.y)

    def __mul__(self, k):
        return Point(self.x * k, self.y * k)

    __rmul__ = __mul__


class Vec:
    def __init__(self, *values):
        self.values = list(values)

    def __add__(self, other):
        return Vec(*[a + b for a, b in zip(self.values, other.values)])

    def __radd__(self, other):
        return Vec(*[other + a for a in self.values])

    def __sub__(self, other):
        return NotImplemented

    def __rsub__(self, other):
        return Vec(*[other - a for a in self.values])

    def __iadd__(self, other):
        self.values.append(other)
        return self

    def __neg__(self):
        return Vec(*[-a for a in self.values])

    def __matmul__(self, other):
        return sum(a * b for a, b in zip(self.values, other.values))

    def __getitem__(self, i):
        return self.values[i]

    def __setitem__(self, i, value):
        self.values[i] = value

    def __delitem__(self, i):
        del self.values[i]

    def __len__(self):
        return len(self.values)

    def __iter__(self):
        return iter(self.values)

    def __contains__(self, value):
        return value in self.values

    def __eq__(self, other):
        return isinstance(other, Vec) and self.values == other.values

    def __lt__(self, other):
        return sum(self.values) < sum(other.values)

    def __bool__(self):
        return self.values[0] > 0

    def __abs__(self):
        return sum(v * v for v in self.values) ** 0.5

    def __call__(self, k, plus=0):
        return [k * v + plus for v in self.values]

    __hash__ = None


@programs(2.0)
def arithmetic(x):
    a, b = Vec(1.0, x), Vec(3.0, 4.0)
    return a + b, 10 + a, 1 - a, -a, a @ b, sum([a, b], 0), abs(b)


@programs(2.0)
def in_place(x):
    a = Vec(1.0, x)
    b = a
    a += 5.0
    a[0] = 7.0
    a[1] += 1
    del a[2]
    return b, a is b


@programs(2.0, -2.0)
def queries(x):
    a, b = Vec(x, 1.0), Vec(3.0, 4.0)
    return (
        a[0],
        a[-1],
        len(a),
        [v for v in b],
        4.0 in b,
        a == Vec(2.0, 1.0),
        a != a,
        a < b,
        a > b,
        a(2),
        b(2, plus=x),
    )


@programs(2.0, -2.0)
def truth(x):
    a = Vec(x, 1.0)
    return 1 if a else 2, not a, bool(a), 7 if not a else 8


@programs(2.0)
def unpacking(x):
    a, *rest = Vec(x, 1.0, 2.0)
    return a, rest, [*Vec(x)], max(Vec(1.0, 3.0)), list(zip(Vec(x, x), (1, 2)))


@programs(2.0)
def points(x):
    p, q = Point(x, 1.0), Point(1.0, x)
    return p + q * 2, 3 * p, (p + q).x


class Sized:
    def __init__(self, n):
        self.n = n

    def __len__(self):
        return self.n


@programs(1.0)
def truth_by_length(x):
    return [1 if s else 0 for s in (Sized(0), Sized(3))], not Sized(0), x


class Countdown:
    def __init__(self, n):
        self.n = n

    def __iter__(self):
        return self

    def __next__(self):
        if self.n == 0:
            raise StopIteration
        self.n -= 1
        return self.n


def test_what_depends_on_the_truth_of_an_instance():
    """It is a number or an instance, which is known at run time only."""

    def f(x):
        return Vec(x, 1.0) and 5

    same_or_refused(f, 2.0)


def test_an_iterator_of_ones_own():
    def f(x):
        return [v * x for v in Countdown(3)]

    same_or_refused(f, 1.0)


class Layer:
    def __init__(self, w, b):
        self.w, self.b = w, b

    def __call__(self, x):
        return np.tanh(x @ self.w + self.b)


class Network:
    def __init__(self, layers):
        self.layers = layers

    def __call__(self, x):
        for layer in self.layers:
            x = layer(x)
        return x


@programs(X)
def a_network(x):
    n = Network([Layer(np.ones((3, 2)), 0.1), Layer(np.eye(2), x[:2])])
    before = n(x)
    for layer in n.layers:
        layer.w = layer.w * 0.5
        layer.b += 1
    return before, n(x), n


# Python's order of the methods of both operands, and what they may return.


class Left:
    def __init__(self, a):
        self.a = a

    def __mul__(self, other):
        return NotImplemented if isinstance(other, Left) else ("mul", self.a)

    def __rmul__(self, other):
        return "rmul", self.a

    def __lt__(self, other):
        return "lt", self.a

    def __gt__(self, other):
        return "gt", self.a

    def __eq__(self, other):
        return NotImplemented


class Same(Left):
    pass


class Reflected(Left):
    def __rmul__(self, other):
        return "reflected", self.a


class Counted:
    def __init__(self, n):
        self.n = n

    def __len__(self):
        return self.n

    def __iter__(self):
        return [1, 2]


class Truthy:
    def __init__(self, n):
        self.n = n

    def __bool__(self):
        return self.n > 0


@programs(2.0)
def products_of_classes(x):
    pairs = [(Left, Same), (Left, Reflected), (Reflected, Left), (Same, Reflected)]
    return [a(x) * b(3.0) for a, b in pairs]


@programs(2.0)
def a_product_of_one_class(x):
    try:
        return Left(x) * Left(1.0)
    except TypeError:
        return "none"


@programs(2.0)
def comparisons_of_a_derived_class(x):
    return Left(x) < Same(1.0), Same(x) < Left(1.0), Left(x) > Left(1.0)


@programs(2.0)
def comparisons_that_are_not_implemented(x):
    a = Left(x)
    return a == a, a != a, a == Left(x), a != Left(x), a != Same(x), a != 3


@programs(2, 0)
def lengths(n):
    return (
        len(Counted(n)),
        bool(Counted(n)),
        not Counted(n),
        len(Counted(np.int32(n))),
        len(Counted(n > 1)),
    )


@programs(-2)
def a_negative_length(n):
    return len(Counted(n))


@programs(-2)
def the_truth_of_a_negative_length(n):
    return bool(Counted(n))


@programs(1)
def a_length_of_a_float(n):
    return len(Counted(n * 0.5))


@programs(1)
def a_negative_literal(n):
    return len(Counted(-1)) + n


@programs(2.0, -2.0)
def truths(x):
    return not Truthy(x), bool(Truthy(x)), 1 if Truthy(x) else 2


@programs((X,))
def a_truth_of_numpy(x):
    return 1 if Truthy(x[0]) else 2


class Index:
    def __init__(self, n):
        self.n = n

    def __index__(self):
        return self.n


class Converted:
    def __init__(self, x):
        self.x = x

    def __float__(self):
        return self.x

    def __int__(self):
        return self.x

    def __divmod__(self, other):
        return "divmod", self.x, other

    def __rdivmod__(self, other):
        return "rdivmod", self.x, other


@programs(3)
def whole_numbers_of_ones_own(n):
    i = Index(2)
    repeated = [0] * i, i * (1, 2), "ab" * i
    return list(range(i)), repeated, np.arange(5)[i], [1, 2, n][i], int(i), float(i)


@programs(3)
def a_product_of_an_index(n):
    try:
        return Index(n) * 2
    except TypeError:
        return "none"


@programs(2.5)
def conversions_of_ones_own(x):
    return float(Converted(x)), int(Converted(3))


@programs(2.5)
def a_conversion_to_another_number(x):
    return int(Converted(x))


@programs(2)
def a_conversion_of_an_int(x):
    return float(Converted(x))


@programs(7.5)
def quotients_of_ones_own(x):
    return divmod(Converted(x), 2), divmod(2, Converted(x))


@programs(1)
def a_list_is_no_iterator(n):
    return [v + n for v in Counted(n)]


@pytest.mark.parametrize("f, cases", programs)
def test_programs(f, cases):
    same_for(f, cases)


def test_operators_of_arguments():
    same(lambda a, b: (a + b, a @ b, a == b, a[0], len(a), 3.0 in a), Vec(1.0, 2.0), Vec(3.0, 4.0))


class Scaled:
    """Comes before arrays in operators."""

    __array_ufunc__ = None

    def __init__(self, by):
        self.by = by

    def __mul__(self, other):
        return self.by * other

    def __rmul__(self, other):
        return other * self.by + 1

    def __mod__(self, other):
        return self.by % other

    def __rpow__(self, other):
        return other**self.by

    def __rmatmul__(self, other):
        return other.sum() + self.by

    def __eq__(self, other):
        return isinstance(other, Scaled)

    def __gt__(self, other):
        return self.by > other

    __hash__ = None


class Unknown:
    """NumPy's arrays apply their operators to it as to an element."""

    __mul__, __rmul__, __rpow__, __rmatmul__ = (
        Scaled.__mul__, Scaled.__rmul__, Scaled.__rpow__, Scaled.__rmatmul__,
    )  # fmt: skip
    __eq__, __gt__, __hash__ = Scaled.__eq__, Scaled.__gt__, None

    def __init__(self, by):
        self.by = by


class WithPriority(Unknown):
    __array_priority__ = 10


@pytest.mark.parametrize("kind", [Scaled, WithPriority])
def test_operators_of_arrays_with_instances(kind):
    def f(x, s):
        return s * x, x * s, x**s, x @ s, x < s, s > x, x == s

    def g(x):
        return kind(2.0) * x + x * kind(3.0)

    same(f, X, kind(2.0))
    same(g, X)
    same(lambda x, s: s % x, X, Scaled(2.0))


def test_instances_that_arrays_take_for_elements():
    same(lambda x, s: s * x, X, Unknown(2.0))
    for f in (
        lambda x, s: x * s, lambda x, s: x**s, lambda x, s: x @ s, lambda x, s: x == s,
        lambda x, s: x < s,
    ):  # fmt: skip
        refused(f, X, Unknown(2.0), match="__array_ufunc__ = None in Unknown")


class Iterated:
    def __init__(self, v):
        self.v = v

    def __iter__(self):
        return iter([self.v, 2.0])


class Indexed:
    def __init__(self, v):
        self.v = v

    def __len__(self):
        return 2

    def __getitem__(self, i):
        if i > 1:
            raise IndexError
        return self.v + i


def test_members_of_what_is_iterated_and_indexed(check):
    def f(x):
        return 2.0 in Iterated(x[0]), x[0] in Iterated(x[1]), x[1] in Indexed(x[0])

    check(f, np.array([1.0, 2.0]))
    check(f, np.array([5.0, 1.0]))
