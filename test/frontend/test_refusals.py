"""Ordinary Python that was once refused runs as Python does: builtins, itertools, match, del, raise."""

import functools
import itertools
import math
import operator
import random
from collections import Counter, deque, namedtuple
from enum import Enum, IntEnum

import numpy as np
import pytest
from plain import Programs, refused, same_for, same_or_refused, written

import ingot

programs = Programs()
X = np.array([1.0, -2.0, 3.5])
Pair = namedtuple("Pair", "a b")


# Builtins.


@programs((3.0, 1.0), (1.0, 3.0), (2.0, 2.0))
def sorted_values(x, y):
    return sorted([x, y, 2.0]), sorted((x, y), reverse=True), sorted([x, y], key=lambda v: -v)


@programs(2.0)
def sorted_static(x):
    d = {"b": x, "a": 1}
    return (
        sorted(d),
        sorted(d.items(), key=lambda p: p[0]),
        sorted("cab"),
        sorted([3, 1, 2], key=lambda v: (v % 2, -v)),
    )


@programs((2.0, 5.0), (5.0, 2.0), (2.0, 2.0))
def minima_and_maxima(x, y):
    return (
        min(x, y),
        max([x, y]),
        min([x, y], key=lambda v: -v),
        max(x, y, 3.0),
        min([], default=7),
        max((), default=None),
    )


@programs((2.0, -5.0), (-5.0, 2.0), (2.0, -2.0))
def extremes_by_key(x, y):
    best = max([(x, 1), (y, 2)], key=lambda p: abs(p[0]))
    return (
        best[0],
        max([x, y], key=abs),
        min({"a": 2, "b": 1}.items(), key=lambda p: p[1]),
        max("ab", "c", key=len),
    )


@programs(2.0)
def maps_and_filters(x):
    out = list(map(lambda v: v * x, [1, 2, 3]))
    two = list(map(operator.add, (1, 2), (x, 3)))
    odd = list(filter(lambda v: v % 2, range(6)))
    some = list(filter(None, [0, 1, "", "a"]))
    return (
        out,
        two,
        odd,
        some,
        sum(map(abs, [-1, 2])),
        tuple(map(str, (1, 2))),
        dict(map(lambda k: (k, x), "ab")),
    )


@programs(1.0, -1.0)
def any_and_all(x):
    l = [x, 1.0]
    return (
        any(v > 0 for v in l),
        all(v > 0 for v in l),
        any([]),
        all([]),
        any(map(lambda v: v < 0, l)),
        all([x, True]),
    )


@programs(2.0)
def enumerations(x):
    out = []
    for i, v in enumerate(["a", x], start=1):
        out.append((i, v))
    for i, (a, b) in enumerate(zip([1, 2], [x, 3]), 5):
        out.append((i, a, b))
    return out, list(enumerate("ab", 10)), dict(enumerate([x]))


@programs(2.0)
def zips(x):
    a, b = [1, 2, 3], [x, 4.0]
    pairs = list(zip(a, b))
    left, right = zip(*pairs)
    return (
        pairs,
        left,
        right,
        list(zip()),
        list(zip(a)),
        list(zip(a, a, b)),
        list(zip(a, a, strict=True)),
    )


@programs(X)
def zips_of_arrays(x):
    total = 0.0
    for a, b in zip(x, x[1:]):
        total += a * b
    for a, b in zip(x, x * 2, strict=True):
        total += a - b
    for i, (a, b) in enumerate(zip(x, [1, 2, 3])):
        total += a * b * i
    return total


@programs(2.0)
def reversals(x):
    return (
        list(reversed([1, x])),
        list(reversed(range(3))),
        [v for v in reversed((x, 2))],
        list(reversed("ab")),
    )


@programs(X)
def reversed_arrays(x):
    total = 0.0
    for v in reversed(x):
        total = total * 2 + v
    return total


@programs(2.0)
def sums(x):
    return (
        sum([1, x]),
        sum([x], 5),
        sum([[1], [2]], []),
        sum(v * x for v in range(3)),
        math.prod([2, x]),
        math.fsum([1, 2]),
    )


@programs(3, 0, 7, -1, 10, 8)
def membership_in_ranges(n):
    return (
        n in range(5),
        n not in range(2, 9, 2),
        n in range(8, -1, -4),
        3 in range(5),
        n in range(n),
    )


@programs(2.0)
def ranges(x):
    r = range(2, 20, 3)
    return (
        r[1],
        r[-1],
        len(r),
        list(r[1:3]),
        r.index(8),
        r.start,
        r.stop,
        r.step,
        r == range(2, 20, 3),
        sum(r) * x,
    )


@programs(2.0)
def types_asked(x):
    return (
        type(x) is float,
        isinstance(x, (int, float)),
        isinstance(x, bool),
        isinstance([x], list),
        type([]) is list,
        isinstance(None, type(None)),
        callable(abs),
        callable(x),
    )


@programs(X, np.float32([1]), np.array([[1]]), 2.0, 3, True, 1j, [1.0], None)
def dispatched_on_type(v):
    if isinstance(v, np.ndarray):
        return v.ndim
    if isinstance(v, (list, tuple)):
        return "sequence"
    if type(v) is bool:
        return "bool"
    if isinstance(v, (int, np.integer)):
        return v + 1
    return {float: "float", complex: "complex", type(None): "none"}[type(v)]


@programs(X)
def attributes_by_name(x):
    ns = Pair(x, 2)
    return (
        hasattr(ns, "a"),
        hasattr(ns, "z"),
        ns.b,
        getattr(ns, "z", 5),
        x.sum(),
        hasattr(x, "shape"),
    )


class Step(namedtuple("Step", "size count")):
    __slots__ = ()

    @classmethod
    def of(cls, size):
        return cls._make([size, 2])

    def length(self):
        return self.size * self.count


@programs(X)
def named_tuples_of_items(x):
    pairs = [Pair._make(x[:2]), Pair._make([x, 1]), Pair._make(v * 2 for v in x[1:])]
    return pairs, Step.of(x).length(), pairs[1]._make((1, x[0])), Pair(*x[:2])._replace(b=x)


@programs(X)
def named_tuples_of_too_many_items(x):
    return Pair._make(x)


NAMES = ["__call__", "__name__", "__mro__", "__len__", "__getitem__", "__float__", "shape", "real"]
OBJECTS = (
    X, 1.5, 2, True, np.float64(1), np.int8(2), 1j, [1.0], {"a": 1}, (1.0, 2), Pair(1, 2), None, "s", len,
)  # fmt: skip


@programs(*[(each,) for each in OBJECTS])
def what_has_which_attributes(value):
    called = value(X) if hasattr(value, "__call__") else 0  # noqa: B004
    return called, [name for name in NAMES if hasattr(value, name)]


@programs((7, 3), (-7, 3), (7, -3), (0, 3))
def integers(a, b):
    return (
        divmod(a, b),
        a // b,
        a % b,
        abs(a),
        round(a / b),
        int(a / b),
        bool(a),
        pow(a, 2),
        a.bit_length(),
        float(a),
    )


@programs(2.0)
def converted(x):
    return (
        list((1, x)),
        tuple([x]),
        list("ab"),
        list(range(3)),
        set([1, 1]),
        dict(a=x),
        list({"a": 1}),
        bool([]),
        list(zip("ab", [x, 1])),
    )


@programs(2.0)
def iterators(x):
    it = iter([1, x, 3])
    first = next(it)
    rest = list(it)
    return first, rest, next(it, None), next(iter({"a": 1}))


@programs(2.0)
def generators(x):
    squares = (v * v for v in [1, x, 3])
    return sum(squares), list(squares), max(v for v in (x, 1.0)), tuple(v for v in range(3) if v)


# functools, itertools, operator, collections.


@programs(2.0)
def reductions(x):
    return (
        functools.reduce(lambda a, b: a * b, [1, x, 3]),
        functools.reduce(operator.add, [[1], [2]], []),
        functools.reduce(max, (x, 5.0, 1.0)),
    )


@programs(X)
def reduced_matrices(x):
    return functools.reduce(np.dot, [np.eye(3), np.ones((3, 3)), x])


@programs(2.0)
def partials(x):
    def f(a, b, *, c=0):
        return a, b, c

    p = functools.partial(f, 1, c=x)
    q = functools.partial(p, 2)
    return p(5), q(), q(c=7), functools.partial(np.add, x)(3), p.args, p.keywords


@programs(2.0)
def iteration_tools(x):
    i = itertools
    return (
        list(i.product([1, x], "ab")), list(i.product(range(2), repeat=2)), list(i.chain([1], (x,), "a")),
        list(i.chain.from_iterable([[1], [x]])), list(i.repeat(x, 3)), list(i.accumulate([1, x, 3])),
        list(i.accumulate([1, 2, x], operator.mul)), list(i.accumulate([x, 2], initial=10)),
    )  # fmt: skip


@programs(2.0)
def more_iteration_tools(x):
    i = itertools
    return (
        list(i.combinations([1, x, 3], 2)), list(i.permutations("abc", 2)), list(i.pairwise([1, x, 3])),
        list(i.islice([1, x, 3, 4], 1, 3)), list(i.zip_longest([1, 2], [x], fillvalue=0)),
        list(i.islice(i.count(5), 3)), list(i.starmap(pow, [(x, 2), (2, 3)])),
    )  # fmt: skip


@programs(X)
def loops_over_products(x):
    total = 0.0
    for i, j in itertools.product(range(3), range(3)):
        total += x[i] * x[j] * (i - j)
    for i, j in itertools.combinations(range(3), 2):
        total *= x[i] - x[j]
    for v in itertools.chain(x, [1.0]):
        total += v
    return total


@programs(2.0)
def operators_as_functions(x):
    l = [1, x]
    return (
        operator.itemgetter(1)(l),
        operator.attrgetter("real")(x),
        operator.mul(x, 3),
        operator.neg(x),
        operator.getitem(l, 0),
    )


class Color(Enum):
    RED = 1
    BLUE = 2


class Level(IntEnum):
    LOW = 1
    HIGH = 5


@programs(Color.RED, Color.BLUE)
def enums(c):
    return (
        c is Color.RED,
        c == Color.BLUE,
        c.value,
        c.name,
        {Color.RED: 1, Color.BLUE: 2}[c],
        [e.value for e in Color],
    )


@programs((Level.HIGH, 2.0), (Level.LOW, 1.0))
def int_enums(level, x):
    return (
        level + 1,
        level * x,
        level > 2,
        level == 5,
        [10, 20][level == Level.LOW],
        Level.HIGH + Level.LOW,
    )


@programs((X, 1, 2), (X, 5, 1))
def members_by_value(x, n, value):
    found = Level(n)
    return x * found, found is Level.LOW, Color(value).name, Color(value) is Color.RED


@pytest.mark.parametrize("f, cases", programs)
def test_programs(f, cases):
    same_for(f, cases)


class Affine:
    def __init__(self, w):
        self.w = w


def zips_that_must_be_strict(a, b):
    total = 0.0
    for v, w in zip(a, b, strict=True):
        total += v * w
    return total


@pytest.mark.parametrize("b", [X, X[1:]], ids=["equal", "shorter"])
def test_zips_that_must_be_strict(b):
    same_or_refused(zips_that_must_be_strict, X, b)


UNSUPPORTED = {
    "a counter": lambda x: Counter("aab")["a"] * x,
    "a deque": lambda x: deque([1, x], maxlen=2)[1],
    "try": written(
        "def f(x):\n    try:\n        return [x][1]\n    except IndexError:\n        return -x"
    ),
    "yield": written(
        "def f(x):\n    def g():\n        yield x\n        yield 2\n    return list(g())"
    ),
    "a yield that is not reached": written(
        "def f(x):\n    def g(items):\n        for v in items:\n            yield v\n    return list(g([]))"
    ),
    "a generator": written("def f(x):\n    if x is None:\n        yield 1"),
    "a class": written("def f(x):\n    class A:\n        k = 1\n    return x + A.k"),
    "global": written("def f(x):\n    global g\n    g = x\n    return g"),
    "eval": lambda x: eval("x + 1"),
    "locals": lambda x: locals()["x"],
    "globals": lambda x: globals()["X"][0] + x,
    "vars": lambda x: vars(Affine(x))["w"],
    "setattr": written("def f(x):\n    setattr(o, 'w', x)\n    return o.w", o=Affine(1.0)),
    "id": lambda x: id(x) == id(x),
    "time": written("import time\ndef f(x):\n    return time.time() > x"),
    "open": lambda x: len(open(__file__).read()) * x > 0,
    "an attribute of a type": lambda x: type(x).__mro__[-1] is object,
}


@pytest.mark.parametrize("name", UNSUPPORTED)
def test_the_rest_is_python_or_refused(name):
    same_or_refused(UNSUPPORTED[name], 2.0)


def test_a_refusal_points_at_its_line():
    def f(x):
        y = x + 1
        return open(y)  # refused

    refused(f, 1.0)
    with pytest.raises(ingot.CompileError) as caught:
        ingot.jit(f)(1.0)
    assert caught.value.filename == __file__


def test_lists_that_no_memory_holds():
    def doubled(x, n):
        l = [x]
        if n > 5:
            for _ in range(60):
                l *= 2
        return l

    def extended(x, n):
        l = [x]
        if n > 5:
            for _ in range(60):
                l.extend(l)
        return l

    for f in (doubled, extended):
        with pytest.raises(ingot.UnsupportedError, match="a list of more than"):
            ingot.jit(f)(1.0, 6)
        # The program is specialised on the argument that decides.
        assert ingot.jit(f)(1.0, 1) == [1.0]


def test_a_value_of_no_member():
    def f(x):
        return x * Level(7)

    with pytest.raises(ValueError, match="7 is not a valid Level"):
        ingot.jit(f)(X)


class Likened:
    def __init__(self, x):
        self.x = x

    def __array__(self, dtype=None, copy=None):
        return self.x


class Counted(dict):
    pass


class Watched:
    def __getattribute__(self, name):
        return 1.0


class Exported:
    __slots__ = ("x",)

    def __init__(self, x):
        self.x = x

    @property
    def __dict__(self):
        return {"x": self.x}


@pytest.mark.parametrize(
    ("f", "reason"),
    [
        (lambda x: Likened(x).x, "it has a `__array__`"),
        (lambda x: len(Counted()), "it is derived from dict"),
        (lambda x: Watched().y, "it has a `__getattribute__`"),
        (lambda x: Exported(x).x, "it has a `__dict__` of its own"),
    ],
    ids=["array", "base", "attributes", "dict"],
)
def test_why_a_class_has_no_instances(f, reason):
    refused(f, X, match=f"instances of .* are not supported: {reason}")


@functools.lru_cache
def cached(x):
    return [x]


@pytest.mark.parametrize(
    ("f", "message"),
    [
        (lambda x: x * cached(x)[0], "cached keeps its results in a cache"),
        (lambda x: x * random.uniform(0, 1), r"random\.uniform draws from a state"),
        (lambda x: np.random.seed(0), r"np\.random\.seed draws from a state"),
        (lambda x: np.random.default_rng(0), r"np\.random\.default_rng draws from a state"),
        (lambda x: np.testing.assert_allclose(x, x), r"np\.testing\.\w+\.assert_allclose is not"),
        (lambda x: len(deque([x])), "use a list"),
        (lambda x: Counter("aab")["a"] * x, "use a dict"),
    ],
    ids=["cache", "random", "np.random", "generator", "np.testing", "deque", "Counter"],
)
def test_refusals_say_what_to_write_instead(f, message):
    text = refused(f, 2.0, match=message)
    assert __file__ in text
    assert "hint" in text


def stores_to_its_argument(v):
    v += 1
    return v.sum()


def copies_its_argument(v):
    v = v.copy()
    v += 1
    return v


def test_functions_that_numpy_calls_with_parts():
    def f(m):
        return np.apply_along_axis(stores_to_its_argument, 0, m)

    def g(m):
        return np.apply_along_axis(copies_its_argument, 1, m), m

    def h(x):
        def five(v):
            v[:] = 5
            return v

        return np.piecewise(x, [x > 2], [five, 0]), x

    m = np.arange(6.0).reshape(2, 3)
    refused(f, m, match="to which it stores")
    same_for(g, [(m,)])
    same_for(h, [(np.arange(4.0),)])


@pytest.mark.parametrize(
    "call", ["np.modf(y, out=(x, y))", "np.divmod(y, 2.0, x, y)", "np.frexp(y, x)"]
)
def test_what_numpy_takes_is_refused_in_a_try(call, tmp_path):
    path = tmp_path / "program.py"
    path.write_text(f"""
def f(x, y):
    try:
        {call}
    except TypeError:
        x[:] = -1
    return x
""")
    names = {"np": np}
    exec(compile(path.read_text(), str(path), "exec"), names)
    refused(names["f"], np.ones(3), np.ones(3))
